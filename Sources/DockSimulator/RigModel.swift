public import Geometry

/// The parameters of a plant: motion and reports of a rig.
public struct RigModel: Sendable, Equatable {
    /// Name for people.
    public var name: String
    /// Highest speed, rad/s.
    public var maximumSpeed: Double
    /// Highest acceleration, rad/s².
    public var maximumAcceleration: Double
    /// Time constant with which the motor follows its target (first order), seconds.
    public var lag: Seconds
    /// Time from a byte written by the host to its effect, seconds.
    public var commandLatency: Seconds
    /// Variation of the command latency to either side, seconds.
    public var commandJitter: Seconds
    /// Play between motor and head, rad, from end to end.
    public var backlash: Double
    /// The motor does not move below this speed, rad/s.
    public var stiction: Double
    /// Time from a measurement to its arrival at the host, seconds.
    public var reportAge: Seconds
    /// Standard deviation of a position reading, rad.
    public var reportNoise: Double
    /// Range of pan, rad.
    public var panRange: ClosedRange<Double>
    /// Range of tilt, rad.
    public var tiltRange: ClosedRange<Double>

    /// A model from its parts. The ranges default to pan ±170 and tilt -30...80 degrees.
    public init(
        name: String, maximumSpeed: Double, maximumAcceleration: Double, lag: Seconds, commandLatency: Seconds,
        commandJitter: Seconds, backlash: Double, stiction: Double, reportAge: Seconds, reportNoise: Double,
        panRange: ClosedRange<Double> = .degrees(-170)...(.degrees(170)),
        tiltRange: ClosedRange<Double> = .degrees(-30)...(.degrees(80))
    ) {
        self.name = name
        self.maximumSpeed = maximumSpeed
        self.maximumAcceleration = maximumAcceleration
        self.lag = lag
        self.commandLatency = commandLatency
        self.commandJitter = commandJitter
        self.backlash = backlash
        self.stiction = stiction
        self.reportAge = reportAge
        self.reportNoise = reportNoise
        self.panRange = panRange
        self.tiltRange = tiltRange
    }

    /// A good rig: bus servos with encoders and negligible play.
    public static let good = RigModel(
        name: "good", maximumSpeed: .degrees(120), maximumAcceleration: .degrees(600), lag: 0.040,
        commandLatency: 0.015, commandJitter: 0.004, backlash: 0, stiction: 0, reportAge: 0.010,
        reportNoise: .degrees(0.05))

    /// A cheap rig: slow, with play, sticking at low speed.
    public static let cheap = RigModel(
        name: "cheap", maximumSpeed: .degrees(90), maximumAcceleration: .degrees(300), lag: 0.080,
        commandLatency: 0.030, commandJitter: 0.010, backlash: .degrees(0.6), stiction: .degrees(1.5),
        reportAge: 0.020, reportNoise: .degrees(0.25))

    /// Range of an axis, rad.
    public func range(_ axis: Axis) -> ClosedRange<Double> { axis == .pan ? panRange : tiltRange }
}
