import Geometry
import TestSupport
import Testing

@testable import DockControl

/// MAVLink 2 frames byte by byte. All were written by pymavlink 2.4.50, whose code is generated from the protocol's own
/// definitions.
@Suite struct MavlinkCodecTests {
    static func bytes(_ hex: String) -> [UInt8] { hex.split(separator: " ").compactMap { UInt8($0, radix: 16) } }

    static func frames(_ bytes: [UInt8]) -> [MavlinkFrame] {
        var scanner = FrameScanner(capacity: 320), found: [MavlinkFrame] = []
        for byte in bytes {
            scanner.push(byte, MavlinkFrame.match) { if let frame = MavlinkFrame($0) { found.append(frame) } }
        }
        return found
    }

    static func frame(_ hex: String) -> MavlinkFrame? { frames(bytes(hex)).first }

    static let zeros = Array(repeating: "00", count: 23).joined(separator: " ")
    /// Level, wz 0.5, flags 32, without a heading.
    static let level = "FD 25 00 00 00 01 BF 1D 01 00 E8 03 00 00 00 00 80 3F " + zeros + " 3F 00 00 00 00 20 3C D9"
    /// Yaw 30, pitch -10 degrees, relative to the base; at its roll limit.
    static let turned =
        "FD 25 00 00 07 01 9A 1D 01 00 40 E2 01 00 07 56 76 3F A5 CA B8 3C B3 69 AC BD D7 02 84 3E CD CC CC 3D "
        + "CD CC 4C 3E 9A 99 99 BE 21 00 00 00 20 6A 72"
    /// Relative to north, the base 0.25 rad right of it; no manager.
    static let north =
        "FD 31 00 00 07 01 9A 1D 01 00 88 13 00 00 00 00 00 3F 00 00 00 3F 00 00 00 3F 00 00 00 3F CD CC CC 3D "
        + "CD CC 4C 3E 9A 99 99 BE 00 02 00 00 40 00 00 00 00 00 80 3E 00 00 00 BE 03 A7 88"
    static let information =
        "FD 54 00 00 07 01 9A 1B 01 00 88 77 66 55 44 33 22 11 E8 03 00 00 0A 02 03 04 01 00 00 00 CD CC CC BD "
        + "CD CC CC 3D 00 00 C0 BF 00 00 00 3F 00 00 20 C0 00 00 20 40 00 00 00 00 47 72 65 6D 73 79 "
        + Array(repeating: "00", count: 26).joined(separator: " ") + " 50 69 78 79 3A 1F"

