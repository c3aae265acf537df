import DockSimulator
import DockTypes
import Geometry
import Testing

@testable import DockControl

/// The lower speed while something is near.
@Suite struct NearLimitTests {
    @Test func `while something is near every motion is slower, and only for a short time`() {
        func fastest(_ commands: [(at: Seconds, MotionCommand)]) -> [Double] {
            var rig = VirtualRig(mode: .manual, pose: .zero)
            rig.makeReady()
            let start = rig.now
            _ = rig.director.apply(.velocity(.degrees(pan: 100, tilt: 0), duration: 6), now: start, pose: rig.pose)
            var speeds: [Double] = []
            for (index, command) in commands.enumerated() {
                rig.run(until: start + command.at)
                let answer = rig.director.apply(command.1, now: rig.now, pose: rig.pose)
                guard case .success = answer else { return [] }
                let end = index + 1 < commands.count ? start + commands[index + 1].at : start + command.at + 0.6
                var most = 0.0
                rig.run(until: start + command.at + 0.4)
                rig.run(until: end) { most = max(most, $0.dock.rate.magnitude) }
                speeds.append(most)
            }
            return speeds
        }
        let top = RigProfile.dlpDock.pan.maxSpeed
        let slow = fastest([(0.3, .slow(0.3, for: 1.5))])
        #expect(slow.count == 1 && (slow.first ?? 1) < 0.32 * top, "\(slow)")
        var limit = NearLimit()
        #expect(limit.share(at: 0) == 1)
        for (share, duration) in [(0.05, 1.0), (1.5, 1), (-1, 1), (.nan, 1), (0.3, 0), (0.3, 2.5), (0.3, .nan)] {
            #expect(!limit.set(share, for: duration, now: 0) && limit.share(at: 0) == 1, "\(share) for \(duration) s")
        }
        #expect(limit.set(0.3, for: 1.5, now: 10) && limit.share(at: 11.4) == 0.3 && limit.share(at: 11.5) == 1)
    }

    @Test func `a planned motion that was slowed does not catch up with its path`() {
        var rig = VirtualRig(mode: .manual, pose: .zero)
        rig.makeReady()
        let start = rig.now, goal = PanTilt.degrees(pan: 80, tilt: 0)
        _ = rig.director.apply(.orient(goal, duration: 4, relative: false), now: start, pose: rig.pose)
        rig.run(until: start + 1)
        _ = rig.director.apply(.slow(0.1, for: 1), now: rig.now, pose: rig.pose)
        // It was planned with at most 80 * 1.875 / 4 = 37.5 degrees per second.
        var most = 0.0
        rig.run(until: start + 1.4)
        rig.run(until: start + 12) { most = max(most, $0.dock.rate.magnitude) }
        #expect(most < 0.15 * RigProfile.dlpDock.pan.maxSpeed, "\(most.inDegrees)")
    }

    @Test func `only motions that began before its end stay slow`() {
        var limit = NearLimit()
        let isSet = limit.set(0.3, for: 1.5, now: 10)
        #expect(isSet)
        #expect(limit.share(at: 20, plannedSince: 11) == 0.3 && limit.share(at: 20, plannedSince: 12) == 1)
    }

    @Test func `a trace keeps the order to be slow`() {
        let command = MotionCommand.slow(0.3, for: 1.5), parts = command.parts
        let name = TraceNames.commands[Int(command.code)]
        #expect(MotionCommand(name: name, values: parts.values, text: parts.text) == command)
    }
}
