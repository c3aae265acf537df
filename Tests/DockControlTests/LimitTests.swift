import DockControl
import DockSimulator
import Geometry
import Testing

@Suite struct LimitTests {
    static let cheap: RigProfile = {
        var profile = RigProfile.dlpDock
        profile.commandLatency = 0.03
        for axis in [\RigProfile.pan, \RigProfile.tilt] {
            profile[keyPath: axis].maxSpeed = .degrees(90)
            profile[keyPath: axis].maxAcceleration = .degrees(300)
            profile[keyPath: axis].lag = 0.08
        }
        return profile
    }()

    @Test(arguments: [(true, 1.0, 0.0), (true, -1, 0), (true, 0, 1), (true, 0, -1), (false, 1, 0), (false, 0, 1)])
    func `at full speed into a limit the overshoot stays inside the soft margin`(
        isGood: Bool, pan: Double, tilt: Double
    ) {
        var rig = VirtualRig(profile: isGood ? .dlpDock : Self.cheap, model: isGood ? .good : .cheap)
        rig.makeReady()
        let speed = isGood ? 120.0 : 90
        var reached = 0.0, lowestPan = 0.0, highestPan = 0.0, lowestTilt = 0.0, highestTilt = 0.0
        for _ in 0..<12 {
            _ = rig.director.apply(
                .chevron(.degrees(pan: pan * speed, tilt: tilt * speed), duration: 0.5), now: rig.now, pose: rig.pose)
            rig.run(until: rig.now + 0.4) { rig in
                reached = max(reached, rig.dock.rate.magnitude)
                lowestPan = min(lowestPan, rig.dock.pose.pan)
                highestPan = max(highestPan, rig.dock.pose.pan)
                lowestTilt = min(lowestTilt, rig.dock.pose.tilt)
                highestTilt = max(highestTilt, rig.dock.pose.tilt)
            }
        }
        #expect(reached.inDegrees > (tilt == 0 ? 0.9 : 0.4) * speed, "never reached full speed")
        #expect(highestPan.inDegrees <= 170 && lowestPan.inDegrees >= -170)
        #expect(highestTilt.inDegrees <= 80 && lowestTilt.inDegrees >= -30)
        // And it gets there: motion must not stop far before the limit.
        if pan != 0 { #expect(max(highestPan, -lowestPan).inDegrees > 164) }
        if tilt > 0 { #expect(highestTilt.inDegrees > 74) }
        if tilt < 0 { #expect(lowestTilt.inDegrees < -24) }
        #expect(rig.dock.rate.magnitude < .degrees(1))
    }

    @Test func `a dock that no longer hears anything stands still within its deadman time`() {
        var rig = VirtualRig()
        rig.makeReady()
        _ = rig.director.apply(.chevron(.degrees(pan: 60, tilt: 0), duration: 9), now: rig.now, pose: rig.pose)
        rig.run(until: rig.now + 1)
        #expect(rig.dock.rate.pan.inDegrees > 55)
        rig.isCut = true  // the daemon is gone, or the cable
        let cut = rig.now
        var stillAt: Seconds?
        rig.run(until: cut + 1) { rig in
            if stillAt == nil, rig.dock.rate.magnitude < .degrees(0.5) { stillAt = rig.now }
        }
        // 250 ms of deadman time, 15 + 4 ms of command latency, and braking from 60 deg/s at 600 deg/s² with 40 ms of
        // lag.
        #expect((stillAt ?? .infinity) - cut < 0.25 + 0.019 + 0.1 + 4 * 0.04)
    }
}
