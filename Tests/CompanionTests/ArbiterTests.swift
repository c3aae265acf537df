import DockControl
import Geometry
import RobotFace
import Testing

@testable import Companion

/// Who may write: stop > keys > words > lease > other programs.
@Suite struct ArbiterTests {
    private let move = Command.motion(.home), mode = Command.motion(.setMode(.manual)), look = Command.select([])

    @Test func `stop, emergency stop and reading are for everybody, always`() {
        var arbiter = Arbiter()
        _ = try? arbiter.acquire(1, now: 0)
        arbiter.tookOver(.keys, now: 0)
        for command in [Command.motion(.stop), .motion(.emergencyStop), .status(why: false), .help, .preset(.list)] {
            for asker in [Asker.keys, .words, .client(1), .client(2)] {
                #expect(arbiter.admit(command, from: asker, now: 0.1) == nil)
            }
        }
    }

    @Test func `one program writes, the others are refused until it releases or falls silent`() {
        var arbiter = Arbiter()
        #expect(arbiter.admit(move, from: .client(2), now: 0) == nil, "nobody has the lease")
        let first = try? arbiter.acquire(1, now: 0), again = try? arbiter.acquire(1, now: 0)
        #expect(first == false && again == true, "the second only renews")
        let answer2 = try? arbiter.acquire(2, now: 0.5)
        #expect(answer2 == nil)
        #expect(arbiter.admit(look, from: .client(2), now: 0.5)?.code == .busy)
        #expect(arbiter.admit(look, from: .words, now: 0.5) == nil, "people come before programs")
        let answer3 = arbiter.expire(now: 1.9)
        #expect(answer3 == nil)
        arbiter.renew(1, now: 1.9)
        arbiter.renew(2, now: 3.8)
        let answer4 = arbiter.expire(now: 3.89)
        #expect(answer4 == nil)
        let answer5 = arbiter.expire(now: 3.9)
        #expect(answer5?.client == 1)
        #expect(arbiter.admit(look, from: .client(2), now: 4) == nil)
    }

    @Test func `a person who takes the dock over keeps it until somebody sets the mode`() {
        var arbiter = Arbiter()
        _ = try? arbiter.acquire(1, now: 0)
        arbiter.tookOver(.keys, now: 1)
        #expect(arbiter.control == .keys)
        #expect(arbiter.admit(move, from: .client(1), now: 60)?.code == .busy)
        #expect(arbiter.admit(look, from: .client(1), now: 60) == nil, "selecting moves nobody's dock")
        #expect(arbiter.admit(mode, from: .client(1), now: 2.9)?.code == .busy, "a hand was there just now")
        #expect(arbiter.admit(mode, from: .client(1), now: 3.1) == nil)
        #expect(arbiter.admit(move, from: .client(1), now: 3.2) == nil && arbiter.control == .lease)
    }

    @Test func `a person's stop keeps the dock from the program that streams, and so does a program's from the others`()
    {
        var arbiter = Arbiter()
        _ = try? arbiter.acquire(1, now: 0)
        _ = arbiter.admit(.motion(.stop), from: .words, now: 1)
        #expect(arbiter.control == .words)
        let afterWords = arbiter.admit(move, from: .client(1), now: 1.1)
        let modeAtOnce = arbiter.admit(mode, from: .client(1), now: 1.1)
        let modeLater = arbiter.admit(mode, from: .client(1), now: 3.2)
        let freed = arbiter.admit(move, from: .client(1), now: 3.3)
        #expect(afterWords?.code == .busy && modeAtOnce?.code == .busy && modeLater == nil && freed == nil)
        _ = arbiter.admit(.motion(.stop), from: .client(2), now: 4)
        let others = arbiter.admit(move, from: .client(1), now: 4.1)
        let set = arbiter.admit(mode, from: .client(1), now: 4.2),
            again = arbiter.admit(move, from: .client(1), now: 4.3)
        #expect(others?.code == .busy && set == nil && again == nil)
    }

    @Test func `no program releases the emergency stop that a person pulled`() {
        var arbiter = Arbiter()
        _ = arbiter.admit(.motion(.emergencyStop), from: .client(1), now: 0)
        arbiter.emergencyStopped()
        arbiter.latchedByDock()
        let own = arbiter.admit(.motion(.clear), from: .client(2), now: 0.1)
        _ = arbiter.admit(.motion(.emergencyStop), from: .keys, now: 1)
        arbiter.cleared()
        let crossed = arbiter.admit(.motion(.clear), from: .client(2), now: 1.1)
        arbiter.emergencyStopped()
        let late = arbiter.admit(.motion(.clear), from: .client(2), now: 100)
        let person = arbiter.admit(.motion(.clear), from: .words, now: 101)
        arbiter.cleared()
        let next = arbiter.admit(.motion(.clear), from: .client(2), now: 102)
        #expect(own == nil && late?.code == .busy && person == nil && next == nil)
        #expect(crossed?.code == .busy, "an older clear that succeeds does not release what was pulled since")
    }

