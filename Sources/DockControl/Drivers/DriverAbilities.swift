public import Geometry

/// What a driver can do and needs, so that the loop and the servo can adapt to it.
public struct DriverAbilities: Sendable, Equatable {
    /// What the motors are sent.
    public enum Setpoint: String, Sendable {
        /// How fast to turn: they turn on until they are told otherwise.
        case velocity
        /// Where to be, streamed: they stand when nothing comes, having arrived.
        case position
    }

    /// Where the pose comes from.
    public enum Feedback: String, Sendable {
        /// The device measures it.
        case measured
        /// Nothing measures it: it is the commanded path, delayed as the profile says.
        case modelled
    }

    /// What the motors do after a stop.
    public enum Standstill: String, Sendable {
        /// They hold where they stand.
        case hold
        /// They have no torque for a moment; what is heavy sinks.
        case limp
    }

    /// The dock stops by itself when no set-point comes for this long; nil: it never does.
    public var deadman: Seconds?
    /// What it is sent.
    public var setpoint: Setpoint
    /// No more set-points a second than this: what the line or the device takes.
    public var mostSetpoints: Double
    /// The dock reports where it is.
    public var reportsPose: Bool
    /// Where that comes from.
    public var feedback: Feedback
    /// What a stop means.
    public var standstill: Standstill
    /// The dock has a battery and tells about it.
    public var reportsBattery: Bool
    /// The dock keeps an emergency stop latched by itself, and reports it; else only the daemon does.
    public var keepsLatch: Bool
    /// A rig that talks and does not hear shows itself: it answers what it is asked, or tells that its deadman has stopped
    /// it. Else nothing tells it from one that is blocked.
    public var showsDeafness: Bool
    /// What the rig's own camera can magnify, 1 = none; nil: it has none that can be told.
    public var magnification: ClosedRange<Double>?
    /// Its motors can be let go of; else `torque off` is answered with an error, and it is only not moved.
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
