import DockControl
import DockSimulator
import DockTypes
import Geometry
import Testing

@Suite struct MotionScriptTests {
    @Test(arguments: MotionScript.Name.allCases)
    func `a script ends at its goal, at rest, on the real path`(name: MotionScript.Name) {
        for start in [PanTilt.zero, .degrees(pan: 60, tilt: 25), .degrees(pan: -160, tilt: -20)] {
            var rig = VirtualRig(pose: start)
            rig.makeReady()
            let before = rig.dock.pose
            _ = rig.director.apply(.setMode(.system), now: rig.now, pose: rig.pose)
            _ = rig.director.apply(.animate(.named(name)), now: rig.now, pose: rig.pose)
            #expect(rig.director.script != nil)
            var moved = 0.0
            let end = rig.now + (rig.director.script?.duration ?? 0) + 1.2
            rig.run(until: end) { moved = max(moved, ($0.dock.pose - before).magnitude) }
            #expect(rig.director.script == nil)
            #expect(rig.director.mode == .system, "the mode is restored")
            #expect(moved > .degrees(3), "\(name) does not move")
            let goal = name == .wakeup ? PanTilt(pan: before.pan, tilt: 0) : before
            #expect((rig.dock.pose - goal).magnitude < .degrees(0.7), "\(name) from \(start) ends at \(rig.dock.pose)")
            #expect(rig.dock.rate.magnitude < .degrees(2))
        }
    }

    @Test(arguments: MotionScript.Name.allCases)
    func `thirty scripts in a row do not move the head away`(name: MotionScript.Name) {
        var rig = VirtualRig(pose: .degrees(pan: 20, tilt: 0))
        rig.makeReady()
        for _ in 0..<30 {
            _ = rig.director.apply(.animate(.named(name)), now: rig.now, pose: rig.pose)
            rig.run(until: rig.now + (rig.director.script?.duration ?? 0) + 1.2)
            #expect(rig.director.script == nil)
        }
        let drift = (rig.dock.pose - .degrees(pan: 20, tilt: 0)).magnitude.inDegrees
        #expect(drift < 0.3, "\(name): \(drift) degrees")
    }

    @Test(arguments: MotionScript.Name.allCases)
    func `without enough room the amplitude is smaller, never outside`(name: MotionScript.Name) {
        let profile = RigProfile.dlpDock
        let corner = PanTilt(
            pan: profile.pan.softRange.upperBound - 0.01, tilt: profile.tilt.softRange.upperBound - 0.01)
        let run = ScriptRun(MotionScript.named(name), from: corner, profile: profile, start: 0)
        for step in 0...Int(run.duration * 200) {
            let pose = run.target(at: Double(step) / 200).pose
            #expect(profile.pan.softRange.contains(pose.pan) && profile.tilt.softRange.contains(pose.tilt))
        }
        #expect(run.amplitude < 1)
    }

    @Test(arguments: MotionScript.Name.allCases)
    func `a script never asks for more than the motors have`(name: MotionScript.Name) {
        for profile in [RigProfile.dlpDock, LimitTests.cheap] {
            let run = ScriptRun(MotionScript.named(name), from: .zero, profile: profile, start: 0)
            var last = PanTilt.zero
            for step in 0...Int(run.duration * 1000) {
                let rate = run.target(at: Double(step) / 1000).rate
                #expect(rate.magnitude <= profile.pan.maxSpeed)
                #expect((rate - last).magnitude * 1000 <= profile.pan.maxAcceleration * 1.02)
                last = rate
            }
        }
    }

    @Test func `no is nope`() {
        #expect(MotionScript.Name(word: "no") == .nope)
        #expect(MotionScript.Name(word: "perhaps") == nil)
    }
}

@Suite struct MotionDirectorTests {
    @Test func `manual motion is refused while the detector steers, and the error says what to do`() {
        var director = MotionDirector(profile: .dlpDock, mode: .system)
        let answer = director.apply(.velocity(.degrees(pan: 5, tilt: 0), duration: 1), now: 1, pose: .zero)
        guard case .failure(let error) = answer else {
            Issue.record("not refused")
            return
        }
        #expect(error.code == .busy && error.hint == "type `mode manual` first")
    }

