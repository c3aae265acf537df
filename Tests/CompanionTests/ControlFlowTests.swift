import ControlProtocol
import DockControl
import DockTypes
import Geometry
import RobotFace
import Testing

@testable import Companion

/// Leases, answers and custom tracking in the session.
@Suite struct ControlFlowTests {
    private var session = SessionState(
        options: .init(hasFace: false, display: .fixed, endsWithInput: false, dryRun: false, seed: 1))

    private func ticket(_ client: Int, _ call: Int) -> Ticket { Ticket(asker: .client(client), call: call) }

    private func commands(_ effects: [SessionEffect]) -> [MotionCommand] {
        effects.compactMap { if case .motion(let command, _) = $0 { command } else { nil } }
    }

    private func error(_ effects: [SessionEffect]) -> DockError.Code? {
        for case .reply(_, .failure(let error)) in effects { return error.code }
        return nil
    }

    private func ticket(in effects: [SessionEffect]) -> Ticket? {
        for case .motion(_, let ticket?) in effects { return ticket }
        return nil
    }

    @Test mutating func `command words of a guest do not clear what a person latched, those of the owner do`() throws {
        let pulled = session.handle(.line("estop", nil), now: 10)
        #expect(commands(pulled) == [.emergencyStop])
        let guest = session.handle(.line("clear", ticket(7, 1)), now: 20)
        #expect(error(guest) == .busy && commands(guest).isEmpty)
        // Every client may stop.
        #expect(commands(session.handle(.line("stop", ticket(7, 2)), now: 20)) == [.stop])
        #expect(commands(session.handle(.line("clear", Ticket(asker: .words, call: 3)), now: 20)) == [.clear])
    }

    @Test func `a call of a guest equals the owner's, except for its words`() {
        #expect(ControlCall.words("clear").ofGuest == .guestWords("clear"))
        #expect(ControlCall.command(.motion(.stop)).ofGuest == .command(.motion(.stop)))
        #expect(ControlCall.guestWords("home").movesAfterStop == ControlCall.words("home").movesAfterStop)
    }

    @Test(arguments: [DockError.Code.timeout, .notConnected])
    mutating func `a person who switches torque off keeps the dock, even if the dock does not confirm it`(
        code: DockError.Code
    ) throws {
        let asked = session.handle(.line("torque off", nil), now: 10)
        #expect(commands(asked) == [.torque(false)])
        let waiting = try #require(ticket(in: asked))
        let effects = session.handle(.answer(waiting, .failure(DockError(code, "it", hint: "do"))), now: 11)
        #expect(effects.contains(.answer("error it: do")))
        let program = session.handle(.call(.motion(.torque(true)), ticket(7, 1)), now: 14)
        // Only a refused command takes over nothing.
        #expect(error(program) == (code == .timeout ? .busy : nil))
    }

