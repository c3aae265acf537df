public import Geometry

/// What a driver can do and needs, so that the loop and the servo can adapt to it.
public struct DriverAbilities: Sendable, Equatable {
    /// What kind of set-point the motors take.
    public enum Setpoint: String, Sendable {
        /// Velocities: the motors turn until the next command.
        case velocity
        /// Positions, streamed: if none arrives, the motors stand at the last one.
        case position
    }

    /// Where the pose comes from.
    public enum Feedback: String, Sendable {
        /// The device measures it.
        case measured
        /// Nothing measures it: the pose is the commanded path, delayed as the profile states.
        case modelled
    }

    /// What the motors do after a stop.
    public enum Standstill: String, Sendable {
        /// They hold their position.
        case hold
        /// They have no torque for a moment; a heavy head sinks.
        case limp
    }

    /// The dock stops by itself if no set-point arrives for this time; nil: it never does.
    public var deadman: Seconds?
    /// What kind of set-point it takes.
    public var setpoint: Setpoint
    /// At most this many set-points a second: the limit of the line or the device.
    public var mostSetpoints: Double
    /// Whether the dock reports its pose.
    public var reportsPose: Bool
    /// Where the pose comes from.
    public var feedback: Feedback
    /// Whether the reported poses are measured, and not computed from the commands.
    public var measuresPose: Bool { reportsPose && feedback == .measured }
    /// What the motors do after a stop.
    public var standstill: Standstill
    /// Whether the dock has a battery and reports its state.
    public var reportsBattery: Bool
    /// Whether the dock latches an emergency stop itself and reports it; otherwise only the daemon does.
    public var keepsLatch: Bool
    /// Whether a rig that sends but does not receive can be recognised: it answers questions, or reports that its deadman has
    /// stopped it. Otherwise it looks like a blocked rig.
    public var showsDeafness: Bool
    /// Magnification range of the rig's own camera, 1 = none; nil: the rig has no such camera.
    public var magnification: ClosedRange<Double>?
    /// Whether the motors can be let go of. If not, `torque off` is answered with an error, and the dock is only kept from
    /// moving.
    public var canLetGo: Bool

    /// All abilities by name.
    public init(
        deadman: Seconds?, setpoint: Setpoint = .velocity, mostSetpoints: Double = 60,
        reportsPose: Bool, feedback: Feedback = .measured, standstill: Standstill = .hold, reportsBattery: Bool,
        keepsLatch: Bool = true, showsDeafness: Bool = true, magnification: ClosedRange<Double>? = nil,
        canLetGo: Bool = true
    ) {
        self.deadman = deadman
        self.setpoint = setpoint
        self.mostSetpoints = mostSetpoints
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