    @Test func `our messages equal those of pymavlink`() {
        var gimbal = MavlinkNames()
        func first(_ names: MavlinkNames, _ make: (inout MavlinkWriter) -> [UInt8]) -> [UInt8] {
            var writer = MavlinkWriter(names: names)
            return make(&writer)
        }
        #expect(
            first(gimbal) { $0.heartbeat() }
                == Self.bytes("FD 09 00 00 00 01 BF 00 00 00 00 00 00 00 12 08 00 04 03 AE C6"))
        #expect(
            first(gimbal) { $0.command(.requestMessage, to: 154, [283]) }
                == Self.bytes(
                    "FD 20 00 00 00 01 BF 4C 00 00 00 80 8D 43 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 "
                        + "00 00 00 00 00 02 01 9A 19 D4"))
        #expect(
            first(gimbal) { $0.command(.setMessageInterval, to: 154, [285, 20000]) }
                == Self.bytes(
                    "FD 20 00 00 00 01 BF 4C 00 00 00 80 8E 43 00 40 9C 46 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 "
                        + "00 00 00 00 FF 01 01 9A AF 86"))
        #expect(
            first(gimbal) { $0.command(.configureManager, to: 154, [1, 191, -1, -1, 0, 0, 154]) }
                == Self.bytes(
                    "FD 20 00 00 00 01 BF 4C 00 00 00 00 80 3F 00 00 3F 43 00 00 80 BF 00 00 80 BF 00 00 00 00 00 00 00 00 "
                        + "00 00 1A 43 E9 03 01 9A 1B F1"))
        #expect(
            first(gimbal) { $0.pitchYaw(pitch: -0.17453292, yaw: 0.5235988, flags: 32) }
                == Self.bytes(
                    "FD 17 00 00 00 01 BF 1F 01 00 20 00 00 00 C2 B8 32 BE 92 0A 06 3F 00 00 C0 7F 00 00 C0 7F 01 9A 9A "
                        + "18 DD"))
        #expect(
            first(gimbal) { $0.pitchYaw(pitchRate: 0, yawRate: 0, flags: 32) }
                == Self.bytes(
                    "FD 17 00 00 00 01 BF 1F 01 00 20 00 00 00 00 00 C0 7F 00 00 C0 7F 00 00 00 00 00 00 00 00 01 9A 9A "
                        + "7F DD"))
        (gimbal.manager, gimbal.gimbal) = (1, 0)
        #expect(
            first(gimbal) { $0.pitchYaw(pitchRate: -0.17453292, yawRate: 0.5235988, flags: 0) }
                == Self.bytes(
                    "FD 16 00 00 00 01 BF 1F 01 00 00 00 00 00 00 00 C0 7F 00 00 C0 7F C2 B8 32 BE 92 0A 06 3F 01 01 40 96"
                ))
    }

    @Test func `an attitude is decoded`() throws {
        let level = try #require(Self.frame(Self.level).flatMap(GimbalAttitude.init))
        #expect(level.pose == .zero && level.isRelative && level.bootTime == 1000 && level.failures == 0)
        let turned = try #require(Self.frame(Self.turned).flatMap(GimbalAttitude.init))
        #expect((turned.pose - .degrees(pan: 30, tilt: -10)).magnitude < 1e-6)
        #expect(turned.isRelative && turned.bootTime == 123_456 && turned.brokenParts == ["motor"])
        let north = try #require(Self.frame(Self.north).flatMap(GimbalAttitude.init))
        // (1, 1, 1, 1) / 2: yaw 90, pitch 0.
        #expect(north.isRelative && (north.pose - PanTilt(pan: .pi / 2 - 0.25, tilt: 0)).magnitude < 1e-6)
        #expect(north.brokenParts.isEmpty && north.failures == GimbalAttitude.withoutManager)
    }

    @Test func `yaw relative to north without a heading is marked as such, and an invalid attitude is rejected`() throws
    {
        var frame = try #require(Self.frame(Self.turned))
        frame.payload[36] = 16
        #expect(GimbalAttitude(frame)?.isRelative == false)
        frame.payload[36] = 0
        #expect(GimbalAttitude(frame)?.isRelative == true)
        for place in 4..<20 { frame.payload[place] = 0xFF }
        #expect(GimbalAttitude(frame) == nil)
        for place in 4..<20 { frame.payload[place] = 0 }
        #expect(GimbalAttitude(frame) == nil)
    }

    @Test func `a battery status is decoded`() throws {
        let plain = try #require(
            Self.frame(
                "FD 24 00 00 00 01 BF 93 00 00 FF FF FF FF FF FF FF FF C4 09 E8 1C "
                    + Array(repeating: "FF", count: 18).joined(separator: " ") + " 96 00 00 00 01 50 BF F3"))
        let state = BatteryState(plain)
        #expect(state == BatteryState(name: "gimbal", level: 0.8, charge: .notCharging, isLow: false, voltage: 7.4))
        let low = try #require(
            Self.frame(
                "FD 29 00 00 07 01 9A 93 00 00 FF FF FF FF FF FF FF FF C4 09 74 0E 42 0E "
                    + Array(repeating: "FF", count: 18).joined(separator: " ") + " 00 00 00 0F 00 00 00 00 02 54 59"))
        #expect(
            BatteryState(low)
                == BatteryState(name: "gimbal", level: 0.15, charge: .notCharging, isLow: true, voltage: 7.35))
    }

    @Test func `identity, answer and owner are decoded`() throws {
        let information = try #require(Self.frame(Self.information))
        #expect(information.text(48, count: 32) == "Gremsy" && information.text(80, count: 32) == "Pixy")
        #expect(information.byte(12) == 10 && information.byte(13) == 2 && information.byte(14) == 3)
        let short = try #require(Self.frame("FD 02 00 00 07 01 9A 4D 00 00 00 02 05 57"))
        #expect(short.word(0) == 512 && short.byte(2) == 0 && short.byte(9) == 0)
        let denied = try #require(
            Self.frame("FD 0A 00 00 07 01 9A 4D 00 00 E9 03 02 00 00 00 00 00 01 BF 68 C6"))
        #expect(denied.word(0) == 1001 && denied.byte(2) == 2 && denied.byte(9) == 191)
        let owner = try #require(
            Self.frame("FD 0D 00 00 07 01 9A 19 01 00 E8 03 00 00 00 00 00 00 9A FF BE 01 BF 04 48"))
        #expect(owner.byte(8) == 154 && owner.byte(9) == 255 && owner.byte(10) == 190)
    }

    @Test(arguments: [
        "", "00 37 FE", "FD", "FD FD", "FD 25 00 00 00 01 BF", "FD FF 00 00 00 01 9A 1D 01 00",
        "FD 09 02 00 00 01 9A 00 00 00",
        "FD 40 00 00 00 01 9A 77 77 00", "FD 31 01 00 00 01 9A 1D 01 00 01 02 03",
    ]) func `frames are found behind noise and false starts`(before: String) {
        let frame = Self.bytes(Self.turned)
        // The longest wait that a false start can cause.
        let found = Self.frames(Self.bytes(before) + frame + frame + frame)
        #expect(found.last?.message == .gimbalDeviceAttitudeStatus && found.count == 3, "\(found.count)")
    }

    @Test func `a signature is skipped`() {
        var signed = Self.bytes("FD 02 01 00 07 01 9A 4D 00 00 00 02")
        var crc = [UInt8](signed[1...]), sum = 0xFFFF
        crc.append(143)
        for byte in crc {
            sum ^= Int(byte)
            for _ in 0..<8 { sum = sum & 1 != 0 ? sum >> 1 ^ 0x8408 : sum >> 1 }
        }
        signed += [UInt8(sum & 0xFF), UInt8(sum >> 8)] + [UInt8](repeating: 0xFD, count: 13)
        let found = Self.frames(signed + Self.bytes(Self.level))
        #expect(found.map(\.message) == [.commandAck, .gimbalDeviceAttitudeStatus])
    }

    @Test func `no bytes trap the decoder, and frames behind them are found`() {
        var random = Seeded(11), scanner = FrameScanner(capacity: 320), count = 0, missed = 0
        let frames = [Self.level, Self.turned, Self.north, Self.information].map(Self.bytes)
        func push(_ bytes: [UInt8]) -> [MavlinkFrame] {
            var found: [MavlinkFrame] = []
            for byte in bytes {
                scanner.push(byte, MavlinkFrame.match) { if let frame = MavlinkFrame($0) { found.append(frame) } }
            }
            count += bytes.count
            return found
        }
        while count < 200_000 {
            var broken = frames[Int.random(in: 0..<frames.count, using: &random)]
            for _ in 0..<Int.random(in: 1...4, using: &random) {
                let place = Int.random(in: 0..<broken.count, using: &random)
                switch Int.random(in: 0..<3, using: &random) {
                case 0: broken[place] = UInt8.random(in: 0...255, using: &random)
                case 1: broken.remove(at: place)
                default: broken.insert(UInt8.random(in: 0...255, using: &random), at: place)
                }
            }
            for frame in push(broken) {
                _ = GimbalAttitude(frame)
                _ = BatteryState(frame)
                _ = frame.text(48, count: 32)
            }
            // By now nothing pending is left.
            let last = push([UInt8](repeating: 0, count: 190) + Self.bytes(Self.turned)).last
            if last?.message != .gimbalDeviceAttitudeStatus || last?.long(0) != 123_456 { missed += 1 }
        }
        #expect(missed == 0 && scanner.invalidBytes > 0)
    }
}
