import DockSimulator
import Geometry
import Testing

@testable import DockControl

/// Pololu's Maestro: commands byte by byte, and the driver against a Maestro simulated from the User's Guide.
@Suite struct MaestroTests {
    private static let plain = MaestroProtocol(hasCRC: false, device: 12)
    private static let checked = MaestroProtocol(hasCRC: true, device: 12)
    /// Compared with a run of Pololu's own Arduino library; the last is from the guide, section 5.d.
    static let golden: [(name: String, bytes: [UInt8], hex: String)] = [
        ("1500 us", plain.setTarget(0, 6000), "84 00 70 2E"),
        ("1500 us, checked", checked.setTarget(0, 6000), "84 00 70 2E 2B"),
        ("position, checked", checked.getPosition(0), "90 00 65"),
        ("errors, checked", checked.getErrors, "A1 1B"),
        ("speed 140, checked", checked.setSpeed(5, 140), "87 05 0C 01 59"),
        ("acceleration 8, checked", checked.setAcceleration(5, 8), "89 05 08 00 73"),
        ("errors of device 12", plain.getErrorsOfDevice, "AA 0C 21"),
    ]

    private static func bytes(_ hex: String) -> [UInt8] {
        hex.split(separator: " ").compactMap { UInt8($0, radix: 16) }
    }

    @Test(arguments: golden.indices) func `a command is what Pololu's own software writes`(index: Int) {
        let row = Self.golden[index]
        #expect(row.bytes == Self.bytes(row.hex), "\(row.name)")
    }

    @Test func `the checksum of the guide's examples, and of a command to a device`() {
        #expect(MaestroProtocol.crc([0x83, 0x01]) == 0x17)
        #expect(MaestroProtocol.crc(Self.bytes("AA 0C 04 00 70 2E")) == 0x22)
        #expect(MaestroProtocol.crc(Self.bytes("9F 02 00 70 2E 08 27")) == 0x4B)
    }

    @Test func `angles convert to pulses and back, limits to the guide's units`() {
        var profile = DriverRows.maestro.profile
        profile.options = ["pan_us_per_degree": 11, "pan_center_us": 1520, "tilt_channel": 3]
        profile.tilt.invert = true
        let pan = MaestroChannel(.pan, number: 0, profile: profile)
        let tilt = MaestroChannel(.tilt, number: 1, profile: profile)
        #expect(pan.pulse(.degrees(10)) == 6520 && tilt.pulse(.degrees(10)) == 5600 && tilt.number == 3)
        #expect(abs(pan.angle(6520).inDegrees - 10) < 1e-9 && abs(tilt.angle(5600).inDegrees - 10) < 1e-9)
        // 120 deg/s is 1320 us/s or 52.8 units of 25; 600 deg/s² is 6600 us/s² or 21.12 of 312.5.
        #expect(pan.speed == 53 && pan.acceleration == 22)
        #expect(pan.pulse(.infinity) == 6080 && pan.pulse(1e9) == 16320 && pan.pulse(-1e9) == 256)
    }

    @Test func `nothing turns before the first motion, which has its limits set, and the possible snap is reported`() {
        let rig = DriverRows.maestro.rig()
        rig.run(3)
        #expect(rig.states.last == .ready && rig.line.dock.electronics.pulse(.pan) == 0)
        #expect(rig.line.dock.maximumSpeedSeen == 0)
        #expect(rig.notes.contains { $0.contains("no pulses reach pan and tilt") }, "\(rig.notes)")
        #expect(!rig.snapshot.device.poses.isMeasured)
        rig.give(.velocity(.degrees(pan: 30, tilt: 0), duration: 5))
        rig.run(1)
        // 120 deg/s is 48 units, 600 deg/s² is 19.2.
        #expect(rig.line.dock.electronics.speedLimit(.pan) == 48)
        #expect(rig.line.dock.electronics.accelerationLimit(.pan) == 20)
        rig.give(.stop)
        rig.run(1)
        #expect(rig.line.dock.electronics.speedLimit(.pan) == 1, "a stopped axis shall stay where it is")
    }

    @Test func `pulses left by another program keep their positions`() {
        let rig = DriverRows.maestro.rig()
        rig.line.dock.electronics.leavePulses(pan: 1500, tilt: 1600)
        rig.run(1)
        let place = rig.line.dock.pose
        rig.run(2)
        #expect(rig.states.last == .ready && rig.line.dock.electronics.snaps == 0)
        #expect(abs(rig.line.dock.electronics.pulse(.tilt) - 1600) < 0.3)
        #expect((rig.line.dock.pose - place).magnitude < .degrees(0.1))
        #expect(((rig.snapshot.pose ?? .zero) - PanTilt.degrees(pan: 0, tilt: 10)).magnitude < .degrees(0.2))
    }

