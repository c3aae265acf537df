import DockControl
import Geometry

/// The drivers of other makers' protocols: any output of a device, in any pieces, during handshake, settings and
/// motion. The first byte of an input selects the driver.
enum ForeignTarget: Target {
    static let name = "foreign"
    static let share = 20

    private static let drivers = DriverTable.all.filter { $0.name != "dlp" }

    static func make(_ random: inout Random) -> [UInt8] {
        let driver = random.below(drivers.count)
        var said: [UInt8] = []
        for _ in 0..<random.below(60) {
            switch drivers[driver].name {
            case "feetech": said += feetech(&random)
            case "dynamixel": said += dynamixel(&random)
            case "visca": said += visca(&random)
            case "waveshare": said += waveshare(&random)
            case "mavlink": said += mavlink(&random)
            default: said += (0..<random.below(5)).map { _ in random.byte() }
            }
        }
        Mutation.apply(to: &said, &random)
        return [UInt8(driver)] + said.prefix(8192)
    }

    static func check(_ input: [UInt8]) -> String? {
        guard let first = input.first else { return nil }
        var random = Random(fingerprint(input))
        let type = drivers[Int(first) % drivers.count]
        var driver = type.init(profile: profile(type.name)), now = 100.0, said = input.dropFirst(), count = 0
        driver.begin(now: now, motionless: random.chance(4))
        while !said.isEmpty {
            var bytes: [UInt8] = [], reports: [DockReport] = []
            let next = driver.service(now: now, into: &bytes)
            guard next.isFinite, next > now - 1 else {
                return "\(type.name): requests a call at \(next), and the time is \(now)"
            }
            if random.chance(3) {
                let turn = PanTilt(pan: random.uniform() * 4 - 2, tilt: random.uniform() - 0.5)
                driver.encode(random.chance(5) ? .stop : .velocity(turn), now: now, into: &bytes)
            }
            if random.chance(40) { driver.encodeTorque(random.chance(2), into: &bytes) }
            if random.chance(60) { driver.encodeClear(into: &bytes) }
            guard bytes.count < 2048 else { return "\(type.name): \(bytes.count) bytes to send at once" }
            let part = said.prefix(1 + random.below(60))
            said = said.dropFirst(part.count)
            part.withUnsafeBytes { driver.receive($0, now: now, into: &reports) }
            count += reports.count
            for case .motion(let sample, _) in reports where !isSane(sample, now: now) {
                return "\(type.name): a sample \(sample) at \(now)"
            }
            now += random.chance(10) ? random.uniform() * 3 : random.uniform() * 0.02
        }
        // The shortest answer has one byte, and none makes more than a few reports.
        guard count <= 4 * input.count + 8 else { return "\(type.name): \(count) reports from \(input.count) bytes" }
        guard driver.invalidBytes <= input.count else {
            return "\(type.name): \(driver.invalidBytes) invalid bytes from \(input.count)"
        }
        var stop: [UInt8] = []
        driver.encodeStop(into: &stop)
        return (1...256).contains(stop.count) ? nil : "\(type.name): a stop of \(stop.count) bytes"
    }

    private static func profile(_ driver: String) -> RigProfile {
        var profile = RigProfile.dlpDock
        profile.driver = driver
        return profile
    }

    private static func isSane(_ sample: MotionSample, now: Double) -> Bool {
        // 32-bit counts are 460,000 turns.
        func isAngle(_ value: Double) -> Bool { value.isFinite && abs(value) < 4e6 }
        return sample.time.isFinite && abs(sample.time - now) < 10 && isAngle(sample.pose.pan)
            && isAngle(sample.pose.tilt)
            && sample.rate.pan.isFinite && sample.rate.tilt.isFinite
    }

    // MARK: device output with random content

    private static func some(_ random: inout Random, _ sizes: [Int]) -> [UInt8] {
        (0..<random.pick(sizes)).map { _ in random.chance(4) ? 0xFF : random.byte() }
    }

    private static func feetech(_ random: inout Random) -> [UInt8] {
        let parameters = some(&random, [0, 1, 2, 5, 8])
        let body =
            [UInt8(1 + random.below(2)), UInt8(parameters.count + 2), random.chance(8) ? random.byte() : 0] + parameters
        return [0xFF, 0xFF] + body + [~body.reduce(0, &+)]
    }

    private static func dynamixel(_ random: inout Random) -> [UInt8] {
        let parameters = some(&random, [0, 1, 3, 4, 21])
        var frame: [UInt8] = [0xFF, 0xFF, 0xFD, 0, UInt8(1 + random.below(2)), UInt8(parameters.count + 4), 0, 0x55]
        frame += [random.chance(8) ? random.byte() : 0] + parameters
        var sum: UInt16 = 0
        for byte in frame {
            sum ^= UInt16(byte) << 8
            for _ in 0..<8 { sum = sum & 0x8000 != 0 ? sum << 1 ^ 0x8005 : sum << 1 }
        }
        return frame + [UInt8(truncatingIfNeeded: sum), UInt8(truncatingIfNeeded: sum >> 8)]
    }

    private static func visca(_ random: inout Random) -> [UInt8] {
        switch random.below(6) {
        case 0: [0x90, 0x41 + UInt8(random.below(2)), 0xFF]
        case 1: [0x90, 0x51 + UInt8(random.below(2)), 0xFF]
        case 2: [0x90, 0x60 + UInt8(random.below(3)), UInt8(random.below(0x45)), 0xFF]
        case 3: [0x88, 0x30, UInt8(random.below(9)), 0xFF]
        case 4: [0x90, 0x50] + some(&random, [0, 1, 7]).map { $0 & 0x7F } + [0xFF]
        default: [0x90, 0x50] + (0..<8).map { _ in random.byte() & 15 } + [0xFF]
        }
    }

    private static func waveshare(_ random: inout Random) -> [UInt8] {
        let numbers = [
            "0", "1e300", "-1e-300", "45.1", "-10.2", "null", "\"x\"", "99999999999999999999", "1e", "-", "NaN",
        ]
        let code = random.pick(["1001", "1005", "130", "210", "605"])
        func one(_ random: inout Random) -> String { random.pick(numbers) }
        let text =
            "{\"T\":\(code),\"id\":\(one(&random)),\"cmd\":\(one(&random)),\"pan\":\(one(&random)),\"tilt\":\(one(&random)),"
            + "\"v\":\(one(&random))}\r\n"
        return Array((random.chance(6) ? "boot: ok {" : "").utf8) + Array(text.utf8)
    }

    private static func mavlink(_ random: inout Random) -> [UInt8] {
        let rows: [(id: UInt32, extra: UInt8, size: Int)] = [
            (0, 50, 9), (77, 143, 10), (147, 154, 54), (280, 70, 33), (281, 48, 13), (283, 74, 149), (285, 137, 49),
        ]
        let row = random.pick(rows)
        let payload = some(&random, [row.size, row.size, 1, max(1, row.size - 4)])
        var frame: [UInt8] = [0xFD, UInt8(payload.count), 0, 0, random.byte(), 1, 154]
        frame += [UInt8(row.id & 0xFF), UInt8(row.id >> 8 & 0xFF), 0] + payload
        var sum: UInt16 = 0xFFFF
        for byte in frame.dropFirst() + [row.extra] {
            sum ^= UInt16(byte)
            for _ in 0..<8 { sum = sum & 1 != 0 ? sum >> 1 ^ 0x8408 : sum >> 1 }
        }
        return frame + [UInt8(truncatingIfNeeded: sum), UInt8(truncatingIfNeeded: sum >> 8)]
    }
}
