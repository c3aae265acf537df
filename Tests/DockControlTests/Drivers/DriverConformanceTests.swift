import DockSimulator
import Geometry
import TestSupport
import Testing

@testable import DockControl

/// What every driver must do with its rig, whatever its protocol: the real loop's core, in virtual time.
@Suite struct DriverConformanceTests {
    @Test func feetech() { conform(DriverRows.feetech) }
    @Test func dynamixel() { conform(DriverRows.dynamixel) }
    @Test func waveshare() { conform(DriverRows.waveshare) }
    @Test func mavlink() { conform(DriverRows.mavlink) }
    @Test func maestro() { conform(DriverRows.maestro) }
    @Test func visca() { conform(DriverRows.visca) }
    @Test func `the driver of the guide`() { conform(DriverRows.line) }

    @Test func `every driver of the table except DLP is tested here`() throws {
        let text = try #require(TemporaryFile.text(of: #filePath))
        for driver in DriverTable.all where driver.name != DlpDriver.name {
            #expect(text.contains("conform(DriverRows.\(driver.name))"), "\(driver.name) has no line")
        }
    }

    private func conform<Electronics: RigElectronics>(_ row: DriverRow<Electronics>) {
        becomesReady(row)
        turns(row)
        arrives(row)
        stands(row)
        standsWhereItIs(row)
        letsGo(row)
        comesBack(row)
        restarts(row)
        survivesNoise(row)
    }

    private func ready<Electronics: RigElectronics>(_ row: DriverRow<Electronics>) -> DeviceRig<
        SimulatedRig<Electronics>
    > {
        let rig = row.rig()
        rig.run(2)
        return rig
    }

    /// The rig has completed the handshake and reported its identity and pose; nothing has moved.
    private func becomesReady<Electronics: RigElectronics>(_ row: DriverRow<Electronics>) {
        let rig = ready(row)
        #expect(rig.states.last == .ready, "\(rig.states) \(rig.notes)")
        #expect(rig.snapshot.device.identity != nil && rig.snapshot.pose != nil)
        #expect(rig.line.dock.maximumSpeedSeen < .degrees(3), "torque came on with a snap")
    }

