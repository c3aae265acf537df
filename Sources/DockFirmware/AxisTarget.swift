/// How strongly a motor holds.
public enum AxisTorque: UInt8, Sendable {
    /// The axis turns freely.
    case off
    /// Enough to hold the pose at rest.
    case low
    /// All that the dock may use.
    case full
}

/// What a motor must do now.
public struct AxisTarget: Sendable, Equatable {
    /// Position, milli-degrees, in the motor's own reading (without trim).
    public var position: Int32
    /// Velocity, milli-degrees per second.
    public var velocity: Int32
    /// How strongly to hold.
    public var torque: AxisTorque

    /// A target from its parts.
    public init(position: Int32, velocity: Int32, torque: AxisTorque) {
        self.position = position
        self.velocity = velocity
        self.torque = torque
    }
}

/// What both motors must do now.
public struct AxisTargets: Sendable, Equatable {
    /// About the vertical axis, positive to the dock's right.
    public var pan: AxisTarget
    /// About the horizontal axis, positive upward.
    public var tilt: AxisTarget

    /// Targets for both axes.
    public init(pan: AxisTarget, tilt: AxisTarget) {
        self.pan = pan
        self.tilt = tilt
    }
}

/// The firmware's counters since boot, modulo 2^32.
public struct FirmwareCounters: Sendable, Equatable {
    /// Accepted set-points.
    public var setpoints: UInt32 = 0
    /// Set-points that were too old, or had a time in the future.
    public var staleSetpoints: UInt32 = 0
    /// Rejected set-points: not armed, latched or busy.
    public var refusedSetpoints: UInt32 = 0
    /// Valid frames of an unknown type.
    public var unknownTypes: UInt32 = 0
    /// Valid frames with a bad body.
    public var badBodies: UInt32 = 0

    /// Counters at zero.
    public init() {}
}
