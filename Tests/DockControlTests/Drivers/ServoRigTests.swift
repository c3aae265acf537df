import DockSimulator
import Geometry
import Testing

@testable import DockControl

/// Rigs of bus servos as people plug them in: new, half connected, at another speed, or set up for another rig. Each
/// becomes ready, or one note says what to do.
@Suite struct ServoRigTests {
    /// A rig, and its end.
    struct Row<Servos: BusServos>: Sendable {
        let name: String
        /// Whether it becomes ready.
        let isReady: Bool
        /// A part of the one note about it; nil: there is none.
        let note: String?
        let prepare: @Sendable (inout SimulatedRig<Servos>) -> Void

        init(
            _ name: String, ready: Bool, note: String? = nil,
            _ prepare: @escaping @Sendable (inout SimulatedRig<Servos>) -> Void
        ) {
            self.name = name
            isReady = ready
            self.note = note
            self.prepare = prepare
        }
    }

    static let feetech: [Row<FeetechServos>] = [
        Row("as the profile says", ready: true) { _ in },
        Row("both are new", ready: false, note: "several servos have this id") { $0.electronics.makeNew() },
        Row("only pan is plugged in", ready: false, note: "servo 1 answers, and servo 2 does not") {
            $0.faults.unplugged = [.tilt]
        },
        Row("only tilt is plugged in", ready: false, note: "servo 2 answers, and servo 1 does not") {
            $0.faults.unplugged = [.pan]
        },
        Row("none is plugged in", ready: false) { $0.faults.unplugged = [.pan, .tilt] },
        Row("tilt has another id", ready: false, note: "its id and speed with `dockface servo scan`") {
            $0.electronics.store([7], at: 5, on: .tilt)
        },
        Row("the line has another speed", ready: false) { $0.lineSpeed = 115_200 },
        Row("tilt has another speed", ready: false, note: "servo 1 answers, and servo 2 does not") {
            $0.lineSpeed = 1_000_000
            $0.electronics.store([4], at: 6, on: .tilt)
        },
        Row("limits of another arm", ready: true, note: "servo 1 turns only from position 1000 to 3000") {
            $0.electronics.store([0xE8, 3, 0xB8, 0x0B], at: 9, on: .pan)
        },
        Row("no answers to writes", ready: false, note: "servo 2 does not answer writes (status level 0)") {
            $0.electronics.store([0], at: 8, on: .tilt)
        },
        Row("an offset", ready: true) { $0.electronics.store([0x2C, 0x09], at: 31, on: .pan) },
        Row("speed mode", ready: true) { $0.electronics.leaveInSpeedMode() },
        Row("another unit of speed", ready: true, note: "set speed_unit_steps = 50") {
            $0.electronics.store([8], at: 18, on: .pan)
        },
    ]

    static let dynamixel: [Row<DynamixelServos>] = [
        Row("as the profile says", ready: true) { _ in },
        Row("both are new", ready: false, note: "several servos have this id") { $0.electronics.makeNew() },
        Row("only pan is plugged in", ready: false, note: "servo 1 answers, and servo 2 does not") {
            $0.faults.unplugged = [.tilt]
        },
        Row("the line has another speed", ready: false) { $0.lineSpeed = 1_000_000 },
        Row("limits of another arm", ready: true, note: "servo 2 turns only from position 1900 to 2200") {
            $0.electronics.store([0x98, 0x08, 0, 0, 0x6C, 0x07, 0, 0], at: 48, on: .tilt)
        },
        Row("a time-based profile", ready: false, note: "refused to be moved: servo 1 has a time-based profile") {
            $0.electronics.store([4], at: 10, on: .pan)
        },
        Row("torque with every goal", ready: true, note: "servo 1 switches its torque on with every goal") {
            $0.electronics.store([8], at: 10, on: .pan)
        },
        Row("no answers to writes", ready: true, note: "it answers them until its supply is interrupted") {
            $0.electronics.store([1], at: 68, on: .pan)
        },
        Row("answers to pings only", ready: false, note: "servo 2 answers, and servo 1 does not") {
            $0.electronics.store([0], at: 68, on: .pan)
        },
        Row("reversed", ready: true) { $0.electronics.store([1], at: 10, on: .pan) },
        Row("speed mode", ready: true) { $0.electronics.leaveInSpeedMode() },
    ]

    @Test(arguments: feetech.indices) func `a FeeTech rig is ready, or one note says what to do`(index: Int) {
        let rig = attach(Self.feetech[index], DriverRows.feetech)
        // The mode is the only setting that is written so that it is kept.
        #expect(rig.line.dock.electronics.wear == (Self.feetech[index].name == "speed mode" ? 2 : 0))
    }

    @Test(arguments: dynamixel.indices) func `a Dynamixel rig is ready, or one note says what to do`(index: Int) {
        _ = attach(Self.dynamixel[index], DriverRows.dynamixel)
    }

    private func attach<Servos: BusServos>(
        _ row: Row<Servos>, _ driver: DriverRow<Servos>
    ) -> DeviceRig<SimulatedRig<Servos>> {
        let rig = driver.rig()
        row.prepare(&rig.line.dock)
        rig.run(5)
        #expect((rig.states.last == .ready) == row.isReady, "\(row.name): \(rig.states) \(rig.notes)")
        let notes = rig.notes.filter { $0.contains("servo") }
        #expect(notes.count == (row.note == nil ? 0 : 1), "\(row.name): \(notes)")
        if let note = row.note { #expect(notes.first?.contains(note) == true, "\(row.name): \(notes)") }
        #expect(rig.snapshot.findings.count == notes.count, "\(row.name): \(rig.snapshot.findings)")
        #expect(rig.line.dock.maximumSpeedSeen < .degrees(2), "\(row.name): nothing moves")
        return rig
    }

    @Test(arguments: [(19_200, 1), (38_400, 0), (1_000_000, 0)])
    func `a line that is too slow for smooth motion is named, with a speed that is not`(baud: Int, findings: Int) {
        var profile = DriverRows.feetech.profile
        profile.serial.baud = baud
        let rig = DeviceRig(
            device: SimulatedRig<FeetechServos>(options: profile.options, seed: 3, time: 100),
            driver: FeetechDriver(profile: profile), profile: profile)
        rig.run(5)
        #expect(rig.states.last == .ready && rig.snapshot.findings.count == findings, "\(rig.snapshot.findings)")
        for finding in rig.snapshot.findings {
            #expect(finding.contains("\(baud) baud") && finding.contains("at least 115200 baud"), "\(finding)")
            #expect(rig.notes.filter { $0 == finding }.count == 1)
        }
    }

    @Test func `a servo that is plugged in later makes the rig ready`() {
        let rig = DriverRows.feetech.rig()
        rig.line.dock.faults.unplugged = [.tilt]
        rig.run(5)
        #expect(rig.states.last != .ready)
        rig.line.dock.faults.unplugged = []
        #expect(rig.snapshot.findings.count == 1)
        rig.run(2)
        #expect(rig.states.last == .ready && rig.snapshot.findings.isEmpty, "\(rig.states) \(rig.snapshot.findings)")
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
        #expect(reports.contains(.ready) && isAsked == 2 * ServoSetup.memoryTries, "\(isAsked)")
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
