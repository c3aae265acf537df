import DockSimulator
import Geometry
import Testing

@testable import DockControl

/// What every driver must do with its rig, whatever its protocol is: the real loop's core, in virtual time.
@Suite struct DriverConformanceTests {
    @Test func feetech() { conform(DriverRows.feetech) }
    @Test func dynamixel() { conform(DriverRows.dynamixel) }
    @Test func waveshare() { conform(DriverRows.waveshare) }
    @Test func mavlink() { conform(DriverRows.mavlink) }

    private func conform<Electronics: RigElectronics>(_ row: DriverRow<Electronics>) {
        becomesReady(row)
        turns(row)
        stands(row)
        letsGo(row)
        comesBack(row)
        survivesNoise(row)
    }

    private func ready<Electronics: RigElectronics>(_ row: DriverRow<Electronics>) -> DeviceRig<
        SimulatedRig<Electronics>
    > {
        let rig = row.rig()
        rig.run(2)
        return rig
    }

    /// Greeted, told who it is, where it is; nothing has moved.
    private func becomesReady<Electronics: RigElectronics>(_ row: DriverRow<Electronics>) {
        let rig = ready(row)
        #expect(rig.states.last == .ready, "\(rig.states) \(rig.notes)")
        #expect(rig.snapshot.identity != nil && rig.snapshot.pose != nil)
        #expect(rig.line.dock.maximumSpeedSeen < .degrees(3), "torque came on with a snap")
    }

    /// The right way, at the right speed, either sense, and it knows where it is.
    private func turns<Electronics: RigElectronics>(_ row: DriverRow<Electronics>) {
        for isInverted in [false, true] {
            let rig = row.rig {
                $0.pan.invert = isInverted
                $0.tilt.invert = isInverted
            }
            rig.run(2)
            rig.give(.velocity(.degrees(pan: 30, tilt: -10), duration: 10))
            rig.run(1)
            let sense = isInverted ? -1.0 : 1, rate = rig.line.dock.rate * sense, pose = rig.line.dock.pose * sense
            #expect(
                abs(rate.pan.inDegrees - 30) < 3 && abs(rate.tilt.inDegrees + 10) < 3,
                "\(rate.pan.inDegrees) \(rate.tilt.inDegrees)")
            let known = rig.snapshot.pose ?? .zero
            #expect((known - pose).magnitude < .degrees(3), "knows \(known) of \(pose)")
        }
    }

    /// A stop, an emergency stop, and a line that is cut.
    private func stands<Electronics: RigElectronics>(_ row: DriverRow<Electronics>) {
        for way in 0..<3 {
            let rig = ready(row)
            rig.give(.velocity(.degrees(pan: 60, tilt: 0), duration: 10))
            rig.run(1)
            #expect(rig.speed > 50)
            switch way {
            case 0: rig.give(.stop)
            case 1: rig.give(.emergencyStop)
            default: rig.line.dock.faults.toDock.isDead = true
            }
            let struck = rig.now
            var stood: Seconds?
            rig.run(1.5) { if stood == nil, abs(rig.speed) < 0.5 { stood = rig.now - struck } }
            // Deadman, latency, braking from 60 deg/s, lag.
            #expect((stood ?? 9) < 0.6, "way \(way): \(stood ?? 9) s")
            let place = rig.line.dock.pose
            rig.run(2)
            #expect((rig.line.dock.pose - place).magnitude < .degrees(0.5), "way \(way)")
        }
    }

    /// Torque off is told when it is so; a hand turns the head then; on, it stays where the hand has left it.
    private func letsGo<Electronics: RigElectronics>(_ row: DriverRow<Electronics>) {
        let rig = ready(row)
        rig.give(.torque(false))
        guard row.canLetGo else { return holds(rig) }
        rig.run(0.5)
        guard case .success? = rig.answers.last?.answer else {
            Issue.record("torque off was not confirmed: \(rig.answers)")
            return
        }
        rig.line.dock.push(.degrees(pan: 40, tilt: 0), for: 0.5)
        rig.run(1)
        let left = rig.line.dock.pose
        #expect(left.pan > .degrees(10))
        rig.give(.torque(true))
        rig.run(1)
        #expect((rig.line.dock.pose - left).magnitude < .degrees(1), "it snapped")
        rig.give(.velocity(.degrees(pan: -20, tilt: 0), duration: 5))
        rig.run(1)
        #expect(rig.speed < -15)
    }

    /// One that cannot let go is not said to have done so; it is not moved, until it shall be again.
    private func holds<Electronics: RigElectronics>(_ rig: DeviceRig<SimulatedRig<Electronics>>) {
        rig.run(1.5)
        guard case .failure(let error)? = rig.answers.last?.answer, error.code == .timeout else {
            Issue.record("torque off was confirmed: \(rig.answers)")
            return
        }
        rig.give(.velocity(.degrees(pan: -20, tilt: 0), duration: 5))
        rig.run(1)
        #expect(rig.speed == 0)
        rig.give(.torque(true))
        rig.run(1)
        rig.give(.velocity(.degrees(pan: -20, tilt: 0), duration: 5))
        rig.run(1)
        #expect(rig.speed < -15, "\(rig.speed) \(rig.states) \(rig.notes)")
    }

    /// Unplugged while it moves, and back: stopped, greeted, ready, and still.
    private func comesBack<Electronics: RigElectronics>(_ row: DriverRow<Electronics>) {
        let rig = ready(row)
        rig.give(.velocity(.degrees(pan: 40, tilt: 0), duration: 60))
        rig.run(0.5)
        rig.run(0.002, hungUp: true)
        rig.line.dock.reboot()
        rig.run(3)
        #expect(rig.states.last == .ready && abs(rig.speed) <= row.creep, "\(rig.speed) \(rig.states)")
    }

    /// One byte in fifty wrong, either way: it goes on, or is greeted anew, and stops when it is told.
    private func survivesNoise<Electronics: RigElectronics>(_ row: DriverRow<Electronics>) {
        let rig = ready(row)
        rig.line.dock.faults = .line(LineFaults(drop: 0.01, insert: 0.01, flip: 0.02))
        rig.give(.velocity(.degrees(pan: 20, tilt: 0), duration: 60))
        rig.run(3)
        rig.give(.stop)
        rig.run(1.5)
        #expect(abs(rig.speed) < 0.5)
        rig.line.dock.faults = .line(LineFaults())
        rig.run(3)
        #expect(rig.states.last == .ready, "\(rig.states.suffix(4))")
    }
}
