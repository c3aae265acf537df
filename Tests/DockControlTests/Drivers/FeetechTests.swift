import DockSimulator
import Geometry
import Testing

@testable import DockControl

/// FeeTech's bus: packets byte by byte, and the driver against servos simulated from the manual.
@Suite struct FeetechTests {
    /// Compared byte by byte with FeeTech's SDK or rustypot.
    static let golden:
        [(name: String, id: UInt8, instruction: FeetechProtocol.Instruction, parameters: [UInt8], hex: String)] = [
            ("ping", 1, .ping, [], "FF FF 01 02 01 FB"),
            ("read position", 1, .read, [0x38, 2], "FF FF 01 04 02 38 02 BE"),
            ("read a block", 1, .read, [0x38, 15], "FF FF 01 04 02 38 0F B1"),
            ("torque on", 1, .write, [0x28, 1], "FF FF 01 04 03 28 01 CE"),
            ("goal 2048", 1, .write, [0x2A, 0, 8], "FF FF 01 05 03 2A 00 08 C4"),
            (
                "goal 2048, speed 1000", 1, .write, [0x2A, 0, 8, 0, 0, 0xE8, 3],
                "FF FF 01 09 03 2A 00 08 00 00 E8 03 D5"
            ),
            ("wheel speed -500", 1, .write, [0x2E, 0xF4, 0x81], "FF FF 01 05 03 2E F4 81 53"),
            (
                "sync write", 0xFE, .syncWrite, [0x29, 7, 1, 0x32, 0, 8, 0, 0, 0xE8, 3, 2, 0x32, 0, 4, 0, 0, 0xE8, 3],
                "FF FF FE 14 83 29 07 01 32 00 08 00 00 E8 03 02 32 00 04 00 00 E8 03 F1"
            ),
            ("sync read", 0xFE, .syncRead, [0x38, 8, 1, 2], "FF FF FE 06 82 38 08 01 02 36"),
        ]

    private static func bytes(_ hex: String) -> [UInt8] {
        hex.split(separator: " ").compactMap { UInt8($0, radix: 16) }
    }

    private static func packets(_ bytes: [UInt8]) -> [[UInt8]] {
        var scanner = FrameScanner(capacity: 128), found: [[UInt8]] = []
        for byte in bytes { scanner.push(byte, FeetechProtocol.match) { found.append(Array($0[5..<$0.count - 1])) } }
        return found
    }

    @Test(arguments: golden.indices) func `a packet is what FeeTech's own software writes`(index: Int) {
        let row = Self.golden[index]
        let bytes = FeetechProtocol.frame(row.instruction, to: row.id, row.parameters)
        #expect(bytes == Self.bytes(row.hex), "\(row.name)")
        #expect(Self.packets(bytes) == [row.parameters])
    }

    @Test func `packets are found behind noise, overlong headers and false starts`() {
        let good = Self.bytes("FF FF 01 04 00 00 08 F2")
        for before in ["", "00 37", "FF", "FF FF", "FF FF 01 04 00", "FF FF 05 FF FF", "FF FF 01 63 00"] {
            let found = Self.packets(Self.bytes(before) + good + good)
            #expect(found.last == [0, 8], "\(before)")
        }
    }

    @Test func `filler never completes a frame that was cut off`() {
        for row in Self.golden {
            let frame = Self.bytes(row.hex), filler = FeetechProtocol.filler(behind: frame)
            for cut in 1..<frame.count {
                let line = Array(frame[..<cut]) + [UInt8](repeating: filler, count: FeetechProtocol.longestFrame)
                #expect(Self.packets(line).isEmpty, "\(row.name) cut behind \(cut)")
            }
        }
    }

