import DockControl
import RobotFace
import Testing

@testable import Companion

/// A person who types.
private final class Typist {
    var line = TypedLine()

    func type(_ text: String) {
        for letter in text.unicodeScalars { _ = line.handle(letter == " " ? .space : .character(letter), []) }
    }

    func press(_ key: Key) -> String? { line.handle(key, []) }

    func enter(_ text: String) -> String? {
        line.begin()
        type(text)
        return press(.enter)
    }
}

@Suite struct TypedLineTests {
    private let typist = Typist()

    @Test func `up and down bring back earlier lines, and then the own one`() {
        #expect(typist.enter("home") == "home")
        #expect(typist.enter("mode manual") == "mode manual")
        typist.line.begin()
        typist.type("ve")
        _ = typist.press(.up)
        #expect(typist.line.text == "mode manual")
        _ = typist.press(.up)
        _ = typist.press(.up)
        #expect(typist.line.text == "home")
        _ = typist.press(.down)
        _ = typist.press(.down)
        #expect(typist.line.text == "ve")
        #expect(typist.press(.enter) == "ve")
    }

    @Test func `the history is bounded, and the same line twice is kept once`() {
        for number in 0..<200 { _ = typist.enter("preset go \(number)") }
        _ = typist.enter("preset go 199")
        typist.line.begin()
        for _ in 0..<1000 { _ = typist.press(.up) }
        #expect(typist.line.text == "preset go 150")
    }

    @Test func `Ctrl-U empties the line, Ctrl-W removes a word, and other control keys type nothing`() {
        typist.line.begin()
        #expect(typist.line.row(columns: 80)?.contains("Esc leaves") == true)
        typist.type("orient 10  20 ")
        _ = typist.line.handle(.character("w"), .control)
        #expect(typist.line.text == "orient 10  ")
        _ = typist.line.handle(.character("w"), .control)
        #expect(typist.line.text == "orient ")
        _ = typist.line.handle(.character("k"), .control)
        #expect(typist.line.text == "orient ")
        _ = typist.line.handle(.character("u"), .control)
        #expect(typist.line.text == "")
    }

    @Test func `Tab completes a word, and says how it is used`() {
        typist.line.begin()
        typist.type("velo")
        _ = typist.press(.tab)
        #expect(typist.line.text == "velocity ")
        #expect(typist.line.hint.hasPrefix("velocity PAN TILT"), "\(typist.line.hint)")
        typist.type("1")
        #expect(typist.line.hint == "")
        _ = typist.press(.tab)
        #expect(typist.line.text == "velocity 1" && typist.line.hint.hasPrefix("velocity"))
    }

    @Test func `Tab names the words that fit, and completes what is certain`() {
        typist.line.begin()
        typist.type("s")
        _ = typist.press(.tab)
        #expect(typist.line.text == "s")
        #expect(
            typist.line.hint.split(separator: " ").contains("stop")
                && typist.line.hint.split(separator: " ").contains("status"))
        typist.type("zz")
        _ = typist.press(.tab)
        #expect(typist.line.text == "szz" && typist.line.hint == "no such word; type help")
    }

    @Test func `a line longer than the row shows its end, and a hint is cut with a mark`() {
        typist.line.begin()
        #expect(typist.line.row(columns: 20) == ":▏   Esc leaves; th…")
        typist.type("0123456789")
        #expect(typist.line.row(columns: 12) == ":0123456789▏")
        #expect(typist.line.row(columns: 8) == "…456789▏")
    }

    @Test func `an empty line enters nothing, and Esc forgets the line`() {
        #expect(typist.enter("") == nil && typist.line.text == nil)
        typist.line.begin()
        typist.type("stop")
        #expect(typist.press(.escape) == nil && typist.line.text == nil && typist.line.row(columns: 80) == nil)
    }
}

@Suite struct HelpPageTests {
    @Test(arguments: [(36, 10), (40, 12), (80, 24), (200, 50), (10, 3)])
    func `a page fits its screen`(columns: Int, rows: Int) {
        #expect(HelpPage.keys.lines(columns: columns, rows: rows).count <= rows)
        if columns >= 40 {
            #expect(HelpPage.keys.lines(columns: columns, rows: rows).allSatisfy { $0.count <= columns - 4 })
        }
    }

    @Test func `on a small screen the emergency stop is named whole`() {
        let page = HelpPage.keys.lines(columns: 40, rows: 12)
        #expect(page.contains { $0.contains("x   emergency stop") })
        #expect(page.contains { $0.contains("C C clear the stop") })
    }

