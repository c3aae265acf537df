/// How a set-point drives the axes.
public enum SetpointMode: UInt8, Sendable {
    /// Slow down at the acceleration limit, then hold with torque. This stop is always accepted.
    case idle = 0
    /// Follow the velocities.
    case velocity = 1
    /// Go to the positions.
    case position = 2
    /// Go to positions that advance with the velocities.
    case positionWithFeedForward = 3
}

/// What the axes must do now. The newest one applies, and the link never repeats one.
public struct Setpoint: Sendable, Equatable {
    /// How the axes are driven.
    public var mode: SetpointMode
    /// Without a newer set-point for this time the dock stops by itself; units of 10 ms, see ``deadmanMilliseconds``.
    public var deadman: UInt8
    /// Position, milli-degrees, positive to the dock's right.
    public var panPosition: Int32
    /// Position, milli-degrees, positive upward.
    public var tiltPosition: Int32
    /// Velocity, milli-degrees per second, positive to the dock's right.
    public var panVelocity: Int32
    /// Velocity, milli-degrees per second, positive upward.
    public var tiltVelocity: Int32
    /// The dock's time at which the host sent it, microseconds modulo 2^32; 0 = unknown.
    public var sentMicroseconds: UInt32
    /// Further options.
    public var flags: SetpointFlags

    /// The deadman time that the dock uses: 50...1000 ms. Other values are clamped; 0 does not mean "never".
    public var deadmanMilliseconds: UInt32 { UInt32(min(max(deadman, 5), 100)) * 10 }

    /// A set-point from its parts. The default deadman time is 250 ms.
    public init(
        mode: SetpointMode, deadman: UInt8 = 25, panPosition: Int32 = 0, tiltPosition: Int32 = 0,
        panVelocity: Int32 = 0, tiltVelocity: Int32 = 0, sentMicroseconds: UInt32 = 0, flags: SetpointFlags = []
    ) {
        self.mode = mode
        self.deadman = deadman
        self.panPosition = panPosition
        self.tiltPosition = tiltPosition
        self.panVelocity = panVelocity
        self.tiltVelocity = tiltVelocity
        self.sentMicroseconds = sentMicroseconds
        self.flags = flags
    }

    /// The stop: the last message of every session.
    public static let stop = Setpoint(mode: .idle)

    init(_ reader: inout BodyReader) throws(WireError) {
        guard let mode = SetpointMode(rawValue: try reader.u8()) else { throw reader.badValue }
        self.init(mode: mode)
        deadman = try reader.u8()
        panPosition = try reader.i32()
        tiltPosition = try reader.i32()
        panVelocity = try reader.i32()
        tiltVelocity = try reader.i32()
        // The first version of the message ended here.
        if reader.remaining >= 4 { sentMicroseconds = try reader.u32() }
        if reader.remaining >= 1 { flags = SetpointFlags(rawValue: try reader.u8()) }
    }

    func write(to body: inout FrameBody) {
        body.append(mode.rawValue)
        body.append(deadman)
        body.append(panPosition)
        body.append(tiltPosition)
        body.append(panVelocity)
        body.append(tiltVelocity)
        // A missing tail reads as zero, so a tail of zeros is not sent.
        guard sentMicroseconds != 0 || !flags.isEmpty else { return }
        body.append(sentMicroseconds)
        body.append(flags.rawValue)
    }
}

/// Further options of a set-point.
public struct SetpointFlags: OptionSet, Sendable {
    /// The bits on the wire.
    public let rawValue: UInt8

    /// Flags from their bits. Unknown bits are kept and have no meaning.
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    /// Ends a running motion of the dock itself (homing), which otherwise continues.
    public static let overridesMotion = SetpointFlags(rawValue: 1 << 0)
}