    @Test func `a Maestro in a UART mode is not a dock, and nothing moves`() {
        let rig = DriverRows.maestro.rig()
        rig.line.dock.electronics.isInUARTMode = true
        rig.run(5)
        #expect(rig.states.last == .detached(.noAnswer))
        rig.line.dock.electronics.isInUARTMode = false
        rig.run(2)
        #expect(rig.states.last == .ready)
    }

    @Test func `a Maestro with CRC enabled turns with checksums, and is not ready without them`() {
        for wants in [true, false] {
            let rig = DriverRows.maestro.rig { $0.options["crc"] = wants ? 1 : 0 }
            rig.line.dock.electronics.wantsCRC = true
            rig.run(2)
            #expect((rig.states.last == .ready) == wants)
            rig.give(.velocity(.degrees(pan: 30, tilt: 0), duration: 5))
            rig.run(1)
            #expect((rig.speed > 27) == wants, "\(rig.speed)")
        }
    }

    @Test func `the guard's bytes alone stop it, whatever was cut off before them`() {
        // Two bytes of Mini SSC are not listed: no command of ours begins like that, and a third byte would be a
        // target.
        for before in ["", "84", "84 00", "84 00 70", "87 00", "FF", "AA", "AA 0C", "AA 0C 04 00 70"] {
            let rig = DriverRows.maestro.rig()
            rig.line.dock.electronics.onError = .ignore
            rig.run(2)
            rig.give(.velocity(.degrees(pan: 60, tilt: 0), duration: 10))
            rig.run(0.7)
            var driver = MaestroDriver(profile: DriverRows.maestro.profile), stop: [UInt8] = []
            driver.encodeStop(into: &stop)
            #expect(stop.count <= 256)
            // The daemon is gone. The device receives only these bytes, and its target is far away (2300 us).
            var dock = rig.line.dock
            dock.receive([0x84, 0x00, 0x70, 0x47], at: dock.time)
            dock.advance(to: dock.time + 0.2)
            #expect(dock.rate.pan > .degrees(50))
            dock.receive(Self.bytes(before) + stop, at: dock.time)
            dock.advance(to: dock.time + 0.5)
            #expect(abs(dock.rate.pan.inDegrees) < 4, "behind \(before): \(dock.rate.pan.inDegrees)")
            dock.advance(to: dock.time + 1)
            #expect(abs(dock.rate.pan.inDegrees) < 2.6, "behind \(before): \(dock.rate.pan.inDegrees)")
        }
    }

    @Test func `pulses that an error has switched off cause another handshake, so the head is not assumed to hold`() {
        let rig = DriverRows.maestro.rig()
        rig.run(2)
        rig.give(.velocity(.degrees(pan: 20, tilt: 0), duration: 1))
        rig.run(2)
        #expect(rig.line.dock.electronics.pulse(.pan) > 0)
        rig.line.dock.receive([0x01, 0x02], at: rig.now)
        rig.run(1)
        #expect(rig.states.contains(.greeting) && rig.states.last == .ready, "\(rig.states)")
        #expect(abs(rig.speed) < 0.5 && rig.line.dock.electronics.pulse(.pan) == 0)
        #expect(rig.notes.contains { $0.contains("no more pulses") }, "\(rig.notes)")
    }

    @Test func `an error during a motion costs a pulse or two, and is reported`() {
        let rig = DriverRows.maestro.rig()
        rig.run(2)
        rig.give(.velocity(.degrees(pan: 20, tilt: 0), duration: 60))
        rig.run(0.5)
        rig.line.dock.receive([0x01, 0x02], at: rig.now)
        rig.run(1.5)
        #expect(rig.speed > 17 && rig.line.dock.electronics.snaps == 0 && rig.line.dock.maximumSpeedSeen < .degrees(60))
        #expect(rig.notes.contains { $0.contains("error: protocol") }, "\(rig.notes)")
    }

    @Test func `a Maestro that ignores errors reports them and keeps turning`() {
        let rig = DriverRows.maestro.rig()
        rig.line.dock.electronics.onError = .ignore
        rig.run(2)
        rig.give(.velocity(.degrees(pan: 20, tilt: 0), duration: 60))
        rig.run(0.5)
        rig.line.dock.receive([0x01, 0x02], at: rig.now)
        rig.run(1.5)
        #expect(rig.speed > 17)
        #expect(rig.notes.contains { $0.contains("error: protocol") }, "\(rig.notes)")
    }

