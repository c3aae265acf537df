public import Geometry

/// The abilities and needs of a driver, so that the loop and the servo can adapt to them.
public struct DriverAbilities: Sendable, Equatable {
    /// The kind of set-point that the motors take.
    public enum Setpoint: String, Sendable {
        /// Velocities. The motors turn until the next command.
        case velocity
        /// A stream of positions. If none arrives, the motors stop at the last one.
        case position
    }

    /// The source of the pose.
    public enum Feedback: String, Sendable {
        /// The device measures it.
        case measured
        /// The driver computes it, because nothing measures it: the pose is the commanded path, delayed as the profile
        /// states.
        case modelled
    }

    /// The behaviour of the motors after a stop.
    public enum Standstill: String, Sendable {
        /// They hold their position.
        case hold
        /// They have no torque for a moment. A heavy head sinks.
        case limp
    }

    /// The time without a set-point after which the dock stops by itself, or nil if it never does.
    public var deadman: Seconds?
    /// The kind of set-point that it takes.
    public var setpoint: Setpoint
    /// The maximum number of set-points per second: the limit of the line or the device.
    public var mostSetpoints: Double
    /// The time that the line needs for a set-point, in seconds, if the device accepts one as soon as it has arrived;
    /// nil if it accepts set-points only at its own period.
    public var setpointTime: Seconds?
    /// Whether the dock reports its pose.
    public var reportsPose: Bool
    /// The source of the pose.
    public var feedback: Feedback
    /// Whether the reported poses are measured, and not computed from the commands.
    public var measuresPose: Bool { reportsPose && feedback == .measured }
    /// The behaviour of the motors after a stop.
    public var standstill: Standstill
    /// Whether the dock has a battery and reports its state.
    public var reportsBattery: Bool
    /// Whether the dock latches an emergency stop itself and reports it; otherwise only the daemon does.
    public var keepsLatch: Bool
    /// Whether a rig that sends but does not receive can be recognised: it answers questions, or reports that its
    /// deadman has stopped it. If it cannot be recognised, it looks like a blocked rig.
    public var showsDeafness: Bool
    /// The magnification range of the rig's own camera, where 1 is no magnification. It is nil if the rig has no such
    /// camera.
    public var magnification: ClosedRange<Double>?
    /// Whether the torque of the motors can be switched off. If not, `torque off` is answered with an error, and the
    /// dock is only kept from moving.
    public var canLetGo: Bool

    /// Creates abilities by their names.
    public init(
        deadman: Seconds?, setpoint: Setpoint = .velocity, mostSetpoints: Double = 60,
        setpointTime: Seconds? = nil, reportsPose: Bool, feedback: Feedback = .measured, standstill: Standstill = .hold,
        reportsBattery: Bool,
        keepsLatch: Bool = true, showsDeafness: Bool = true, magnification: ClosedRange<Double>? = nil,
        canLetGo: Bool = true
    ) {
        self.deadman = deadman
        self.setpoint = setpoint
        self.mostSetpoints = mostSetpoints
        self.setpointTime = setpointTime
        self.reportsPose = reportsPose
        self.feedback = feedback
        self.standstill = standstill
        self.reportsBattery = reportsBattery
        self.keepsLatch = keepsLatch
        self.showsDeafness = showsDeafness
        self.magnification = magnification
        self.canLetGo = canLetGo
    }
}