    /// The rig turns in the right direction at the right speed, inverted or not, and its pose is known.
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
            let most = 3 + row.speedStep
            #expect(
                abs(rate.pan.inDegrees - 30) < most && abs(rate.tilt.inDegrees + 10) < most, "\(rate * (180 / .pi))")
            let known = rig.snapshot.pose ?? .zero
            #expect(
                (known - pose).magnitude < .degrees(3 + 30 * row.poseAge),
                "knows \(known * (180 / .pi)) of \(pose * (180 / .pi))")
        }
    }

    /// A move to a pose ends there without oscillating, also if the rig is 15 or 40 ms slower than its profile says.
    private func arrives<Electronics: RigElectronics>(_ row: DriverRow<Electronics>) {
        for late in [0, 0.015, 0.04] {
            var model = RigModel.good
            model.commandLatency += late
            let rig = row.rig(model: model)
            rig.run(2)
            rig.give(.orient(.degrees(pan: 40, tilt: 20), duration: 1.5, relative: false))
            var farthest = 0.0
            rig.run(4) { farthest = max(farthest, rig.line.dock.pose.pan.inDegrees) }
            let pose = rig.line.dock.pose
            #expect(rig.snapshot.motion == nil, "\(late) \(rig.notes) \(rig.speed)")
            #expect((pose - .degrees(pan: 40, tilt: 20)).magnitude < .degrees(1.2), "\(pose * (180 / .pi))")
            #expect(farthest < 43, "\(row.profile.driver): \(farthest)")
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
            default:
                rig.line.dock.faults.toDock.isDead = true
                guard row.standsByItself else {
                    mendsTheLine(rig)
                    continue
                }
            }
            let struck = rig.now
            var stood: Seconds?
            rig.run(1.5) { if stood == nil, abs(rig.speed) < 0.5 { stood = rig.now - struck } }
            // Deadman time, latency, braking from 60 deg/s, lag.
            #expect((stood ?? 9) < 0.6, "way \(way): \(stood ?? 9) s")
            let place = rig.line.dock.pose
            rig.run(2)
            #expect((rig.line.dock.pose - place).magnitude < .degrees(0.5), "way \(way)")
        }
    }

    /// A rig that falls silent has turned on since its last report: its stop does not throw it back to the last
    /// reported pose.
    private func standsWhereItIs<Electronics: RigElectronics>(_ row: DriverRow<Electronics>) {
        for speed in [20.0, 60] {
            let rig = ready(row)
            rig.give(.velocity(.degrees(pan: speed, tilt: 0), duration: 10))
            rig.run(1)
            rig.line.dock.faults.toHost.isDead = true
            let struck = rig.now
            var stood: Seconds?, farthest = 0.0
            rig.run(3) {
                farthest = max(farthest, rig.line.dock.pose.pan.inDegrees)
                if abs(rig.speed) > 0.5 { stood = nil } else { stood = stood ?? rig.now - struck }
            }
            let name = "\(row.profile.driver) at \(speed)", back = farthest - rig.line.dock.pose.pan.inDegrees
            #expect((stood ?? 9) < 1.3, "\(name): \(stood ?? 9) s")
            // The servos overshoot by 1.5 degrees at any stop from 60 deg/s.
            #expect(back < 2, "\(name): back by \(back)")
        }
    }

    /// A rig that never stops by itself keeps turning while its line is cut. When the line works again, the first thing
    /// that it receives is the stop.
    private func mendsTheLine<Device: SimulatedDevice>(_ rig: DeviceRig<Device>) {
        rig.run(1.3)
        #expect(rig.states.last != .ready, "\(rig.states)")
        rig.line.dock.faults.toDock.isDead = false
        rig.run(0.8)
        #expect(abs(rig.speed) < 0.5)
        rig.run(2)
        #expect(rig.states.last == .ready && abs(rig.speed) < 0.5)
    }

    /// Torque off is answered when it is off. A hand can then turn the head, which stays there when torque is on again.
    private func letsGo<Electronics: RigElectronics>(_ row: DriverRow<Electronics>) {
        let rig = ready(row)
        rig.give(.torque(false))
        rig.run(row.release == .impossible ? 1.5 : 0.5)
        switch (rig.answers.last?.answer, row.release) {
        case (.success?, .free), (.success?, .turnsBack): break
        case (.failure?, .impossible): return holdsOn(rig)
        default:
            Issue.record("torque off: \(rig.answers)")
            return
        }
        rig.line.dock.push(.degrees(pan: 40, tilt: 0), for: 0.5)
        rig.run(1)
        let left = rig.line.dock.pose
        #expect(left.pan > .degrees(10))
        rig.give(.torque(true))
        rig.run(1)
        if row.release == .free {
            #expect((rig.line.dock.pose - left).magnitude < .degrees(1), "it snapped")
        } else {
            #expect(
                (rig.line.dock.pose - (rig.snapshot.pose ?? left)).magnitude < .degrees(1), "the pose is unknown")
        }
        rig.give(.velocity(.degrees(pan: -20, tilt: 0), duration: 5))
        rig.run(1)
        #expect(rig.speed < -15)
    }

    /// The rig cannot let go and has reported that. It is not moved until torque on is requested.
    private func holdsOn<Device: SimulatedDevice>(_ rig: DeviceRig<Device>) {
        rig.give(.velocity(.degrees(pan: -20, tilt: 0), duration: 5))
        rig.run(0.5)
        #expect(abs(rig.speed) < 0.5)
        rig.give(.torque(true))
        rig.give(.velocity(.degrees(pan: -20, tilt: 0), duration: 5))
        rig.run(1)
        #expect(rig.speed < -15)
    }

    /// A rig that is unplugged while it moves, and plugged in again, is stopped, greeted, ready, and still.
    private func comesBack<Electronics: RigElectronics>(_ row: DriverRow<Electronics>) {
        let rig = ready(row)
        rig.give(.velocity(.degrees(pan: 40, tilt: 0), duration: 60))
        rig.run(0.5)
        rig.run(0.002, hungUp: true)
        rig.line.dock.reboot()
        rig.run(3)
        #expect(rig.states.last == .ready && abs(rig.speed) <= max(0.5, row.creep), "\(rig.states) \(rig.speed) deg/s")
    }

    /// A rig that restarts while it turns comes back by itself, and then stands still. Without feedback nothing shows
    /// the restart.
    private func restarts<Electronics: RigElectronics>(_ row: DriverRow<Electronics>) {
        for moment in stride(from: 0.5, to: 0.6, by: 0.013) {
            let rig = ready(row)
            guard rig.abilities.feedback != .modelled else { return }
            rig.give(.velocity(.degrees(pan: 20, tilt: 0), duration: 60))
            rig.run(moment)
            rig.line.dock.reboot()
            rig.run(4)
            #expect(
                rig.states.last == .ready && abs(rig.speed) <= max(0.5, row.creep),
                "restarted after \(moment) s: \(rig.states) \(rig.speed) deg/s")
        }
    }

    /// With 2 % of the bytes wrong in either direction, the rig continues or repeats the handshake, and stops when
    /// commanded.
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
