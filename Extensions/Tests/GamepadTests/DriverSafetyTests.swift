import Geometry
import Testing

@testable import Gamepad

/// What ends the motion, and what must happen before it begins again.
@Suite struct DriverSafetyTests {
    private static func driving() -> Bench {
        var bench = Bench()
        bench.drive()
        bench.wait(0.3)
        bench.forget()
        return bench
    }

    /// Whether the head moves again: not while the hold goes on, not with a deflected stick, then yes.
    private static func mustBeginAgain(_ bench: inout Bench) -> Bool {
        bench.forget()
        bench.wait(1)
        bench.left(0)
        bench.left(1)
        bench.wait(1)
        guard bench.velocities.isEmpty else { return false }
        bench.release(.leftShoulder)
        bench.press(.leftShoulder)
        bench.wait(1)
        guard bench.velocities.isEmpty else { return false }
        bench.left(0)
        bench.left(1)
        return !bench.velocities.isEmpty
    }

    @Test func `without the dead-man nothing moves`() {
        var bench = Bench()
        bench.left(1)
        bench.right(0, 1)
        bench.wait(5)
        #expect(bench.intents.isEmpty && bench.driver.deadline == nil)
    }

    @Test func `a hold begins with the sticks in the middle`() {
        var bench = Bench()
        bench.left(1)
        bench.press(.leftShoulder)
        bench.wait(1)
        #expect(bench.velocities.isEmpty && bench.notes == [.centreSticks])
        bench.left(0.05)
        bench.left(1)
        #expect(bench.velocities.count == 1)
    }

    @Test func `letting the dead-man go stops at once, with one stop, before all else`() {
        var bench = Self.driving()
        bench.set {
            $0.buttons.remove(.leftShoulder)
            $0.buttons.insert(.rightShoulder)
        }
        #expect(bench.intents.first == .stop(isPersonal: false) && bench.stops.count == 1)
        bench.wait(1)
        #expect(bench.velocities.isEmpty && bench.stops.count == 1)
    }

    @Test func `a hold that moved nothing stops nothing`() {
        var bench = Bench()
        bench.tap(.leftShoulder)
        #expect(bench.intents.isEmpty, "tracking goes on")
    }

    @Test func `letting go stops an animation while it lasts, and not later`() {
        var bench = Bench()
        bench.press(.leftShoulder)
        bench.tap(.south)
        bench.driver.wordAnswered(duration: 2, now: bench.now)
        bench.wait(1.9)
        var early = bench
        early.release(.leftShoulder)
        #expect(early.stops == [.stop(isPersonal: false)])
        bench.wait(1)
        bench.release(.leftShoulder)
        #expect(bench.stops.isEmpty)
    }

    @Test func `an animation that was refused needs no stop, and one without an answer does`() {
        var bench = Bench()
        bench.press(.leftShoulder)
        bench.tap(.south)
        var unanswered = bench
        unanswered.wait(10)
        unanswered.release(.leftShoulder)
        #expect(unanswered.stops.count == 1)
        bench.driver.wordAnswered(duration: nil, now: bench.now)
        bench.release(.leftShoulder)
        #expect(bench.stops.isEmpty)
    }

    @Test func `B stops as a person, with and without the dead-man`() {
        var bench = Self.driving()
        bench.press(.east)
        #expect(bench.intents == [.stop(isPersonal: true)])
        #expect(Self.mustBeginAgain(&bench))
        bench = Bench()
        bench.tap(.east)
        #expect(bench.stops == [.stop(isPersonal: true)])
    }

    @Test(arguments: [[PadButton.start, .back], [.back, .start]])
    func `Start and Back together are the emergency stop, in any order, and nothing else`(_ order: [PadButton]) {
        var bench = Self.driving()
        bench.press(order[0])
        #expect(bench.stops.isEmpty)
        bench.press(order[1])
        #expect(bench.stops == [.emergencyStop])
        bench.release(order[1])
        bench.release(order[0])
        #expect(bench.words.isEmpty && bench.stops.count == 1, "Start has no other meaning then")
        bench.wait(0.5)
        bench.report(DaemonView(isFaulted: true))
        #expect(Self.mustBeginAgain(&bench))
    }

