import DockFirmware
import DockWire

/// The dock's firmware: any bytes from a host. It stays inside its limits, and a greeting and a stop always work.
enum FirmwareTarget: Target {
    static let name = "firmware"
    static let share = 10

    private static let pan = AxisLimits(
        minimumPosition: -170_000, maximumPosition: 170_000, velocity: 120_000, acceleration: 600_000, jerk: 12_000_000)
    private static let tilt = AxisLimits(
        minimumPosition: -30_000, maximumPosition: 80_000, velocity: 120_000, acceleration: 600_000, jerk: 12_000_000)

    static func dock() -> DockFirmware {
        let identity = Identity(
            capabilities: [.pose], firmware: FirmwareVersion(major: 1, minor: 0, patch: 0), hardware: 1, uniqueID: 7,
            model: "fuzzed", bootID: 1)
        return DockFirmware(configuration: FirmwareConfiguration(identity: identity, pan: pan, tilt: tilt), now: 0)
    }

    static func make(_ random: inout Random) -> [UInt8] {
        var bytes: [UInt8] = []
        if random.chance(2) {
            // Arm the dock, so that the following input can move it.
            var encoder = FrameEncoder()
            bytes = encoder.encode(.hello(Hello())).array + encoder.encode(.torque(mask: 3, on: true)).array
        }
        return bytes + WireSamples.stream(fromHost: true, &random)
    }

    static func check(_ input: [UInt8]) -> String? {
        var dock = dock()
        var now: UInt32 = 1000
        dock.measured(pan: 0, tilt: 0, panRate: 0, tiltRate: 0, now: now)
        var random = Random(fingerprint(input)), last: UInt8 = 0
        for byte in input {
            dock.receive(byte, now: now)
            if byte == 0, last != 0 {
                for _ in 0...(random.chance(8) ? 12 : 0) { if let wrong = pass(&dock, &now) { return wrong } }
            }
            last = byte
            now &+= 87
        }
        guard dock.outstandingEvents <= 8 else { return "\(dock.outstandingEvents) events wait" }
        // A stop after a 00 is always accepted, and the axes stand within their braking time.
        send(.emergencyStop(.stop), to: &dock, now)
        guard dock.isEmergencyStopped else { return "the emergency stop was not accepted" }
        for _ in 0..<25 { if let wrong = pass(&dock, &now) { return wrong } }
        guard dock.axes.pan.velocity == 0, dock.axes.tilt.velocity == 0 else {
            return "moves 0.5 s after the emergency stop: \(dock.axes)"
        }
        // Earlier answers wait in the outbox, at most 16. When there is room again, a greeting is answered.
        for _ in 0..<64 * 40 { if dock.nextByte(now: now) == nil { break } }
        send(.hello(Hello()), to: &dock, now)
        return answers(&dock, now) ? nil : "does not answer a greeting"
    }

    /// Lets 20 ms pass; the motors follow.
    private static func pass(_ dock: inout DockFirmware, _ now: inout UInt32) -> String? {
        now &+= 20_000
        dock.tick(now: now)
        let axes = dock.axes
        // The trim is the board's own offset. It belongs to the reading, not to the range.
        let pan = axes.pan.position + dock.settings.panTrim, tilt = axes.tilt.position + dock.settings.tiltTrim
        guard abs(axes.pan.velocity) <= 120_000, abs(axes.tilt.velocity) <= 120_000 else { return "too fast: \(axes)" }
        // A trim may put the measured pose outside. From there it may only come back.
        let slack = abs(dock.settings.panTrim) + abs(dock.settings.tiltTrim) + 1
        guard (-170_000 - slack...170_000 + slack).contains(pan), (-30_000 - slack...80_000 + slack).contains(tilt)
        else {
            return "outside its limits: \(axes)"
        }
        dock.measured(
            pan: axes.pan.position, tilt: axes.tilt.position, panRate: axes.pan.velocity, tiltRate: axes.tilt.velocity,
            now: now)
        return nil
    }

    private static func send(_ message: HostMessage, to dock: inout DockFirmware, _ now: UInt32) {
        var encoder = FrameEncoder()
        for byte in [0] + encoder.encode(message).array { dock.receive(byte, now: now) }
    }

    private static func answers(_ dock: inout DockFirmware, _ now: UInt32) -> Bool {
        var decoder = FrameDecoder()
        // At most 16 answers and 8 events wait, and each is a frame of at most 62 bytes.
        for _ in 0..<64 * 40 {
            guard let byte = dock.nextByte(now: now) else { return false }
            guard let frame = try? decoder.push(byte), let message = try? DockMessage(frame) else { continue }
            if case .helloAck = message { return true }
        }
        return false
    }
}