    /// All pages of the words, and whether the first one follows the last one.
    private func words(columns: Int, rows: Int) -> (lines: [String], isRound: Bool) {
        func page(_ number: Int) -> [String] { HelpPage.words(page: number).lines(columns: columns, rows: rows) }
        let count = page(0).last.flatMap { Int($0.split(separator: " ")[3].filter(\.isNumber)) } ?? 0
        let lines = (0..<count).flatMap { page($0).dropLast(2) }
        return (lines, page(count) == page(0))
    }

    @Test(arguments: [(80, 24), (140, 40), (40, 12), (60, 10)])
    func `the pages of the words hold every word once, with its effect`(columns: Int, rows: Int) {
        let pages = words(columns: columns, rows: rows)
        #expect(pages.lines.allSatisfy { $0.count <= columns - 4 } && pages.isRound)
        let found = pages.lines.flatMap { $0.split(separator: " ") }
        let wanted = CommandWords.rows.flatMap { ($0.usage + " " + $0.does).split(separator: " ") }
        #expect(found == wanted)
        for page in 0..<20 {
            #expect(HelpPage.words(page: page).lines(columns: columns, rows: rows).count <= rows)
        }
    }

    @Test func `help names every word that can be typed, and every built-in motion`() {
        let found = Set(
            words(columns: 80, rows: 24).lines.flatMap { $0.split { " |".contains($0) } }.map(String.init))
        for name in CommandWords.rows.flatMap(\.names) + MotionScript.Name.allCases.map(\.rawValue) {
            #expect(found.contains(name), "\(name)")
        }
    }
}

@Suite struct StoppedScreenTests {
    private func state() -> SessionState {
        SessionState(options: .init(hasFace: true, display: .fixed, endsWithInput: false, dryRun: false, seed: 1))
    }

    private func press(_ letter: Unicode.Scalar) -> SessionEvent {
        .input(.key(.character(letter), modifiers: [], phase: .press))
    }

    @Test func `while the dock is stopped, letters that change the face are inert, and the keys that help are not`() {
        var session = state()
        var stopped = LoopSnapshot()
        stopped.dock = .faulted(.emergencyStop)
        _ = session.handle(.snapshot(stopped), now: 1)
        for letter in "r123f[]".unicodeScalars {
            let effects = session.handle(press(letter), now: 2)
            #expect(
                effects.contains(.answer("stopped: when all is well, press C twice")), "\(letter): \(effects)")
        }
        #expect(!session.face.mood.isRandom && session.input.speed == 1)
        let overlay = session.handle(press("o"), now: 3)
        #expect(!overlay.contains(.answer("stopped: when all is well, press C twice")))
        #expect(session.screen.shows(.overlay))
    }

    @Test func `help opens the words, page by page`() {
        var session = state()
        _ = session.handle(.screen(columns: 80, rows: 24), now: 1)
        func help(_ now: Double) -> HelpPage {
            _ = session.handle(press(":"), now: now)
            for letter in "help".unicodeScalars { _ = session.handle(press(letter), now: now) }
            _ = session.handle(.input(.key(.enter, modifiers: [], phase: .press)), now: now)
            return session.screen.page
        }
        let first = help(2), second = help(3)
        #expect(first == .words(page: 0) && second == .words(page: 1))
        _ = session.handle(.input(.key(.escape, modifiers: [], phase: .press)), now: 4)
        #expect(!session.screen.shows(.help))
    }
}

@Suite struct HurtMoodTests {
    @Test func `an emergency stop shows on the face, also if a person chose another one, and the choice returns`()
        throws
    {
        var mood = Mood(seed: 1)
        mood.choose(try #require(Expression(named: "happy")), now: 1)
        let stopped = mood.setFaulted(true)
        #expect(stopped?.name == "sad")
        let later = mood.tick(now: 2)
        #expect(later == nil && mood.expression.name == "sad")
        let cleared = mood.setFaulted(false)
        #expect(cleared?.name == "happy")
        // A new choice counts, even while it is stopped.
        _ = mood.setFaulted(true)
        mood.choose(try #require(Expression(named: "angry") ?? Expression(named: "curiosity")), now: 3)
        #expect(mood.expression.name == "sad", "it waits until the stop is cleared")
        _ = mood.sees(Sight(subject: 1), now: 4)
        #expect(mood.expression.name == "sad")
        let again = mood.setFaulted(false)
        #expect(again?.name == "anger" || again?.name == "curiosity")
    }

    @Test func `random faces pause while it is stopped`() {
        var mood = Mood(seed: 1)
        _ = mood.random(true, now: 1)
        _ = mood.tick(now: 2)
        let stopped = mood.setFaulted(true), later = mood.tick(now: 100)
        #expect(stopped?.name == "sad" && later == nil)
    }
}