    @Test func `a pad that is unplugged stops the head, and a new one begins at the beginning`() {
        var bench = Self.driving()
        bench.unplug()
        #expect(bench.intents == [.stop(isPersonal: false)] && !bench.driver.hasPad && bench.driver.deadline == nil)
        bench.forget()
        // It comes back as it was left: held and deflected.
        bench.plugIn(PadState(left: SIMD2(1, 0), buttons: [.leftShoulder]))
        #expect(Self.mustBeginAgain(&bench))
    }

    @Test func `buttons that are pressed when the pad comes do nothing`() {
        var bench = Bench(hasPad: false)
        bench.plugIn(PadState(buttons: [.south, .east, .start, .back, .leftShoulder]))
        bench.set { $0.left = SIMD2(0.01, 0) }
        #expect(bench.intents.isEmpty)
    }

    @Test func `a pad that says nothing while a stick is deflected is not trusted`() {
        var bench = Self.driving()
        bench.wait(9)
        #expect(bench.stops.isEmpty)
        bench.wait(1)
        #expect(bench.stops == [.stop(isPersonal: false)] && bench.notes == [.silent(10)])
        bench.forget()
        bench.wait(60)
        bench.left(0.9)
        bench.wait(1)
        #expect(bench.intents.isEmpty, "the stick was not in the middle")
        bench.left(0)
        bench.left(1)
        #expect(bench.velocities.count == 1)
    }

    @Test func `a hand that trembles is a sign of life`() {
        var bench = Self.driving()
        for step in 0..<60 {
            bench.wait(1)
            bench.left(step.isMultiple(of: 2) ? 0.999 : 1)
        }
        #expect(bench.stops.isEmpty && bench.velocities.count > 1000)
    }

    @Test func `a lost connection ends the hold`() {
        var bench = Self.driving()
        bench.driver.disconnected()
        bench.wait(1)
        #expect(bench.velocities.isEmpty && bench.driver.deadline == nil)
        bench.report(DaemonView())
        #expect(Self.mustBeginAgain(&bench))
    }

    @Test func `the program's end stops the head`() {
        var bench = Self.driving()
        #expect(bench.driver.finish(now: bench.now) == [.stop(isPersonal: false)])
        #expect(bench.driver.finish(now: bench.now).isEmpty)
    }

    @Test(arguments: ["stopped", "emergencyStopped", "faulted", "unplugged"])
    func `a motion that another user stopped stays stopped`(_ outcome: String) {
        var bench = Self.driving()
        bench.ended(outcome)
        #expect(bench.stops == [.stop(isPersonal: false)], "a velocity may have overtaken the news")
        #expect(Self.mustBeginAgain(&bench))
    }

    @Test func `a stop or a fault that the daemon reports ends the hold`() {
        for view in [DaemonView(stop: true), DaemonView(stop: false), DaemonView(isFaulted: true)] {
            var bench = Self.driving()
            bench.report(view)
            #expect(bench.stops == [.stop(isPersonal: false)])
            #expect(Self.mustBeginAgain(&bench))
        }
    }

    @Test func `a user who takes the dock over is not stopped`() {
        for view in [DaemonView(hasKeys: true), DaemonView(isManual: false)] {
            var bench = Self.driving()
            bench.report(view)
            bench.release(.leftShoulder)
            bench.wait(1)
            #expect(bench.stops.isEmpty && bench.velocities.isEmpty)
        }
        var bench = Self.driving()
        bench.ended("takenOver")
        #expect(bench.stops.isEmpty && Self.mustBeginAgain(&bench))
    }

    @Test func `a refused velocity ends the hold`() {
        var bench = Self.driving()
        bench.refused()
        #expect(bench.notes == [.letGo("no")])
        bench.refused()
        #expect(bench.notes.count == 1 && Self.mustBeginAgain(&bench))
    }

    @Test func `its own stop is not another user's`() {
        var bench = Self.driving()
        bench.release(.leftShoulder)
        bench.left(0)
        bench.press(.leftShoulder)
        bench.left(1)
        bench.wait(0.05)
        bench.ended("stopped")
        bench.report(DaemonView(stop: false))
        #expect(bench.driver.deadMan.isArmed)
    }

    @Test func `a pad without the dead-man cannot move the head`() {
        var bench = Bench(hasPad: false)
        bench.plugIn(buttons: [.south, .east])
        #expect(bench.notes == [.noDeadMan(.leftShoulder)])
    }
}