    @Test mutating func `a program that falls silent or disconnects loses the lease, and its motion stops`() throws {
        for dies in [false, true] {
            session = SessionState(
                options: .init(hasFace: false, display: .fixed, endsWithInput: false, dryRun: false, seed: 1))
            _ = session.handle(.call(.acquireControl, ticket(7, 1)), now: 10)
            let asked = session.handle(
                .call(.motion(.orient(.degrees(pan: 20, tilt: 0), duration: 5, relative: false)), ticket(7, 2)), now: 10
            )
            let waiting = try #require(ticket(in: asked))
            let began = session.handle(
                .answer(waiting, .success(MotionReceipt("moving", motion: MotionID(3), duration: 5))), now: 10.1)
            #expect(began == [.reply(call: 2, .success(Outcome("moving", .motion(MotionID(3), duration: 5))))])
            let kept = session.handle(.clientHeard(client: 7), now: 11.5)
            #expect(commands(kept).isEmpty)
            let lost = dies ? session.handle(.clientClosed(client: 7), now: 11.6) : session.handle(.tick, now: 13.6)
            #expect(waiting.program == ProgramID(7))
            #expect(
                lost == [.end(LostLease(ProgramID(7), endsTracking: false))],
                "the loop reports it later, the log does not at once"
            )
            let free = session.handle(.call(.acquireControl, ticket(8, 3)), now: 14)
            #expect(error(free) == nil)
        }
    }

    @Test mutating func `what command words of a program with the lease begin is the program's, with a person's rank`()
        throws
    {
        _ = session.handle(.call(.acquireControl, ticket(7, 1)), now: 10)
        var words = Ticket(asker: .words, call: 2)
        words.program = ProgramID(7)
        let asked = session.handle(.line("velocity 10 0 for 60", words), now: 10)
        let waiting = try #require(ticket(in: asked))
        #expect(waiting.program == ProgramID(7) && waiting.isPersonal)
        let lost = session.handle(.clientClosed(client: 7), now: 10.1)
        #expect(lost.contains(.end(LostLease(ProgramID(7), endsTracking: false))))
    }

    @Test(arguments: ["clear", "torque off", "mode manual"])
    mutating func `other words of a program are a person's alone, and do not end with the lease`(_ line: String) throws
    {
        _ = session.handle(.call(.acquireControl, ticket(7, 1)), now: 10)
        var words = Ticket(asker: .words, call: 2)
        words.program = ProgramID(7)
        let asked = session.handle(.line(line, words), now: 10)
        #expect(try #require(ticket(in: asked)).program == nil)
    }

    @Test mutating func `the log for a lost program names what the loop has ended`() {
        let motion = EndedMotion(id: MotionID(4), name: "yes", outcome: .leaseLost)
        for (ending, words) in [
            (LeaseEnding(program: ProgramID(1), motion: motion, endedTracking: false), "its motion yes was stopped"),
            (LeaseEnding(program: ProgramID(1), motion: nil, endedTracking: true), "its tracking was stopped"),
            (LeaseEnding(program: ProgramID(1), motion: nil, endedTracking: false), "it moved nothing"),
        ] {
            let effects = session.handle(.loop(.leaseEnded(ending)), now: 10)
            #expect(effects.contains(.log(.warning, "a program lost control: \(words)")))
        }
    }

    @Test mutating func `motions without a program are not ended by any lost lease`() throws {
        let asked = session.handle(.call(.motion(.home), ticket(7, 1)), now: 10)
        let waiting = try #require(ticket(in: asked))
        _ = session.handle(
            .answer(waiting, .success(MotionReceipt("moving", motion: MotionID(1), duration: 1))), now: 10)
        let gone = session.handle(.clientClosed(client: 7), now: 10.2)
        #expect(commands(gone).isEmpty)
    }

    @Test mutating func `a program that stopped an animation may track at once, before the loop reports its end`()
        throws
    {
        var shot = LoopSnapshot()
        shot.isScript = true
        shot.motion = RunningMotion(id: MotionID(1), name: "yes", start: 0, duration: 2)
        _ = session.handle(.snapshot(shot), now: 1)
        let frame = ObservationFrame([])
        let during = session.handle(.call(.track(frame), ticket(1, 1)), now: 1)
        #expect(error(during) == .busy)
        let asked = session.handle(.call(.motion(.stop), ticket(1, 2)), now: 1.1)
        let waiting = try #require(ticket(in: asked))
        _ = session.handle(.answer(waiting, .success(MotionReceipt("stopped"))), now: 1.1)
        let after = session.handle(.call(.track(frame), ticket(1, 3)), now: 1.2)
        #expect(error(after) == nil)
    }

    @Test mutating func `an observation enters mode custom only after system tracking was switched off`() {
        let frame = ObservationFrame([Observation(identifier: 1, rect: Rect(x: 0.4, y: 0.4, width: 0.1, height: 0.1))])
        func modes(_ effects: [SessionEffect]) -> [MotionCommand] { commands(effects) }
        var asked = ticket(1, 1)
        let first = session.handle(.call(.track(frame), asked), now: 1)
        asked.program = ProgramID(1)
        #expect(modes(first).isEmpty && first.contains(.ask(.observe(frame), asked)))
        let off = session.handle(.call(.setSystemTracking(false), ticket(1, 2)), now: 1.1)
        #expect(modes(off) == [.setMode(.manual)])
        let second = session.handle(.call(.track(frame), ticket(1, 3)), now: 1.2)
        #expect(modes(second) == [.setMode(.custom)])
        let third = session.handle(.call(.track(frame), ticket(1, 4)), now: 1.3)
        #expect(modes(third).isEmpty, "once")
        for cause in [Command.motion(.stop), .motion(.setMode(.manual))] {
            _ = session.handle(.call(.setSystemTracking(false), ticket(1, 5)), now: 2)
            _ = session.handle(.call(cause, ticket(1, 6)), now: 2.1)
            let after = session.handle(.call(.track(frame), ticket(1, 7)), now: 2.2)
            #expect(modes(after).isEmpty, "\(cause) has revoked that")
        }
        _ = session.handle(.call(.setSystemTracking(false), ticket(1, 8)), now: 5)
        _ = session.handle(.input(.key(.left, modifiers: [], phase: .press)), now: 5.1)
        let taken = session.handle(.call(.track(frame), ticket(1, 9)), now: 5.2)
        #expect(error(taken) == .busy && modes(taken).isEmpty, "a person took over the dock")
    }

    @Test mutating func `more than sixty observations a second are too many`() {
        let frame = ObservationFrame([])
        var refused = 0
        for tick in 0..<240 {
            let effects = session.handle(.call(.track(frame), ticket(1, tick)), now: Double(tick) / 120)
            if error(effects) != nil { refused += 1 }
        }
        #expect((105...125).contains(refused))
        refused = 0
        for tick in 0..<120 {
            let effects = session.handle(.call(.track(frame), ticket(1, tick)), now: 10 + Double(tick) / 60)
            if error(effects) != nil { refused += 1 }
        }
        #expect(refused == 0)
    }

    @Test mutating func `only the topics that a client listens to are published`() {
        var shot = LoopSnapshot()
        shot.dock = .ready
        let silent = session.handle(.snapshot(shot), now: 1)
        #expect(!silent.contains { if case .publish = $0 { true } else { false } })
        _ = session.handle(.audience([.motion, .accessory]), now: 1.1)
        shot.mode = .manual
        let effects = session.handle(.snapshot(shot), now: 1.2)
        let topics = effects.compactMap { effect -> Topic? in
            if case .publish(let topic) = effect { topic } else { nil }
        }
        #expect(Set(topics) == [.motion, .accessory])
        shot.pose = .zero
        let again = session.handle(.snapshot(shot), now: 1.3)
        #expect(
            again.filter { if case .publish(.accessory) = $0 { true } else { false } }.isEmpty,
            "nothing new in this topic")
    }

    @Test mutating func `the tracking button switches system tracking off and on again`() {
        _ = session.handle(.audience([.events]), now: 0)
        var shot = LoopSnapshot()
        shot.mode = .system
        _ = session.handle(.snapshot(shot), now: 1)
        let off = session.handle(.loop(.accessory(.trackingButton(pressed: true))), now: 1.1)
        #expect(commands(off) == [.setMode(.manual)] && off.contains(.notice(.trackingButton(enabled: false))))
        let release = session.handle(.loop(.accessory(.trackingButton(pressed: false))), now: 1.2)
        #expect(commands(release).isEmpty)
        shot.mode = .manual
        _ = session.handle(.snapshot(shot), now: 1.3)
        let on = session.handle(.loop(.accessory(.trackingButton(pressed: true))), now: 1.4)
        #expect(commands(on) == [.setMode(.system)])
    }

    @Test mutating func `a low battery makes a tired face, unless a person chose one`() {
        let low = BatteryState(level: 0.15, charge: .notCharging, isLow: true)
        let tired = session.handle(.loop(.battery(low)), now: 1)
        #expect(session.face.mood.expression.name == "sleepy")
        #expect(tired.contains { if case .log(.warning, _) = $0 { true } else { false } })
        let charging = BatteryState(level: 0.2, charge: .charging, isLow: true)
        _ = session.handle(.loop(.battery(charging)), now: 2)
        #expect(session.face.mood.expression.name == "normal")
        _ = session.handle(.call(.face("love"), ticket(1, 1)), now: 3)
        _ = session.handle(.loop(.battery(low)), now: 4)
        #expect(session.face.mood.expression.name == "love")
    }
}
