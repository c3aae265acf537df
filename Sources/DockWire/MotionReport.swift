/// The pose and the state of the dock.
public struct MotionReport: Sendable, Equatable {
    /// The dock's time of the measurement, microseconds modulo 2^32.
    public var microseconds: UInt32
    /// Position, milli-degrees, positive to the dock's right.
    public var pan: Int32
    /// Position, milli-degrees, positive upward.
    public var tilt: Int32
    /// Velocity, milli-degrees per second.
    public var panRate: Int32
    /// Velocity, milli-degrees per second.
    public var tiltRate: Int32
    /// The state bits.
    public var flags: MotionFlags
    /// The sequence number of the last accepted set-point.
    public var lastSetpointSequence: UInt8
    /// The latched fault, 0 = none, else a ``FaultCode``.
    public var fault: UInt8

    /// A report from its parts.
    public init(
        microseconds: UInt32, pan: Int32, tilt: Int32, panRate: Int32, tiltRate: Int32, flags: MotionFlags,
        lastSetpointSequence: UInt8, fault: UInt8 = 0
    ) {
        self.microseconds = microseconds
        self.pan = pan
        self.tilt = tilt
        self.panRate = panRate
        self.tiltRate = tiltRate
        self.flags = flags
        self.lastSetpointSequence = lastSetpointSequence
        self.fault = fault
    }

    init(_ reader: inout BodyReader) throws(WireError) {
        microseconds = try reader.u32()
        pan = try reader.i32()
        tilt = try reader.i32()
        panRate = try reader.i32()
        tiltRate = try reader.i32()
        flags = MotionFlags(rawValue: try reader.u16())
        lastSetpointSequence = try reader.u8()
        fault = try reader.u8()
    }

    func write(to body: inout FrameBody) {
        body.append(microseconds)
        body.append(pan)
        body.append(tilt)
        body.append(panRate)
        body.append(tiltRate)
        body.append(flags.rawValue)
        body.append(lastSetpointSequence)
        body.append(fault)
    }
}

/// The faults of ``MotionReport/fault`` and of events of kind `fault`.
public enum FaultCode {
    /// No fault.
    public static let none: UInt8 = 0
    /// A motor was blocked.
    public static let stall: UInt8 = 1
    /// A motor or the driver was too hot.
    public static let overTemperature: UInt8 = 2
}

/// The state bits of a motion report.
public struct MotionFlags: OptionSet, Sendable {
    /// The bits on the wire.
    public let rawValue: UInt16

    /// Flags from their bits. Unknown bits are kept.
    public init(rawValue: UInt16) { self.rawValue = rawValue }

    /// The motors hold or move.
    public static let torque = MotionFlags(rawValue: 1 << 0)
    /// An axis moves.
    public static let moving = MotionFlags(rawValue: 1 << 1)
    /// Pan is at its lowest position.
    public static let panAtMinimum = MotionFlags(rawValue: 1 << 2)
    /// Pan is at its highest position.
    public static let panAtMaximum = MotionFlags(rawValue: 1 << 3)
    /// Tilt is at its lowest position.
    public static let tiltAtMinimum = MotionFlags(rawValue: 1 << 4)
    /// Tilt is at its highest position.
    public static let tiltAtMaximum = MotionFlags(rawValue: 1 << 5)
    /// The emergency stop is latched.
    public static let emergencyStop = MotionFlags(rawValue: 1 << 6)
    /// Set-points stopped arriving and the dock stopped by itself. The next set-point clears the flag.
    public static let deadman = MotionFlags(rawValue: 1 << 7)
    /// The dock turns to zero by itself.
    public static let homing = MotionFlags(rawValue: 1 << 8)
    /// Reserved for a motion of the dock itself.
    public static let animation = MotionFlags(rawValue: 1 << 9)
    /// The battery is low.
    public static let lowBattery = MotionFlags(rawValue: 1 << 10)
    /// A motor or the driver is too hot.
    public static let overTemperature = MotionFlags(rawValue: 1 << 11)
    /// A motor is blocked.
    public static let stalled = MotionFlags(rawValue: 1 << 12)
    /// The host has requested the time since boot, so its ``Setpoint/sentMicroseconds`` is valid.
    public static let timeValid = MotionFlags(rawValue: 1 << 13)
    /// No HELLO was accepted since boot.
    public static let notGreeted = MotionFlags(rawValue: 1 << 14)
}
