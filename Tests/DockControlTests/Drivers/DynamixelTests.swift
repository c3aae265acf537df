import DockSimulator
import Geometry
import Testing

@testable import DockControl

/// Dynamixel Protocol 2.0: packets byte by byte, and the driver against servos simulated from the e-Manual.
@Suite struct DynamixelTests {
    /// Compared byte by byte with the Dynamixel SDK or rustypot.
    static let golden:
        [(name: String, id: UInt8, instruction: DynamixelProtocol.Instruction, parameters: [UInt8], hex: String)] = [
            ("ping", 1, .ping, [], "FF FF FD 00 01 03 00 01 19 4E"),
            ("read position", 1, .read, [0x84, 0, 4, 0], "FF FF FD 00 01 07 00 02 84 00 04 00 1D 15"),
            ("torque on", 1, .write, [0x40, 0, 1], "FF FF FD 00 01 06 00 03 40 00 01 DB 66"),
            ("goal 2048", 1, .write, [0x74, 0, 0, 8, 0, 0], "FF FF FD 00 01 09 00 03 74 00 00 08 00 00 42 89"),
            (
                "goal velocity -100", 1, .write, [0x68, 0, 0x9C, 0xFF, 0xFF, 0xFF],
                "FF FF FD 00 01 09 00 03 68 00 9C FF FF FF C4 95"
            ),
            ("watchdog 100 ms", 1, .write, [0x62, 0, 5], "FF FF FD 00 01 06 00 03 62 00 05 68 E4"),
            (
                "sync write", 0xFE, .syncWrite,
                [0x68, 0, 4, 0, 1, 0x64, 0, 0, 0, 2, 0xCE, 0xFF, 0xFF, 0xFF],
                "FF FF FD 00 FE 11 00 83 68 00 04 00 01 64 00 00 00 02 CE FF FF FF 42 49"
            ),
            (
                "sync read", 0xFE, .syncRead, [0x7E, 0, 0x15, 0, 1, 2],
                "FF FF FD 00 FE 09 00 82 7E 00 15 00 01 02 3E 1E"
            ),
            (
                "a header inside", 1, .write, [0x74, 0, 0xFF, 0xFF, 0xFD, 0],
                "FF FF FD 00 01 0A 00 03 74 00 FF FF FD FD 00 21 E7"
            ),
            ("reboot", 1, .reboot, [], "FF FF FD 00 01 03 00 08 2F 4E"),
        ]
    /// Answers of servos: id, error, parameters.
    static let answers: [(hex: String, packet: ServoPacket)] = [
        (
            "FF FF FD 00 01 08 00 55 00 00 08 00 00 1C 38",
            ServoPacket(id: 1, errors: 0, parameters: [0, 8, 0, 0])
        ),
        ("FF FF FD 00 01 07 00 55 00 B0 04 34 B2 D4", ServoPacket(id: 1, errors: 0, parameters: [0xB0, 4, 0x34])),
        ("FF FF FD 00 01 04 00 55 80 A2 8F", ServoPacket(id: 1, errors: 0x80, parameters: [])),
    ]

    private static func bytes(_ hex: String) -> [UInt8] {
        hex.split(separator: " ").compactMap { UInt8($0, radix: 16) }
    }

    private static func packets(_ bytes: [UInt8]) -> [ServoPacket] {
        let bus = DynamixelProtocol(profile: DriverRows.dynamixel.profile)
        var scanner = FrameScanner(capacity: 160), found: [ServoPacket] = []
        for byte in bytes { scanner.push(byte, bus.match) { if let packet = bus.packet($0) { found.append(packet) } } }
        return found
    }

    @Test(arguments: golden.indices) func `a packet is what the SDK writes`(index: Int) {
        let row = Self.golden[index]
        #expect(
            DynamixelProtocol.frame(row.instruction, to: row.id, row.parameters) == Self.bytes(row.hex), "\(row.name)")
        #expect(DynamixelProtocol.unstuffed(DynamixelProtocol.stuffed(row.parameters)) == row.parameters)
    }

    @Test(arguments: answers.indices) func `an answer is decoded`(index: Int) {
        let row = Self.answers[index], frame = Self.bytes(row.hex)
        #expect(Self.packets(frame) == [row.packet])
        for before in ["00", "FF FF FD", "FF FF FD 00 01 40", "FF FF FD 00 01 FF FF"] {
            let found = Self.packets(Self.bytes(before) + frame + frame)
            #expect(found.last == row.packet || before == "FF FF FD 00 01 40", "\(before)")
        }
        var broken = frame
        broken[7] ^= 4
        #expect(Self.packets(broken).isEmpty)
    }

    @Test func `the CRC gives the published check value`() {
        #expect(DynamixelProtocol.crc("123456789".utf8) == 0xFEE8)
    }

    @Test func `servos left in speed mode are switched to position mode before they move, with a limit and a watchdog`()
    {
        let rig = DriverRows.dynamixel.rig()
        rig.line.dock.electronics.leaveInSpeedMode()
        rig.run(1.5)
        #expect(rig.states.last == .ready && rig.line.dock.electronics.followsPlaces)
        #expect(rig.line.dock.electronics.outputLimit(.pan) == 354, "the profile's 40 % of 885")
        rig.run(3)
        #expect(!rig.line.dock.electronics.hasTripped, "at rest it is polled often enough")
    }

    @Test func `an overload latches and is reported, and a clear reboots the servo`() {
        let rig = DriverRows.dynamixel.rig()
        rig.run(1.5)
        rig.line.dock.electronics.overload(.pan)
        rig.run(0.5)
        #expect(rig.states.last == .faulted(.stall), "\(rig.states)")
        rig.give(.clear)
        rig.run(2)
        rig.give(.clear)
        rig.run(1)
        #expect(rig.states.last == .ready, "\(rig.states) \(rig.answers)")
        rig.give(.velocity(.degrees(pan: 20, tilt: 0), duration: 5))
        rig.run(1)
        #expect(rig.speed > 15)
    }
}
