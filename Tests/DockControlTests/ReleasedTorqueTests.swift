import DockControl
import DockSimulator
import DockTypes
import Geometry
import Testing

/// Torque that was switched off stays off over handshakes, other docks and restarts.
@Suite struct ReleasedTorqueTests {
    @Test(arguments: [false, true]) func `a dock that has not been identified keeps its torque`(isKnown: Bool) {
        var profile = RigProfile.dlpDock
        profile.safety.onExit = .relax
        profile.safety.onEmergencyStop = .relax
        let rig = CoreRig(profile: profile)
        rig.run(1)
        if !isKnown {
            // It may be another dock that came back, and it is silent so far.
            rig.line.dock.faults.isMute = true
            rig.run(0.4, hungUp: true)
        }
        #expect(rig.states.last == (isKnown ? .ready : .greeting))
        rig.give(.emergencyStop)
        rig.run(0.002)
        rig.end()
        // Bytes that have arrived are executed; the dock was on before.
        rig.line.dock.advance(to: rig.now + 0.1)
        rig.line.dock.push(.degrees(pan: 20, tilt: 0), for: 0.3)
        rig.line.dock.advance(to: rig.now + 0.5)
        #expect((abs(rig.line.dock.pose.pan) > .degrees(2)) == isKnown, "a hand can turn a dock without torque")
    }

    /// An emergency stop that relaxes, before the dock is identified: the dock lets go as soon as it is.

    @Test func `a dock that was unknown when a person pulled the emergency stop lets go once it is known`() {
        var profile = RigProfile.dlpDock
        profile.safety.onEmergencyStop = .relax
        let rig = CoreRig(profile: profile)
        rig.run(1)
        rig.line.dock.faults.isMute = true
        rig.run(0.4, hungUp: true)
        rig.give(.emergencyStop)
        rig.run(0.05)
        rig.line.dock.faults.isMute = false
        rig.run(2)
        rig.line.dock.push(.degrees(pan: 20, tilt: 0), for: 0.3)
        rig.run(0.4)
        #expect(rig.line.dock.pose.pan > .degrees(2) && rig.states.last == .faulted(.emergencyStop))
    }

    @Test func `motors that were released in an earlier run stay free until torque on is requested`() {
        let rig = CoreRig(released: true)
        rig.run(2)
        #expect(rig.snapshot.safety.isReleased && !rig.snapshot.torque && rig.states.last == .ready)
        rig.line.dock.push(.degrees(pan: 20, tilt: 0), for: 0.3)
        rig.run(0.4)
        #expect(rig.line.dock.pose.pan > .degrees(2))
        rig.give(.torque(true))
        rig.run(0.5)
        rig.give(.turn)
        rig.run(0.7)
        #expect(rig.speed > 20 && !rig.snapshot.safety.isReleased)
    }
}
