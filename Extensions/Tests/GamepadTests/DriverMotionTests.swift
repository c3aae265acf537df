import Geometry
import Testing

@testable import Gamepad

/// How a pad turns the head.
@Suite struct DriverMotionTests {
    @Test func `a deflected stick with the held dead-man turns the head, again and again`() {
        var bench = Bench()
        bench.drive()
        bench.wait(1)
        #expect((20...22).contains(bench.velocities.count), "\(bench.velocities.count)")
        #expect(bench.velocities.allSatisfy { abs($0.pan - 0.5) < 1e-9 && $0.tilt == 0 })
        #expect(PadSettings.period * 2 < PadSettings.expiry, "one may be lost")
    }

    @Test func `right is right, and away from the person is up`() {
        var bench = Bench()
        bench.press(.leftShoulder)
        bench.left(0, -1)
        #expect(bench.velocities.last.map { $0.tilt > 0.49 && $0.pan == 0 } ?? false)
        bench.wait(0.1)
        bench.left(-1, 0)
        bench.wait(0.1)
        #expect(bench.velocities.last.map { $0.pan < -0.49 } ?? false)
        var settings = PadSettings()
        settings.invertsTilt = true
        bench = Bench(settings)
        bench.press(.leftShoulder)
        bench.left(0, -1)
        #expect(bench.velocities.last.map { $0.tilt < -0.49 } ?? false)
    }

    @Test func `the speed is a share of the rig's own, and the right stick is slow`() {
        var settings = PadSettings()
        (settings.speed, settings.fineSpeed) = (1, 0.25)
        var bench = Bench(settings, daemon: DaemonView(speed: PanTilt(pan: 2, tilt: 1)))
        bench.press(.leftShoulder)
        bench.right(1)
        #expect(bench.velocities.last.map { abs($0.pan - 0.5) < 1e-9 } ?? false)
        bench.wait(0.1)
        bench.left(1)
        bench.wait(0.1)
        #expect(bench.velocities.last.map { abs($0.pan - 2) < 1e-9 } ?? false, "never more than the greatest")
    }

    @Test func `a stick that returns to the middle ends the motion at once, once`() {
        var bench = Bench()
        bench.drive()
        bench.wait(0.01)
        bench.forget()
        bench.left(0)
        #expect(bench.intents == [.velocity(.zero)])
        bench.wait(1)
        #expect(bench.intents.count == 1 && bench.driver.deadline == nil)
    }

    @Test func `a stick that trembles at the edge of its dead zone does not flood the daemon`() {
        var bench = Bench()
        bench.press(.leftShoulder)
        for step in 0..<100_000 {
            bench.left(step.isMultiple(of: 2) ? 0.5 : 0)
            bench.now += 1e-5
        }
        #expect(bench.velocities.count <= 22 && bench.intents.count <= 44, "\(bench.intents.count) in a second")
    }

    @Test func `the mode is set to manual first, once`() {
        var bench = Bench(daemon: DaemonView(isManual: false))
        bench.press(.leftShoulder)
        #expect(bench.intents.isEmpty, "the button alone takes nothing over")
        bench.left(1)
        #expect(bench.intents.first == .word("mode manual", movesHead: false))
        bench.wait(0.2)
        // A report from before the change of the mode.
        bench.report(DaemonView(isManual: false))
        bench.report(DaemonView(isManual: true))
        bench.wait(0.2)
        #expect(bench.driver.deadMan.isArmed && bench.velocities.count > 5)
    }

    @Test func `buttons act with their words, motions only with the dead-man and sticks at rest`() {
        var bench = Bench()
        bench.tap(.south)
        #expect(bench.words.isEmpty && bench.notes == [.holdDeadMan(.leftShoulder)])
        bench.tap(.rightShoulder)
        #expect(bench.words == ["face next"], "a face is no motion")
        bench.forget()
        bench.press(.leftShoulder)
        for button in [PadButton.south, .west, .up, .leftStick] {
            bench.now += 1
            bench.tap(button)
        }
        #expect(bench.words == ["animate yes", "animate nope", "preset go 1", "home"])
        bench.left(1)
        bench.forget()
        bench.now += 1
        bench.tap(.south)
        #expect(bench.words.isEmpty)
    }

    @Test func `next animation plays them in turn`() {
        var bench = Bench()
        bench.press(.leftShoulder)
        for _ in 0..<3 {
            bench.now += 1
            bench.tap(.north)
        }
        #expect(bench.words == ["animate wakeup", "animate kapow", "animate wakeup"])
    }

    @Test func `presets need mode manual, animations do not`() {
        var bench = Bench(daemon: DaemonView(isManual: false))
        bench.press(.leftShoulder)
        bench.tap(.south)
        bench.now += 1
        bench.tap(.down)
        #expect(bench.words == ["animate yes", "mode manual", "preset go 2"])
    }

    @Test func `Start gives the dock back when it is let go, and the hold is over without a stop`() {
        var bench = Bench()
        bench.drive()
        bench.wait(0.1)
        bench.left(0)
        bench.forget()
        bench.press(.start)
        #expect(bench.intents.isEmpty)
        bench.release(.start)
        #expect(bench.words == ["mode system"] && bench.driver.deadMan.state == .locked)
        bench.report(DaemonView(isManual: false))
        bench.release(.leftShoulder)
        #expect(bench.stops.isEmpty, "a stop would end the tracking that was just begun")
        bench.now += 1
        bench.forget()
        bench.drive()
        #expect(bench.words == ["mode manual"] && bench.velocities.count == 1)
    }

    @Test func `a button that chatters does not flood the daemon`() {
        var bench = Bench()
        for _ in 0..<10_000 {
            bench.tap(.rightShoulder)
            bench.tap(.east)
            bench.now += 1e-4
        }
        #expect(bench.words.count <= 6 && bench.stops.count <= 11, "\(bench.words.count) \(bench.stops.count)")
    }

    @Test func `without a daemon nothing is wanted but a stop`() {
        var bench = Bench(daemon: nil)
        bench.drive()
        bench.tap(.rightShoulder)
        bench.wait(1)
        #expect(bench.velocities.isEmpty && bench.words.isEmpty)
        bench.tap(.east)
        #expect(bench.stops == [.stop(isPersonal: true)])
    }
}