    @Test func `no program releases what a person pressed at the dock`() {
        var session = SessionState(
            options: .init(hasFace: false, display: .fixed, endsWithInput: false, dryRun: false, seed: 1))
        func clear(by asker: Asker) -> [SessionEffect] {
            session.handle(.call(.motion(.clear), Ticket(asker: asker, call: 1)), now: 2)
        }
        var shot = LoopSnapshot()
        shot.dock = .faulted(.emergencyStop)
        _ = session.handle(.snapshot(shot), now: 1)
        _ = session.handle(.loop(.dock(shot.dock, nil)), now: 1)
        guard case .reply(_, .failure(let error))? = clear(by: .client(1)).first else {
            Issue.record("a program clears what a person pressed")
            return
        }
        #expect(error.code == .busy)
        guard case .motion(.clear, let ticket?)? = clear(by: .words).first else {
            Issue.record("a person cannot clear")
            return
        }
        _ = session.handle(.answer(ticket, .success(.init("cleared, mode manual"))), now: 3)
        // Told late, when it is over: nobody is locked out.
        shot.dock = .ready
        _ = session.handle(.snapshot(shot), now: 3)
        _ = session.handle(.loop(.dock(.faulted(.emergencyStop), nil)), now: 3)
        guard case .motion(.clear, _)? = clear(by: .client(1)).first else {
            Issue.record("a program is locked out")
            return
        }
    }

    @Test func `what a person let go of in an earlier run no program takes hold of`() {
        var arbiter = Arbiter()
        arbiter.releasedBefore()
        let program = arbiter.admit(.motion(.torque(true)), from: .client(1), now: 1)
        let person = arbiter.admit(.motion(.torque(true)), from: .words, now: 2)
        #expect(program?.code == .busy && person == nil)
        _ = arbiter.admit(mode, from: .words, now: 3)
        let later = arbiter.admit(.motion(.torque(true)), from: .client(1), now: 9)
        #expect(later == nil)
    }

