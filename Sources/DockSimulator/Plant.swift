#if canImport(Glibc)
    internal import Glibc
#endif
public import Geometry

/// The mechanics of a rig: how two motors and a head respond to commanded velocities.
///
/// Pan + = the dock's right, tilt + = up; rad, rad/s. Speed, acceleration and end stops of the model are never
/// exceeded. Only an end stop or an obstacle slows an axis faster than the acceleration allows.
public struct Plant: Sendable {
    /// The model's parameters.
    public let model: RigModel
    /// Motors that are blocked.
    public var blocked: Set<Axis> = [] {
        didSet {
            pan.isBlocked = blocked.contains(.pan)
            tilt.isBlocked = blocked.contains(.tilt)
        }
    }

    private let tickShare: Double
    private var pan: Joint
    private var tilt: Joint

    /// A rig at rest at a pose, which is clamped to the model's ranges.
    public init(model: RigModel, pose: PanTilt = .zero) {
        self.model = model
        tickShare = Self.share(of: Self.longestStep, lag: model.lag)
        pan = Joint(pose.pan.clamped(to: model.panRange))
        tilt = Joint(pose.tilt.clamped(to: model.tiltRange))
    }

    /// The pose of the head, after the play.
    public var pose: PanTilt { PanTilt(pan: pan.head, tilt: tilt.head) }
    /// The pose of the motors, as an encoder reads it.
    public var motors: PanTilt { PanTilt(pan: pan.position, tilt: tilt.position) }
    /// Speed of the motors.
    public var rate: PanTilt { PanTilt(pan: pan.velocity, tilt: tilt.velocity) }
    /// Whether nothing moves.
    public var isAtRest: Bool { pan.velocity == 0 && tilt.velocity == 0 }

    /// Advances by `elapsed` seconds while the motors follow the velocities. Longer times are divided into steps of 1
    /// ms.
    public mutating func advance(_ elapsed: Seconds, toward velocity: PanTilt) {
        var rest = elapsed.clamped(to: 0...3600)
        while rest > 0 {
            let step = min(rest, Self.longestStep)
            rest -= step
            let share = step == Self.longestStep ? tickShare : Self.share(of: step, lag: model.lag)
            pan.step(step, toward: velocity.pan, model, model.panRange, share)
            tilt.step(step, toward: velocity.tilt, model, model.tiltRange, share)
        }
    }

    private static let longestStep: Seconds = 0.001

    /// The fraction of the way to its target that a velocity covers in one step.
    private static func share(of step: Seconds, lag: Seconds) -> Double { lag > 0 ? 1 - exp(-step / lag) : 1 }
}

/// One motor and its load.
private struct Joint: Sendable {
    var position: Double
    var velocity: Double = 0
    var head: Double
    var isBlocked = false

    init(_ position: Double) {
        self.position = position
        head = position
    }

    /// One step.
    mutating func step(
        _ elapsed: Seconds, toward target: Double, _ model: RigModel, _ range: ClosedRange<Double>, _ share: Double
    ) {
        guard !isBlocked, target.isFinite else {
            velocity = 0
            return
        }
        let demand = abs(target) < model.stiction ? 0 : target.clamped(to: -model.maximumSpeed...model.maximumSpeed)
        if demand == velocity && velocity == 0 { return }
        let most = model.maximumAcceleration * elapsed
        velocity += ((demand - velocity) * share).clamped(to: -most...most)
        // The end of the exponential: below 0.001 deg/s the axis stands.
        if demand == 0, abs(velocity) < 2e-5 { velocity = 0 }
        position += velocity * elapsed
        if !range.contains(position) {
            position = position.clamped(to: range)
            velocity = 0
        }
        head = head.clamped(to: position - model.backlash / 2...position + model.backlash / 2)
    }
}
