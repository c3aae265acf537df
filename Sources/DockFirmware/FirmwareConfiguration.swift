public import DockWire

/// The compiled configuration of a dock and its stored settings.
public struct FirmwareConfiguration: Sendable {
    /// The dock's identity. Its `bootID` is the stored counter of boots, one higher at every start.
    public var identity: Identity
    /// The widest limits of the pan axis. No message can widen them.
    public var pan: AxisLimits
    /// The widest limits of the tilt axis.
    public var tilt: AxisLimits
    /// Lag of the motors behind the targets, milliseconds, 0...1000. It determines where an axis comes to rest.
    public var lagMilliseconds: Int32
    /// A motor that is this far behind for half a second is blocked, milli-degrees; 0 = not monitored.
    public var followingError: Int32
    /// The stored settings.
    public var settings: FirmwareSettings

    /// A configuration from its parts. Values that no dock can have are clamped to the range.
    public init(
        identity: Identity, pan: AxisLimits, tilt: AxisLimits, lagMilliseconds: Int32 = 0, followingError: Int32 = 0,
        settings: FirmwareSettings = FirmwareSettings()
    ) {
        self.identity = identity
        self.pan = pan.plausible
        self.tilt = tilt.plausible
        self.lagMilliseconds = min(max(lagMilliseconds, 0), 1000)
        self.followingError = max(followingError, 0)
        self.settings = settings
    }
}

/// The settings that SAVE keeps over a reboot.
public struct FirmwareSettings: Sendable, Equatable {
    /// Narrower limits of the pan axis, if any were set: the agreed ones, before a trim reduces them.
    public var pan: AxisLimits?
    /// Narrower limits of the tilt axis, if any were set.
    public var tilt: AxisLimits?
    /// MOTION reports per second, 1...100.
    public var motionRate: Int32 = 10
    /// Added to the pan reading, milli-degrees, -10000...10000.
    public var panTrim: Int32 = 0
    /// Added to the tilt reading, milli-degrees, -10000...10000.
    public var tiltTrim: Int32 = 0
    /// Seconds without a set-point until low torque, 0...3600; 0 = never.
    public var idleRelax: Int32 = 60

    /// The settings of a new dock.
    public init() {}
}

extension AxisLimits {
    /// These limits, clamped to what this module's arithmetic can hold: 1000 degrees, 1000 deg/s, 1...2000 deg/s².
    var plausible: AxisLimits {
        var result = self
        result.minimumPosition = min(max(minimumPosition, -1_000_000), 1_000_000)
        result.maximumPosition = min(max(maximumPosition, result.minimumPosition), 1_000_000)
        result.velocity = min(max(velocity, 1), 1_000_000)
        result.acceleration = min(max(acceleration, 1000), 2_000_000)
        return result
    }

    /// What both allow; nil if no range, no speed or no usable acceleration is left.
    func intersection(_ other: AxisLimits) -> AxisLimits? {
        let result = AxisLimits(
            minimumPosition: max(minimumPosition, other.minimumPosition),
            maximumPosition: min(maximumPosition, other.maximumPosition), velocity: min(velocity, other.velocity),
            acceleration: min(acceleration, other.acceleration), jerk: min(jerk, other.jerk))
        guard result.minimumPosition <= result.maximumPosition, result.velocity > 0, result.acceleration >= 1000 else {
            return nil
        }
        return result
    }
}
