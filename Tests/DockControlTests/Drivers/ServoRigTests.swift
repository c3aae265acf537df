import DockSimulator
import Geometry
import TestSupport
import Testing

@testable import DockControl

/// Rigs of bus servos as people plug them in: new, half connected, at another speed, or set up for another rig. Each
/// becomes ready, or one note says what to do.
@Suite struct ServoRigTests {
    @Test(arguments: feetechRigs.indices) func `a FeeTech rig is ready, or one note says what to do`(index: Int) {
        let rig = attach(feetechRigs[index], DriverRows.feetech)
        // The mode is the only setting that is written so that it is kept.
        #expect(rig.line.dock.electronics.wear == (feetechRigs[index].name == "speed mode" ? 2 : 0))
    }

    @Test(arguments: dynamixelRigs.indices) func `a Dynamixel rig is ready, or one note says what to do`(index: Int) {
        _ = attach(dynamixelRigs[index], DriverRows.dynamixel)
    }

    private func attach<Servos: BusServos>(
        _ row: ServoRigRow<Servos>, _ driver: DriverRow<Servos>
    ) -> DeviceRig<SimulatedRig<Servos>> {
        let rig = driver.rig()
        row.prepare(&rig.line.dock)
        rig.run(5)
        #expect((rig.states.last == .ready) == row.isReady, "\(row.name): \(rig.states) \(rig.notes)")
        let notes = rig.notes.filter { $0.contains("servo") }
        #expect(notes.count == (row.note == nil ? 0 : 1), "\(row.name): \(notes)")
        if let note = row.note { #expect(notes.first?.contains(note) == true, "\(row.name): \(notes)") }
        #expect(rig.snapshot.device.findings.count == notes.count, "\(row.name): \(rig.snapshot.device.findings)")
        #expect(rig.line.dock.maximumSpeedSeen < .degrees(2), "\(row.name): nothing moves")
        return rig
    }

    @Test func `a line that is too slow for smooth motion is named, with a speed that is not`() throws {
        var profile = DriverRows.feetech.profile
        #expect(profile.slowLine == nil)
        profile.serial.baud = 38_400
        #expect(profile.slowLine == nil)
        profile.serial.baud = 19_200
        #expect(try #require(profile.slowLine).contains("at least 115200 baud"))
        // New Dynamixel servos have this speed.
        profile = DriverRows.dynamixel.profile
        profile.serial.baud = 57_600
        #expect(try #require(profile.slowLine).contains("at least 115200 baud"))
        #expect(RigProfile.dlpDock.slowLine == nil)
    }

    @Test func `a servo that is plugged in later makes the rig ready`() {
        let rig = DriverRows.feetech.rig()
        rig.line.dock.faults.unplugged = [.tilt]
        rig.run(5)
        #expect(rig.states.last != .ready)
        rig.line.dock.faults.unplugged = []
        #expect(rig.snapshot.device.findings.count == 1)
        rig.run(2)
        #expect(
            rig.states.last == .ready && rig.snapshot.device.findings.isEmpty,
            "\(rig.states) \(rig.snapshot.device.findings)")
    }

    @Test func `the other series of FeeTech is recognised, and not moved`() {
        let profile = DriverRows.feetech.profile
        let rig = DeviceRig(
            device: SimulatedRig<FeetechServos>(options: ["scs": 1], seed: 3, time: 100),
            driver: FeetechDriver(profile: profile), profile: profile)
        rig.run(5)
        #expect(rig.states.last != .ready)
        #expect(rig.notes.filter { $0.contains("servo 1 has the byte order of the SCS series") }.count == 1)
    }

    @Test func `a dry run reports what it would refuse, and writes nothing`() throws {
        let profile = DriverRows.dynamixel.profile
        var device = SimulatedRig<DynamixelServos>(options: profile.options, seed: 3, time: 0)
        device.electronics.store([4], at: 10, on: .pan)
        device.electronics.store([1], at: 68, on: .tilt)
        var writes: [[UInt8]] = []
        let reports = try talk(&device, profile, motionless: true) { bytes in
            if bytes.count > 7, [0x03, 0x83].contains(bytes[7]) { writes.append(bytes) }
            return true
        }
        #expect(reports.contains(.ready) && writes.isEmpty, "\(writes)")
        let refusals = reports.filter { if case .refused = $0 { true } else { false } }
        let advice = reports.filter { if case .advice = $0 { true } else { false } }
        #expect(refusals.count == 1 && advice.count == 1, "\(refusals) \(advice)")
        #expect(device.electronics.powered.isEmpty && device.electronics.stored(at: 10, on: .pan) == 4)
    }

    @Test func `a servo that does not report its settings is used without them`() throws {
        let profile = DriverRows.feetech.profile
        var device = SimulatedRig<FeetechServos>(options: profile.options, seed: 3, time: 0), isAsked = 0
        // The question reads 32 bytes from address 2.
        let reports = try talk(&device, profile, motionless: false) { bytes in
            let isQuestion = bytes.count == 8 && Array(bytes[4...6]) == [2, 2, 32]
            if isQuestion { isAsked += 1 }
            return !isQuestion
        }
        #expect(reports.contains(.ready) && isAsked == 3 * ServoSetup.memoryTries, "\(isAsked)")
    }

    /// The driver's reports in three seconds with a device. `passes`: whether the driver's bytes reach it.
    private func talk<Servos: BusServos>(
        _ device: inout SimulatedRig<Servos>, _ profile: RigProfile, motionless: Bool,
        passes: ([UInt8]) -> Bool = { _ in true }
    ) throws -> [DockReport] {
        var driver = try DriverTable.make(for: profile), reports: [DockReport] = []
        driver.begin(now: 0, motionless: motionless)
        for turn in 1...3000 {
            let now = Double(turn) / 1000
            var bytes: [UInt8] = []
            device.advance(to: now)
            device.drainOutput().withUnsafeBytes { driver.receive($0, now: now, into: &reports) }
            _ = driver.service(now: now, into: &bytes)
            if !bytes.isEmpty, passes(bytes) { device.receive(bytes, at: now) }
        }
        return reports
    }
}
