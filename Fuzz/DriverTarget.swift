import DockControl
import DockFirmware
import DockWire
import Geometry

/// The host's driver: any bytes from a dock, in any pieces.
enum DriverTarget: Target {
    static let name = "driver"
    static let share = 20

    static func make(_ random: inout Random) -> [UInt8] { WireSamples.stream(fromHost: false, &random) }

    static func check(_ input: [UInt8]) -> String? {
        var random = Random(fingerprint(input))
        var whole = greeted(), cut = whole
        var reports: [DockReport] = [], others: [DockReport] = []
        receive(input[...], by: &whole, into: &reports)
        var rest = input[...]
        while !rest.isEmpty {
            let part = rest.prefix(1 + random.below(random.chance(2) ? 3 : 100))
            receive(part, by: &cut, into: &others)
            rest = rest.dropFirst(part.count)
        }
        guard reports == others, whole.invalidBytes == cut.invalidBytes else {
            return "\(reports.count) reports from one piece and \(others.count) from several, or different ones"
        }
        // The shortest frame has six bytes and makes at most two reports: one ends a fault, and one is a sample.
        guard reports.count <= 3 * (input.count / 6 + 1) else {
            return "\(reports.count) reports from \(input.count) bytes"
        }
        for case .motion(let sample, _) in reports where !isSane(sample) { return "a sample \(sample)" }
        var bytes: [UInt8] = [], again: [UInt8] = []
        let next = whole.service(now: start + 1, into: &bytes)
        guard next == cut.service(now: start + 1, into: &again), bytes == again else {
            return "the pieces of the input change the output"
        }
        guard bytes.count < 2048 else { return "\(bytes.count) bytes to send at once" }
        // In some runs: whatever came before, a real dock completes the handshake within two seconds after the port is
        // reopened.
        return random.chance(16) ? becomesReady(whole) : nil
    }

    private static let start = 100.0

    private static func greeted() -> DlpDriver {
        var driver = DlpDriver(profile: .dlpDock)
        driver.begin(now: start, motionless: false)
        var bytes: [UInt8] = []
        _ = driver.service(now: start, into: &bytes)
        return driver
    }

    private static func receive(
        _ bytes: ArraySlice<UInt8>, by driver: inout DlpDriver, into reports: inout [DockReport]
    ) {
        bytes.withUnsafeBytes { driver.receive($0, now: start + 0.1, into: &reports) }
    }

    private static func isSane(_ sample: MotionSample) -> Bool {
        sample.time.isFinite && abs(sample.time - start) < 2 && sample.pose.pan.isFinite && sample.pose.tilt.isFinite
            && sample.rate.pan.isFinite && sample.rate.tilt.isFinite
    }

    private static func becomesReady(_ driver: DlpDriver) -> String? {
        var driver = driver, dock = FirmwareTarget.dock()
        var reports: [DockReport] = [], bytes: [UInt8] = []
        driver.begin(now: start + 10, motionless: false)
        for step in 0..<400 {
            let now = start + 10 + Double(step) * 0.005, micros = UInt32(1_000_000 + step * 5000)
            bytes.removeAll(keepingCapacity: true)
            _ = driver.service(now: now, into: &bytes)
            for byte in bytes { dock.receive(byte, now: micros) }
            dock.measured(pan: 0, tilt: 0, panRate: 0, tiltRate: 0, now: micros)
            dock.tick(now: micros)
            bytes.removeAll(keepingCapacity: true)
            while let byte = dock.nextByte(now: micros) { bytes.append(byte) }
            bytes.withUnsafeBytes { driver.receive($0, now: now, into: &reports) }
            if reports.contains(.ready) { return nil }
        }
        return "not ready two seconds after the port was reopened: \(reports)"
    }
}
