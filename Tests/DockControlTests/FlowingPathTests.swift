import DockControl
import DockSimulator
import DockTypes
import Geometry
import Testing

@Suite struct FlowingPathTests {
    /// A path of any shape, with rhythm and range from a seed.
    private func script(seed: UInt64, keys: Int = 20) -> MotionScript {
        var state = seed
        func next(_ range: ClosedRange<Double>) -> Double {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return range.lowerBound + (range.upperBound - range.lowerBound) * Double(state >> 11) / 0x1p53
        }
        var time = 0.0
        var rows = [MotionScript.Key(time: 0, pan: 0, tilt: 0)]
        for _ in 1..<keys {
            time += next(0.08...0.6)
            rows.append(MotionScript.Key(time: time, pan: next(-40...40), tilt: next(-15...15)))
        }
        return MotionScript(name: "any", keys: rows, path: .flowing)
    }

    @Test(arguments: UInt64(1)...6)
    func `a flowing script never exceeds its share of the motors`(seed: UInt64) {
        for profile in [RigProfile.dlpDock, LimitTests.cheap] {
            for share in [1, 0.3] {
                let run = ScriptRun(
                    script(seed: seed), from: .zero, profile: profile, speedShare: share, start: 5)
                var last = PanTilt.zero, fastest = 0.0, hardest = 0.0
                for step in 0...Int(run.duration * 1000) + 1 {
                    let rate = run.target(at: 5 + Double(step) / 1000).rate
                    fastest = max(fastest, rate.magnitude / profile.pan.maxSpeed)
                    hardest = max(hardest, (rate - last).magnitude * 1000 / profile.pan.maxAcceleration)
                    last = rate
                }
                #expect(fastest <= share && hardest <= share)
                // Nor is it slower than necessary: something is at its share (or the hand was slow).
                #expect(max(fastest, hardest.squareRoot()) > 0.5 * share)
            }
        }
    }

    @Test(arguments: UInt64(1)...6)
    func `between two keys each axis stays between them, and the pose is the integral of its rates`(seed: UInt64) {
        let keys = script(seed: seed).keys
        let path = FlowingPath(times: keys.map(\.time), poses: keys.map { .degrees(pan: $0.pan, tilt: $0.tilt) })
        for (index, time) in path.times.enumerated().dropFirst() {
            let low = path.poses[index - 1], high = path.poses[index], start = path.times[index - 1]
            var sum = low, isBetween = true
            for step in 1...100 {
                let length = (time - start) / 100, now = start + length * Double(step)
                let pose = path.target(at: now).pose
                for axis in Axis.allCases {
                    let range = min(low[axis], high[axis]) - 1e-9...max(low[axis], high[axis]) + 1e-9
                    isBetween = isBetween && range.contains(pose[axis])
                }
                sum = sum + path.target(at: now - length / 2).rate * length
            }
            #expect(isBetween)
            #expect((sum - high).magnitude < .degrees(0.01))
            #expect((path.target(at: time).pose - high).magnitude < 1e-9, "it passes its keys")
        }
    }

    @Test func `the path is at rest at both ends and before and after them`() {
        let keys = script(seed: 3).keys
        let path = FlowingPath(times: keys.map(\.time), poses: keys.map { .degrees(pan: $0.pan, tilt: $0.tilt) })
        let end = path.times.last ?? 0
        for time in [-1, 0, end, end + 1] { #expect(path.target(at: time).rate == .zero) }
        #expect(path.target(at: end + 1).pose == path.poses.last)
    }

    @Test func `where the keys stand still, so does the path`() {
        let rows: [(Double, Double)] = [(0, 0), (0.5, 10), (1, 10), (1.5, 20), (2, 20)]
        let path = FlowingPath(times: rows.map(\.0), poses: rows.map { .degrees(pan: $0.1, tilt: 0) })
        for step in 0...50 {
            #expect(abs(path.target(at: 0.5 + Double(step) / 100).pose.pan.inDegrees - 10) < 1e-9)
        }
    }

    @Test func `invalid keys produce no invalid numbers`() {
        for times in [[], [0], [0, 0], [0, 0, 0], [0, 1, 1, 2], [0, 1, 0.5]] as [[Double]] {
            let poses = times.indices.map { PanTilt.degrees(pan: Double($0), tilt: 0) }
            let path = FlowingPath(times: times, poses: poses)
            #expect(path.stretch(for: .dlpDock, share: 1).isFinite)
            for time in stride(from: -0.5, to: 2.5, by: 0.25) {
                #expect(path.target(at: time).pose.pan.isFinite && path.target(at: time).rate.pan.isFinite)
            }
        }
    }

    @Test func `a taught motion follows its recorded path, returns, and restores the mode`() {
        let rows: [(Double, Double, Double)] = [
            (0, 0, 0), (0.4, 12, 3), (0.8, 20, 8), (1.2, 8, 10), (1.8, -10, 0), (2.6, 0, 0),
        ]
        let script = MotionScript(
            name: "wave", keys: rows.map { .init(time: $0.0, pan: $0.1, tilt: $0.2) }, path: .flowing)
        var rig = VirtualRig()
        rig.makeReady()
        _ = rig.director.apply(.setMode(.system), now: rig.now, pose: rig.pose)
        _ = rig.director.apply(.animate(script), now: rig.now, pose: rig.pose)
        guard let run = rig.director.script else {
            Issue.record("did not begin")
            return
        }
        #expect(run.duration < 2.7, "the rig is fast enough")
        var furthest = 0.0
        rig.run(until: rig.now + run.duration + 1.2) { rig in
            // The head may follow a little later, so it is compared with the path of the moment before.
            let near = stride(from: 0.0, through: 0.1, by: 0.005).map { late in
                (run.target(at: rig.now - late).pose - rig.dock.pose).magnitude
            }
            furthest = max(furthest, near.min() ?? 0)
        }
        #expect(furthest < .degrees(1), "was \(furthest.inDegrees) degrees off")
        #expect(rig.director.script == nil && rig.director.mode == .system)
        #expect(rig.dock.pose.magnitude < .degrees(0.5))
    }
}