    @Test func `an axis that an error sends to its configured position is brought back and held`() {
        let rig = DriverRows.maestro.rig()
        rig.line.dock.electronics.onError = .goTo(1700)
        rig.run(2)
        rig.give(.velocity(.degrees(pan: 20, tilt: 0), duration: 1))
        rig.run(2)
        let place = rig.line.dock.pose
        rig.line.dock.receive([0x01], at: rig.now)
        rig.run(2)
        #expect(
            (rig.line.dock.pose - place).magnitude < .degrees(1), "\((rig.line.dock.pose - place).magnitude.inDegrees)")
    }

    @Test func `late, short or mixed-up answers never report an impossible pose`() {
        let rig = DriverRows.maestro.rig()
        rig.run(2)
        rig.give(.velocity(.degrees(pan: 10, tilt: 0), duration: 60))
        rig.run(0.5)
        rig.line.dock.faults.toHost = LineFaults(drop: 0.05, insert: 0.05, flip: 0.02, delay: 0.03)
        var worst = 0.0
        rig.run(4) {
            if let sample = rig.snapshot.device.poses.sample, rig.now - sample.time < 0.1, rig.states.last == .ready {
                worst = max(worst, (sample.pose - rig.line.dock.pose(at: sample.time)).magnitude.inDegrees)
            }
        }
        #expect(worst < 5, "\(worst)")
    }

    @Test func `after any packets the driver still works and hears a Maestro`() {
        var random = SeededRandom(seed: 7)
        var driver = MaestroDriver(profile: DriverRows.maestro.profile)
        var now: Seconds = 100, reports: [DockReport] = [], out: [UInt8] = []
        driver.begin(now: now, motionless: false)
        for _ in 0..<20_000 {
            now += 0.005
            _ = driver.service(now: now, into: &out)
            let noise = (0..<10).map { _ in UInt8(truncatingIfNeeded: random.next()) }
            noise.withUnsafeBytes { driver.receive($0, now: now, into: &reports) }
            driver.encode(.velocity(.degrees(pan: 10, tilt: 5)), now: now, into: &out)
            reports.removeAll(keepingCapacity: true)
            out.removeAll(keepingCapacity: true)
        }
        driver.begin(now: now, motionless: false)
        for _ in 0..<200 {
            now += 0.01
            out = []
            _ = driver.service(now: now, into: &out)
            let answer: [UInt8] = out.contains(0x90) ? [0x70, 0x17, 0x70, 0x17] : out.contains(0xA1) ? [0, 0] : []
            answer.withUnsafeBytes { driver.receive($0, now: now, into: &reports) }
        }
        #expect(reports.contains(.ready))
    }

    @Test func `the lag of a ramp and of a step does not depend on the update rate`() {
        var fine = FirstOrderLag(lag: 0.1), coarse = FirstOrderLag(lag: 0.1)
        fine.update(0, now: 0)
        coarse.update(0, now: 0)
        for step in 1...1000 { fine.update(Double(step) * 0.001, now: Double(step) * 0.001) }
        for step in 1...10 { coarse.update(Double(step) * 0.1, now: Double(step) * 0.1) }
        // 1 rad/s for ten time constants: a tenth behind, and as fast.
        #expect(abs((fine.pose ?? 0) - 0.9) < 1e-4 && abs(fine.rate - 1) < 1e-3 && abs(fine.inputRate - 1) < 1e-9)
        #expect(abs((fine.pose ?? 0) - (coarse.pose ?? 1)) < 1e-9)
        coarse.update(1, now: 1.1)
        // The difference decays by a factor of e in one time constant.
        #expect(abs(1 - (coarse.pose ?? 0) - 0.1 * 0.367_88) < 1e-4)
        coarse.update(5, now: 1.1)
        #expect(coarse.pose.map { $0 < 1 } ?? false, "no time has passed")
    }

    @Test func `one wild reading is rejected, two are accepted`() {
        var gate = ReadingGate(fastest: 10, slack: 1)
        let readings: [(value: Double, isBelieved: Bool)] = [
            (0, false), (0.5, true), (50, false), (1, true), (50, false), (51, true), (.nan, false), (52, true),
        ]
        for (index, reading) in readings.enumerated() {
            let isBelieved = gate.admit(reading.value, now: Seconds(index) * 0.1)
            #expect(isBelieved == reading.isBelieved, "\(index)")
        }
    }
}