    @Test func `a chevron takes over at once, and the mode stays manual`() {
        var director = MotionDirector(profile: .dlpDock, mode: .system)
        _ = director.apply(.chevron(.degrees(pan: 11.5, tilt: 0), duration: 0.25), now: 1, pose: .zero)
        let sample = MotionSample(time: 1, pose: .zero, rate: .zero)
        let step = director.step(now: 1.01, motion: sample, speedShare: 1)
        #expect(step.owner == .manual && step.velocity.pan > 0)
        for tick in 2..<60 { _ = director.step(now: 1 + Double(tick) * 0.02, motion: sample, speedShare: 1) }
        #expect(director.last.velocity == .zero && director.mode == .manual)
    }

    @Test(arguments: [MotionCommand.stop, .emergencyStop])
    func `a stop during an animation cancels the restore`(stop: MotionCommand) {
        var director = MotionDirector(profile: .dlpDock, mode: .system)
        _ = director.apply(.animate(.yes), now: 1, pose: .zero)
        _ = director.apply(stop, now: 1.1, pose: .zero)
        #expect(director.script == nil && director.mode == .manual)
    }

    @Test func `unplugging during an animation leaves the mode manual, without one the mode stays`() {
        var director = MotionDirector(profile: .dlpDock, mode: .system)
        director.halt(.unplugged, toManual: false)
        #expect(director.mode == .system)
        _ = director.apply(.animate(.nope), now: 1, pose: .zero)
        director.halt(.unplugged, toManual: false)
        #expect(director.mode == .manual)
    }

    @Test func `a second animation is refused while one runs`() {
        var director = MotionDirector(profile: .dlpDock, mode: .manual)
        _ = director.apply(.animate(.yes), now: 1, pose: .zero)
        guard case .failure(let error) = director.apply(.animate(.nope), now: 1.1, pose: .zero) else {
            Issue.record("not refused")
            return
        }
        #expect(error.code == .busy)
    }

    @Test func `an orientation outside the limits is refused and nothing moves`() {
        var director = MotionDirector(profile: .dlpDock, mode: .manual)
        let answer = director.apply(
            .orient(.degrees(pan: 200, tilt: 0), duration: 0, relative: false), now: 1, pose: .zero)
        guard case .failure(let error) = answer else {
            Issue.record("not refused")
            return
        }
        #expect(error.code == .limitReached && error.message.contains("200"))
    }

    @Test func `an orientation arrives, relative and absolute, in its time`() {
        var rig = VirtualRig()
        rig.makeReady()
        _ = rig.director.apply(
            .orient(.degrees(pan: 30, tilt: 10), duration: 1.5, relative: false), now: rig.now, pose: rig.pose)
        rig.run(until: rig.now + 2.2)
        #expect((rig.dock.pose - .degrees(pan: 30, tilt: 10)).magnitude < .degrees(0.5))
        _ = rig.director.apply(
            .orient(.degrees(pan: -10, tilt: 0), duration: 0, relative: true), now: rig.now, pose: rig.pose)
        rig.run(until: rig.now + 1.5)
        #expect(abs(rig.dock.pose.pan.inDegrees - 20) < 0.7)
    }

    @Test func `under a speed cap moves and scripts take longer and still arrive`() {
        var rig = VirtualRig()
        rig.director.capSpeed(.degrees(20))
        rig.makeReady()
        _ = rig.director.apply(
            .orient(.degrees(pan: 40, tilt: 10), duration: 0, relative: false), now: rig.now, pose: rig.pose)
        var fastest = 0.0
        rig.run(until: rig.now + 7) { fastest = max(fastest, $0.dock.rate.magnitude) }
        #expect((rig.dock.pose - .degrees(pan: 40, tilt: 10)).magnitude < .degrees(0.6))
        #expect(fastest.inDegrees < 21)
        let before = rig.dock.pose
        _ = rig.director.apply(.animate(.nope), now: rig.now, pose: rig.pose)
        rig.run(until: rig.now + (rig.director.script?.duration ?? 0) + 1.2)
        #expect((rig.dock.pose - before).magnitude < .degrees(0.7))
    }

    @Test func `an empty or outlying region is refused`() {
        var director = MotionDirector(profile: .dlpDock, mode: .system)
        for region in [Rect(x: 0, y: 0, width: 0, height: 1), Rect(x: 0.5, y: 0, width: 0.6, height: 1)] {
            guard case .failure(let error) = director.apply(.setRegion(region), now: 1, pose: nil) else {
                Issue.record("not refused: \(region)")
                continue
            }
            #expect(error.code == .invalidParameter)
        }
        #expect(director.pursuit.framing.region == .full)
    }
}
