/// One of the dock's axes, as numbered on the wire.
public enum DockAxis: UInt8, Sendable, CaseIterable {
    /// About the vertical axis, positive to the dock's right.
    case pan = 0
    /// About the horizontal axis, positive upward.
    case tilt = 1
}

/// The limits of an axis.
public struct AxisLimits: Sendable, Equatable {
    /// Lowest position, milli-degrees.
    public var minimumPosition: Int32
    /// Highest position, milli-degrees.
    public var maximumPosition: Int32
    /// Highest speed, milli-degrees per second.
    public var velocity: UInt32
    /// Highest acceleration, milli-degrees per second squared.
    public var acceleration: UInt32
    /// Highest jerk, milli-degrees per second cubed.
    public var jerk: UInt32

    /// Limits from their parts.
    public init(
        minimumPosition: Int32, maximumPosition: Int32, velocity: UInt32, acceleration: UInt32, jerk: UInt32
    ) {
        self.minimumPosition = minimumPosition
        self.maximumPosition = maximumPosition
        self.velocity = velocity
        self.acceleration = acceleration
        self.jerk = jerk
    }
}

/// The limits of one axis, with the axis.
public struct LimitSet: Sendable, Equatable {
    /// The axis.
    public var axis: DockAxis
    /// The limits.
    public var limits: AxisLimits

    /// Limits for an axis.
    public init(axis: DockAxis, limits: AxisLimits) {
        self.axis = axis
        self.limits = limits
    }

    init(_ reader: inout BodyReader) throws(WireError) {
        axis = try reader.axis()
        limits = AxisLimits(
            minimumPosition: try reader.i32(), maximumPosition: try reader.i32(), velocity: try reader.u32(),
            acceleration: try reader.u32(), jerk: try reader.u32())
    }

    func write(to body: inout FrameBody) {
        body.append(axis.rawValue)
        body.append(limits.minimumPosition)
        body.append(limits.maximumPosition)
        body.append(limits.velocity)
        body.append(limits.acceleration)
        body.append(limits.jerk)
    }
}

extension BodyReader {
    mutating func axis() throws(WireError) -> DockAxis {
        guard let axis = DockAxis(rawValue: try u8()) else { throw badValue }
        return axis
    }
}