    @Test func `a person's animation is not thrown out, torque and limits are not changed under a hand`() {
        var arbiter = Arbiter()
        _ = arbiter.admit(.animate("yes"), from: .keys, now: 0)
        let early = arbiter.admit(move, from: .client(1), now: 0.001)
        arbiter.answered(MotionID(5))
        let during = arbiter.admit(move, from: .client(1), now: 0.5)
        arbiter.ended(MotionID(5))
        let after = arbiter.admit(move, from: .client(1), now: 1)
        #expect(
            early?.code == .busy && during?.code == .busy && after == nil, "an animation takes nobody's dock for good")
        _ = arbiter.admit(.motion(.torque(false)), from: .words, now: 2)
        for command in [
            Command.motion(.torque(true)), .motion(.setLimits(pan: .own, tilt: .own)), .motion(.setSpeed(1)), move,
        ] {
            let refused = arbiter.admit(command, from: .client(1), now: 9)
            #expect(refused?.code == .busy, "\(command)")
        }
    }

    @Test func `what was refused took nothing over`() {
        var arbiter = Arbiter()
        let before = arbiter.holder
        _ = arbiter.admit(move, from: .words, now: 1)
        let takeover = arbiter.takeovers
        arbiter.answered(nil)
        arbiter.takeBack(takeover, to: before)
        let free = arbiter.admit(move, from: .client(1), now: 1.1)
        #expect(free == nil)
        _ = arbiter.admit(move, from: .words, now: 2)
        _ = arbiter.admit(.motion(.stop), from: .keys, now: 2.1)
        arbiter.takeBack(takeover + 1, to: before)
        #expect(arbiter.control == .keys, "somebody else took it over since")
    }

    @Test func `words wait while keys turn the dock`() {
        var arbiter = Arbiter()
        arbiter.tookOver(.keys, now: 1)
        #expect(arbiter.admit(move, from: .words, now: 1.5)?.code == .busy)
        #expect(arbiter.admit(move, from: .words, now: 1.8) == nil)
        #expect(arbiter.admit(move, from: .keys, now: 1.2) == nil)
    }
}

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

    @Test(arguments: [DockError.Code.timeout, .notConnected])
    mutating func `who lets go of the motors keeps the dock, also where it does not confirm that`(
        code: DockError.Code
    ) throws {
        let asked = session.handle(.line("torque off", nil), now: 10)
        #expect(commands(asked) == [.torque(false)])
        let waiting = try #require(ticket(in: asked))
        let told = session.handle(.answer(waiting, .failure(DockError(code, "it", hint: "do"))), now: 11)
        #expect(told.contains(.answer("error it: do")))
        let program = session.handle(.call(.motion(.torque(true)), ticket(7, 1)), now: 14)
        // Only what was refused took nothing over.
        #expect(error(program) == (code == .timeout ? .busy : nil))
    }

    @Test mutating func `a program that falls silent or goes loses the lease, and what it moved stops`() throws {
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
            let kept = session.handle(.heard(client: 7), now: 11.5)
            #expect(commands(kept).isEmpty)
            let lost = dies ? session.handle(.gone(client: 7), now: 11.6) : session.handle(.tick, now: 13.6)
            #expect(commands(lost) == [.cancel(MotionID(3), .leaseLost)])
            let free = session.handle(.call(.acquireControl, ticket(8, 3)), now: 14)
            #expect(error(free) == nil)
        }
    }

    @Test mutating func `a motion that begins after its lease was lost ends at once`() throws {
        _ = session.handle(.call(.acquireControl, ticket(7, 1)), now: 10)
        let asked = session.handle(.call(.animate("yes"), ticket(7, 2)), now: 10)
        let waiting = try #require(ticket(in: asked))
        _ = session.handle(.gone(client: 7), now: 10.01)
        let late = session.handle(
            .answer(waiting, .success(MotionReceipt("animate yes", motion: MotionID(4), duration: 1))), now: 10.02)
        #expect(commands(late) == [.cancel(MotionID(4), .leaseLost)])
    }

    @Test mutating func `motions without a lease are nobody's to end`() throws {
        let asked = session.handle(.call(.motion(.home), ticket(7, 1)), now: 10)
        let waiting = try #require(ticket(in: asked))
        _ = session.handle(
            .answer(waiting, .success(MotionReceipt("moving", motion: MotionID(1), duration: 1))), now: 10)
        let gone = session.handle(.gone(client: 7), now: 10.2)
        #expect(commands(gone).isEmpty)
    }

    @Test mutating func `whoever has stopped an animation observes at once, before the loop has told that it is over`()
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
        let first = session.handle(.call(.track(frame), ticket(1, 1)), now: 1)
        #expect(modes(first).isEmpty && first.contains(.ask(.observe(frame), Ticket(asker: .client(1), call: 1))))
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
            #expect(modes(after).isEmpty, "\(cause) has taken that back")
        }
        _ = session.handle(.call(.setSystemTracking(false), ticket(1, 8)), now: 5)
        _ = session.handle(.input(.key(.left, modifiers: [], phase: .press)), now: 5.1)
        let taken = session.handle(.call(.track(frame), ticket(1, 9)), now: 5.2)
        #expect(error(taken) == .busy && modes(taken).isEmpty, "a hand took the dock over")
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

    @Test mutating func `nobody listens: nothing is published; somebody does: only that`() {
        var shot = LoopSnapshot()
        shot.dock = .ready
        let silent = session.handle(.snapshot(shot), now: 1)
        #expect(!silent.contains { if case .publish = $0 { true } else { false } })
        _ = session.handle(.audience([.motion, .accessory]), now: 1.1)
        shot.mode = .manual
        let told = session.handle(.snapshot(shot), now: 1.2)
        let topics = told.compactMap { effect -> Topic? in
            if case .publish(let topic) = effect { topic } else { nil }
        }
        #expect(Set(topics) == [.motion, .accessory])
        shot.pose = .zero
        let again = session.handle(.snapshot(shot), now: 1.3)
        #expect(
            again.filter { if case .publish(.accessory) = $0 { true } else { false } }.isEmpty, "nothing new of it")
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
        #expect(session.mood.expression.name == "sleepy")
        #expect(tired.contains { if case .log(.warning, _) = $0 { true } else { false } })
        let charging = BatteryState(level: 0.2, charge: .charging, isLow: true)
        _ = session.handle(.loop(.battery(charging)), now: 2)
        #expect(session.mood.expression.name == "normal")
        _ = session.handle(.call(.face(Expression(named: "love") ?? .normal), ticket(1, 1)), now: 3)
        _ = session.handle(.loop(.battery(low)), now: 4)
        #expect(session.mood.expression.name == "love")
    }
}
