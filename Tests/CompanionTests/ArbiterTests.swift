import DockControl
import Geometry
import RobotFace
import Testing

@testable import Companion

/// Who may write: stop > keys > words > lease > other programs.
@Suite struct ArbiterTests {
    private let move = Command.motion(.home), mode = Command.motion(.setMode(.manual)), look = Command.select([])

    @Test func `stop, emergency stop and reading are always open to every client`() {
        var arbiter = Arbiter()
        _ = try? arbiter.acquire(1, now: 0)
        arbiter.tookOver(.keys, now: 0)
        for command in [Command.motion(.stop), .motion(.emergencyStop), .status(why: false), .help, .preset(.list)] {
            for asker in [RequestOrigin.keys, .words, .client(1), .client(2)] {
                #expect(arbiter.admit(command, from: asker, now: 0.1) == nil)
            }
        }
    }

    @Test func `one program writes, the others are refused until it releases or falls silent`() {
        var arbiter = Arbiter()
        #expect(arbiter.admit(move, from: .client(2), now: 0) == nil, "no program has the lease")
        let first = try? arbiter.acquire(1, now: 0), again = try? arbiter.acquire(1, now: 0)
        #expect(first == false && again == true, "the second call only renews")
        let answer2 = try? arbiter.acquire(2, now: 0.5)
        #expect(answer2 == nil)
        #expect(arbiter.admit(look, from: .client(2), now: 0.5)?.code == .busy)
        #expect(arbiter.admit(look, from: .words, now: 0.5) == nil, "people take precedence over programs")
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

    @Test func `a person who takes over the dock keeps it until a person sets the mode`() {
        var arbiter = Arbiter()
        _ = try? arbiter.acquire(1, now: 0)
        arbiter.tookOver(.keys, now: 1)
        #expect(arbiter.control == .keys)
        #expect(arbiter.admit(move, from: .client(1), now: 60)?.code == .busy)
        #expect(arbiter.admit(look, from: .client(1), now: 60) == nil, "selecting a subject does not move the dock")
        #expect(arbiter.admit(mode, from: .client(1), now: 2.9)?.code == .busy, "a person acted just now")
        #expect(arbiter.admit(mode, from: .client(1), now: 3.1) == nil)
        #expect(arbiter.admit(move, from: .client(1), now: 3.2) == nil && arbiter.control == .lease)
    }

    @Test(arguments: [RequestOrigin.keys, .words])
    func `a person's stop lasts until a person gives the dock back, however often a program sets the mode`(
        by: RequestOrigin
    ) {
        var arbiter = Arbiter()
        _ = try? arbiter.acquire(1, now: 0)
        _ = arbiter.admit(.motion(.stop), from: by, now: 1)
        #expect(arbiter.stop == .person && arbiter.control == (by == .keys ? .keys : .words))
        for now in stride(from: 1.1, to: 3600, by: 7.3) {
            for client in [1, 2, Arbiter.library] {
                let refused = arbiter.admit(mode, from: .client(client), now: now)
                #expect(refused?.code == .busy)
            }
            let moved = arbiter.admit(move, from: .client(1), now: now)
            #expect(moved?.code == .busy)
        }
        // A program's own stop does not end it, nor does manual motion by a person.
        _ = arbiter.admit(.motion(.stop), from: .client(1), now: 4000)
        _ = arbiter.admit(move, from: .keys, now: 4000)
        arbiter.answered(nil)
        let later = arbiter.admit(mode, from: .client(1), now: 4100)
        let forged = arbiter.admit(.giveBack, from: .client(1), now: 4100)
        #expect(later?.code == .busy && forged?.code == .busy)
        #expect(arbiter.admit(.giveBack, from: by, now: 4101) == nil)
        arbiter.giveBack()
        #expect(arbiter.stop == nil && arbiter.control == .lease)
        let free = arbiter.admit(mode, from: .client(1), now: 4101),
            moves = arbiter.admit(move, from: .client(1), now: 4101)
        #expect(free == nil && moves == nil, "after it is given back, programs continue at once")
    }

    @Test func `a person who sets the mode after their own stop also gives the dock back`() {
        var arbiter = Arbiter()
        _ = arbiter.admit(.motion(.emergencyStop), from: .keys, now: 1)
        let before = arbiter.admit(mode, from: .client(1), now: 9)
        _ = arbiter.admit(.motion(.setMode(.system)), from: .words, now: 10)
        let after = arbiter.admit(mode, from: .client(1), now: 13)
        #expect(before?.code == .busy && after == nil && arbiter.stop == nil)
    }

    @Test func `a program's stop binds the others until it sets the mode, or a person gives the dock back`() {
        var arbiter = Arbiter()
        _ = try? arbiter.acquire(1, now: 0)
        arbiter.renew(3, now: 0)
        _ = arbiter.admit(.motion(.stop), from: .client(2), now: 1)
        #expect(arbiter.stop == .program)
        for client in [1, 3] {
            let set = arbiter.admit(mode, from: .client(client), now: 9),
                moves = arbiter.admit(move, from: .client(client), now: 9)
            #expect(set?.code == .busy && moves?.code == .busy)
        }
        // Another program that also stops does not become the owner of the stop.
        _ = arbiter.admit(.motion(.stop), from: .client(1), now: 10)
        let inherited = arbiter.admit(mode, from: .client(1), now: 10)
        #expect(inherited?.code == .busy)
        arbiter.release(1)
        let own = arbiter.admit(mode, from: .client(2), now: 11), next = arbiter.admit(move, from: .client(3), now: 12)
        #expect(own == nil && next == nil && arbiter.stop == nil)
        _ = arbiter.admit(.motion(.stop), from: .client(2), now: 13)
        arbiter.giveBack()
        let given = arbiter.admit(mode, from: .client(3), now: 14)
        #expect(given == nil)
    }

    @Test func `a program that stopped the dock and left binds the programs connected then, not later ones`() {
        var arbiter = Arbiter()
        for client in 1...3 { arbiter.renew(client, now: 0) }
        _ = arbiter.admit(.motion(.stop), from: .client(2), now: 1)
        _ = arbiter.disconnected(2)
        let there = [1, 3].map { arbiter.admit(mode, from: .client($0), now: 9)?.code }
        arbiter.renew(4, now: 10)
        let comes = arbiter.admit(mode, from: .client(4), now: 10)
        #expect(there == [.busy, .busy] && comes == nil)
        // The new program sets the mode, but that does not free the others.
        let after = arbiter.admit(mode, from: .client(1), now: 11)
        #expect(after?.code == .busy)
    }

    @Test func `no program clears an emergency stop that a person triggered`() {
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
        #expect(crossed?.code == .busy, "the success of an older clear does not release a newer stop")
    }

    @Test func `no program clears what a person pressed at the dock`() {
        var session = SessionState(
            options: .init(hasFace: false, display: .fixed, endsWithInput: false, dryRun: false, seed: 1))
        func clear(by asker: RequestOrigin) -> [SessionEffect] {
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
        // Reported late, after it is over: no program is locked out.
        shot.dock = .ready
        _ = session.handle(.snapshot(shot), now: 3)
        _ = session.handle(.loop(.dock(.faulted(.emergencyStop), nil)), now: 3)
        guard case .motion(.clear, _)? = clear(by: .client(1)).first else {
            Issue.record("a program is locked out")
            return
        }
    }

    @Test func `no program switches on torque that a person switched off in an earlier run`() {
        var arbiter = Arbiter()
        arbiter.releasedBefore()
        let program = arbiter.admit(.motion(.torque(true)), from: .client(1), now: 1)
        let person = arbiter.admit(.motion(.torque(true)), from: .words, now: 2)
        #expect(program?.code == .busy && person == nil)
        _ = arbiter.admit(mode, from: .words, now: 3)
        let later = arbiter.admit(.motion(.torque(true)), from: .client(1), now: 9)
        #expect(later == nil)
    }

    @Test
    func `no program switches on torque that the dock dropped by itself, whatever was refused to a person before`() {
        var session = SessionState(
            options: .init(hasFace: false, display: .fixed, endsWithInput: false, dryRun: false, seed: 1))
        func call(_ command: MotionCommand, by asker: RequestOrigin, _ now: Double) -> SessionEffect? {
            session.handle(.call(.motion(command), Ticket(asker: asker, call: 1)), now: now).first
        }
        var shot = LoopSnapshot()
        shot.dock = .ready
        _ = session.handle(.snapshot(shot), now: 0)
        // A person's command is on its way when the dock lets go, and is then refused.
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

    @Test func `a person's animation is not interrupted, and torque and limits do not change during manual motion`() {
        var arbiter = Arbiter()
        _ = arbiter.admit(.animate("yes"), from: .keys, now: 0)
        let early = arbiter.admit(move, from: .client(1), now: 0.001)
        arbiter.answered(MotionID(5))
        let during = arbiter.admit(move, from: .client(1), now: 0.5)
        arbiter.ended(MotionID(5))
        let after = arbiter.admit(move, from: .client(1), now: 1)
        #expect(
            early?.code == .busy && during?.code == .busy && after == nil, "an animation does not keep the dock forever"
        )
        _ = arbiter.admit(.motion(.torque(false)), from: .words, now: 2)
        for command in [
            Command.motion(.torque(true)), .motion(.setLimits(pan: .own, tilt: .own)), .motion(.setSpeed(1)), move,
        ] {
            let refused = arbiter.admit(command, from: .client(1), now: 9)
            #expect(refused?.code == .busy, "\(command)")
        }
    }

    @Test func `a refused command takes over nothing`() {
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
        #expect(arbiter.control == .keys, "another client took over since")
    }

    @Test(arguments: [[0, 1], [1, 0]]) func `of several refused commands none takes over`(order: [Int]) {
        var arbiter = Arbiter()
        _ = arbiter.admit(move, from: .words, now: 1)
        arbiter.answered(MotionID(1))
        // The mode would give the dock back and the next motion take it again; a motion came before both.
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
