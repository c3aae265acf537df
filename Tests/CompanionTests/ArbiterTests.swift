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

    @Test func `what the dock let go of by itself no program takes hold of, whatever was refused to a person before`() {
        var session = SessionState(
            options: .init(hasFace: false, display: .fixed, endsWithInput: false, dryRun: false, seed: 1))
        func call(_ command: MotionCommand, by asker: Asker, _ now: Double) -> SessionEffect? {
            session.handle(.call(.motion(command), Ticket(asker: asker, call: 1)), now: now).first
        }
        var shot = LoopSnapshot()
        shot.dock = .ready
        _ = session.handle(.snapshot(shot), now: 0)
        // A person's word is on its way when the dock lets go, and is refused then.
        guard case .motion(_, let ticket?)? = call(.home, by: .words, 1) else {
            Issue.record("a person cannot move the dock")
            return
        }
        _ = session.handle(.loop(.letGo), now: 1.1)
        _ = session.handle(.answer(ticket, .failure(.init(.busy, "the head is free", hint: ""))), now: 1.2)
        guard case .reply(_, .failure(let error))? = call(.torque(true), by: .client(1), 9) else {
            Issue.record("a program switches the motors on")
            return
        }
        #expect(error.code == .busy)
        guard case .motion? = call(.torque(true), by: .words, 10) else {
            Issue.record("a person cannot switch the motors on")
            return
        }
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
        _ = arbiter.admit(move, from: .words, now: 1)
        let takeover = arbiter.takeovers
        arbiter.answered(nil)
        arbiter.takeBack(takeover)
        let free = arbiter.admit(move, from: .client(1), now: 1.1)
        #expect(free == nil)
        _ = arbiter.admit(move, from: .words, now: 2)
        _ = arbiter.admit(.motion(.stop), from: .keys, now: 2.1)
        arbiter.takeBack(takeover + 1)
        #expect(arbiter.control == .keys, "somebody else took it over since")
    }

    @Test(arguments: [[0, 1], [1, 0]]) func `of several that were refused none has taken anything over`(order: [Int]) {
        var arbiter = Arbiter()
        _ = arbiter.admit(move, from: .words, now: 1)
        arbiter.answered(MotionID(1))
        // The mode would give the dock free, and the next motion take it again; a stop came before both.
        let before = arbiter.takeovers
        _ = arbiter.admit(mode, from: .words, now: 2)
        _ = arbiter.admit(move, from: .words, now: 2)
        arbiter.answered(nil)
        for number in order { arbiter.takeBack(before + 1 + number) }
        #expect(arbiter.admit(.motion(.torque(false)), from: .client(2), now: 5)?.code == .busy)
        arbiter.ended(MotionID(1))
        #expect(arbiter.control == .words)
    }

    @Test func `words wait while keys turn the dock`() {
        var arbiter = Arbiter()
        arbiter.tookOver(.keys, now: 1)
        #expect(arbiter.admit(move, from: .words, now: 1.5)?.code == .busy)
        #expect(arbiter.admit(move, from: .words, now: 1.8) == nil)
        #expect(arbiter.admit(move, from: .keys, now: 1.2) == nil)
    }
}