    @Test func `sign and byte order of both series`() {
        #expect(FeetechProtocol.signed(0x81F4) == -500 && FeetechProtocol.signed(0x01F4) == 500)
        var profile = DriverRows.feetech.profile
        let newer = FeetechProtocol(profile: profile)
        profile.options["scs"] = 1
        let older = FeetechProtocol(profile: profile)
        #expect(newer.bytes(0x0801) == [1, 8] && older.bytes(0x0801) == [8, 1])
        #expect(newer.word([1, 8][...]) == 0x0801 && older.word([1, 8][...]) == 0x0108)
    }

    @Test func `a goal that waited for an answer is not sent after a stop`() throws {
        let profile = DriverRows.feetech.profile
        var device = try SimulatedRigs.device(for: profile, seed: 3, time: 0),
            driver = try DriverTable.make(for: profile)
        driver.begin(now: 0, motionless: false)
        var now = 0.0, isReady = false
        /// The driver's output in the next millisecond, and whether it reaches the device.
        func turn(reaches: Bool = true) -> [UInt8] {
            now += 0.001
            device.advance(to: now)
            var reports: [DockReport] = [], bytes: [UInt8] = []
            device.drainOutput().withUnsafeBytes { driver.receive($0, now: now, into: &reports) }
            isReady = isReady || reports.contains(.ready)
            _ = driver.service(now: now, into: &bytes)
            if reaches { device.receive(bytes, at: now) }
            return bytes
        }
        func isGoal(_ parameters: [UInt8]) -> Bool { parameters.first == 0x2A && parameters.count > 8 }
        while !isReady, now < 3 { _ = turn() }
        for stops in [false, true] {
            // A request is out and its answer is on the way: the goal waits.
            while turn().isEmpty, now < 5 {}
            var bytes: [UInt8] = []
            driver.encode(.velocity(.degrees(pan: 100, tilt: 0)), now: now, into: &bytes)
            #expect(isReady && bytes.isEmpty)
            if stops { driver.encodeStop(into: &bytes) }
            bytes = []
            for _ in 0..<15 { bytes += turn() }
            #expect(Self.packets(bytes).contains(where: isGoal) == !stops, "\(bytes)")
        }
    }

    @Test func `servos left in speed mode are switched to position mode before they move`() {
        let rig = DriverRows.feetech.rig()
        rig.line.dock.electronics.leaveInSpeedMode()
        rig.run(1.5)
        #expect(rig.states.last == .ready && rig.line.dock.electronics.followsPlaces)
        #expect(rig.line.dock.electronics.torqueLimit(.pan) == 0.4, "the profile's 40 %")
    }

    @Test func `the torque of the SCS series is limited at every attach, and no persistent setting is written`() {
        let rig = DriverRows.feetech.rig {
            $0.options["scs"] = 1
            ($0.pan.range, $0.tilt.maxTorque) = (.degrees(-140)...(.degrees(140)), 25)
        }
        rig.run(2)
        #expect(rig.states.last == .ready, "\(rig.states) \(rig.notes)")
        for _ in 0..<2 {
            let servos = rig.line.dock.electronics
            #expect(servos.torqueLimit(.pan) == 0.4 && servos.torqueLimit(.tilt) == 0.25, "the profile's")
            #expect(servos.wear == 0)
            // A power cycle resets the limit; the driver sends it again.
            rig.line.dock.reboot()
            #expect(rig.line.dock.electronics.torqueLimit(.pan) == 1)
            rig.run(3)
            #expect(rig.states.last == .ready, "\(rig.states)")
        }
        rig.give(.orient(.degrees(pan: 40, tilt: 20), duration: 1.5, relative: false))
        rig.run(4)
        let pose = rig.line.dock.pose
        #expect((pose - .degrees(pan: 40, tilt: 20)).magnitude < .degrees(1.2), "\(pose * (180 / .pi)) \(rig.notes)")
        // Servos that are polled one by one are still asked for their torque.
        rig.give(.torque(false))
        rig.run(0.5)
        guard case .success? = rig.answers.last?.answer else {
            Issue.record("torque off: \(rig.answers)")
            return
        }
    }
}
