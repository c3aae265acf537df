internal import Geometry
#if canImport(Glibc)
    internal import Glibc
#endif

/// The contents of GIMBAL_DEVICE_ATTITUDE_STATUS.
struct GimbalAttitude: Sendable, Equatable {
    /// Yaw and pitch, in radians; positive values are right and up. A gimbal keeps roll level by itself.
    var pose: PanTilt
    /// Whether pan is relative to the base of the gimbal. If not, it is relative to north, whose direction is unknown.
    var isRelative: Bool
    /// The time since the gimbal was switched on, in ms.
    var bootTime: UInt32
    var failures: UInt32

    /// The bits of GIMBAL_DEVICE_FLAGS.
    static let yawLock: UInt16 = 16, yawInVehicleFrame: UInt16 = 32, yawInEarthFrame: UInt16 = 64
    /// The bits of GIMBAL_DEVICE_ERROR_FLAGS. Being at a limit is not an error. A gimbal that calibrates itself moves
    /// by itself.
    static let broken: [(bit: UInt32, text: String)] = [
        (8, "encoder"), (16, "supply"), (32, "motor"), (64, "software"), (128, "communication"),
    ]
    static let calibrating: UInt32 = 256, withoutManager: UInt32 = 512

    /// The names of the broken parts; empty if there are none.
    var brokenParts: [String] { Self.broken.filter { failures & $0.bit != 0 }.map(\.text) }
    var isCalibrating: Bool { failures & Self.calibrating != 0 }

    /// Decodes a frame. The result is nil if it is not a valid attitude.
    init?(_ frame: MavlinkFrame) {
        let (w, x, y, z) = (frame.float(4), frame.float(8), frame.float(12), frame.float(16))
        let norm = w * w + x * x + y * y + z * z
        guard norm > 0.8, norm < 1.2 else { return nil }  // NaN fails, too
        var yaw = atan2(2 * (w * z + x * y), norm - 2 * (y * y + z * z))
        let pitch = asin((2 * (w * y - z * x) / norm).clamped(to: -1...1))
        let flags = frame.word(36)
        let isEarth =
            flags & Self.yawInEarthFrame != 0 || (flags & (Self.yawInVehicleFrame | Self.yawLock)) == Self.yawLock
        // An extension field: if it is not sent it reads as 0, and it has a meaning only with the newer flag.
        let heading = frame.sent > 40 && flags & Self.yawInEarthFrame != 0 ? frame.float(40) : .nan
        // The vehicle's heading is an angle, but a float can have any value.
        let offset = abs(heading) <= 2 * .pi ? heading : .nan
        isRelative = !isEarth || offset.isFinite
        if isEarth, offset.isFinite { yaw -= offset }
        pose = PanTilt(pan: yaw, tilt: pitch)
        bootTime = frame.long(0)
        failures = frame.long(32)
    }
}

extension BatteryState {
    /// Decodes BATTERY_STATUS.
    init(_ frame: MavlinkFrame) {
        let cells = (0..<10).map { frame.word(10 + 2 * $0) }.filter { $0 != .max }
        let more = (0..<4).map { frame.word(41 + 2 * $0) }.filter { $0 != .max }
        let volts = (cells + more).reduce(0) { $0 + Double($1) } / 1000
        let share = Int8(bitPattern: frame.byte(35)), state = frame.byte(40)
        self.init(
            name: frame.byte(32) == 0 ? "gimbal" : "gimbal \(frame.byte(32))",
            level: (0...100).contains(share) ? Double(share) / 100 : nil,
            // Values of MAV_BATTERY_CHARGE_STATE: 2 low, 3 critical, 4 emergency, 5 failed, 6 unhealthy, 7 charging.
            charge: state == 7 ? .charging : .notCharging, isLow: (2...6).contains(state),
            isCritical: (3...6).contains(state), voltage: cells.isEmpty ? nil : volts)
    }
}
