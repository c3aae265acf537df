#if canImport(Glibc)
    internal import Glibc
#endif
public import Geometry

/// The mechanics of a rig: what two motors and a head do when velocities are asked of them.
///
/// Pan + = the dock's right, tilt + = up; rad, rad/s. Speed, acceleration and end stops of the model are never exceeded;
/// only an end stop or a block takes speed away faster than the acceleration allows.
public struct Plant: Sendable {
    /// The figures.
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

    /// A rig that stands still at a pose; the pose is moved into the model's ranges.
    public init(model: RigModel, pose: PanTilt = .zero) {
        self.model = model
        tickShare = Self.share(of: Self.longestStep, lag: model.lag)
        pan = Joint(pose.pan.clamped(to: model.panRange))
        tilt = Joint(pose.tilt.clamped(to: model.tiltRange))
    }

    /// Where the head looks: behind the play.
    public var pose: PanTilt { PanTilt(pan: pan.head, tilt: tilt.head) }
    /// Where the motors stand: what an encoder reads.
    public var motors: PanTilt { PanTilt(pan: pan.position, tilt: tilt.position) }
    /// How fast the motors turn.
    public var rate: PanTilt { PanTilt(pan: pan.velocity, tilt: tilt.velocity) }
    /// Whether nothing moves.
    public var isAtRest: Bool { pan.velocity == 0 && tilt.velocity == 0 }

    /// Goes on by `elapsed` seconds while the motors follow the velocities; longer times are cut into steps of 1 ms.
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

    /// The share of the way to its target that a velocity goes in one step.
    private static func share(of step: Seconds, lag: Seconds) -> Double { lag > 0 ? 1 - exp(-step / lag) : 1 }
}

/// One motor and what hangs on it.
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
        let wish = abs(target) < model.stiction ? 0 : target.clamped(to: -model.maximumSpeed...model.maximumSpeed)
        if wish == velocity && velocity == 0 { return }
        let most = model.maximumAcceleration * elapsed
        velocity += ((wish - velocity) * share).clamped(to: -most...most)
        // The tail of the exponential: slower than 0.001 deg/s is standing still.
        if wish == 0, abs(velocity) < 2e-5 { velocity = 0 }
        position += velocity * elapsed
        if !range.contains(position) {
            position = position.clamped(to: range)
            velocity = 0
        }
        head = head.clamped(to: position - model.backlash / 2...position + model.backlash / 2)
    }
}
