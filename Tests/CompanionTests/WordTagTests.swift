import DockControl
import DockTypes
import Testing

@testable import Companion

/// Lines of standard input are answered with their tags, and each answer lets the next line begin.
@Suite struct WordTagTests {
    private var session = SessionState(
        options: SessionState.Options(hasFace: true, display: .fixed, endsWithInput: true, dryRun: false, seed: 1))
    private let ticket: Ticket = {
        var ticket = Ticket.words
        ticket.turn = 4
        return ticket
    }()

    @Test(arguments: [
        ("#a-1 face happy", "#a-1 ok face happy"), ("  #x_.9   face  happy", "#x_.9 ok face happy"),
        ("face happy", "ok face happy"),
        ("#7 fase happy", "#7 error unknown command \"fase\": did you mean `face`?"),
        ("#", "error \"#\" is not a tag: a tag is # and up to 32 letters, digits, dots, dashes or underscores"),
        ("#7", "#7 error no command given: type `help`"),
    ])
    mutating func `an answer begins with the tag of its line`(line: String, answer: String) {
        let effects = session.handle(.line(line, ticket), now: 1)
        #expect(effects.contains(.answer(answer)) && effects.contains(.lineAnswered(turn: 4)), "\(effects)")
    }

    @Test mutating func `a command for the loop is answered when the loop has executed it`() {
        let asked = session.handle(.line("#9 mode manual", ticket), now: 2)
        var sent: Ticket?
        for case .motion(.setMode(.manual), let ticket?) in asked { sent = ticket }
        #expect(sent?.tag == "9" && sent?.turn == 4 && !asked.contains(.lineAnswered(turn: 4)))
        let answers = session.handle(.answer(sent ?? .keys, .success(MotionReceipt("mode manual"))), now: 2)
        #expect(answers.contains(.answer("#9 ok mode manual")) && answers.contains(.lineAnswered(turn: 4)))
    }

    @Test mutating func `a stop with an invalid tag is a stop`() {
        let asked = session.handle(.line("#?! stop", ticket), now: 2)
        #expect(asked.contains { if case .motion(.stop, _) = $0 { true } else { false } })
    }

    @Test mutating func `a line that a stop overtook is answered with its tag`() {
        let late = session.handle(.overtaken("#8 home", ticket), now: 3)
        #expect(late.contains(.answer("#8 error a stop came first: give the command again")))
        #expect(late.contains(.lineAnswered(turn: 4)))
    }

    @Test mutating func `a cue of a scene that may not act lets the next line begin`() {
        var cue = Ticket.cue
        cue.turn = 5
        var shot = LoopSnapshot()
        shot.dock = .faulted(.emergencyStop)
        _ = session.handle(.snapshot(shot), now: 4)
        let effects = session.handle(.line("face sad", cue), now: 4)
        #expect(effects.contains(.lineAnswered(turn: 5)))
    }
}
