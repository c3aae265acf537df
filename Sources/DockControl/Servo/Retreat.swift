public import Geometry

/// The way back from what blocked an axis: 3 degrees against the blocked motion, slowly, once, for a second at most.
///
/// It ends early where it gets no further, turns the wrong way or loses sight of the pose: whatever it is, standing still
/// is safer then. A dock that latched by itself is not backed off: it refuses every set-point until it is cleared, and a
/// retreat under way when it latches ends there. Our own dock lets this one happen, and backs off by itself where it is first
/// (`StallRetreat` of `DockFirmware`).
public struct Retreat: Sendable, Equatable {
    /// Which axis goes back; the other one stands still.
    public let axis: Axis
    /// -1 or +1.
    public let direction: Double
    private let from: Double
    private let start: Seconds

    /// How far, radians.
    public static let distance = Double.degrees(3)
    /// How fast, rad/s.
    public static let speed = Double.degrees(10)
    /// How long at most, seconds.
    public static let longest: Seconds = 1
    /// An axis that has hardly moved after this is blocked this way, too, seconds.
    static let patience: Seconds = 0.5
    static let least = Double.degrees(0.5), wrongWay = Double.degrees(1.5)

    /// From a verdict, at a pose (rad); nil where going back is not safe: the axis obeys nobody, no longer presses
    /// against what blocks it, is outside `range` (rad), or hardly inside it on that side.
    public init?(_ verdict: FollowingWatch.Verdict, pose: PanTilt, range: ClosedRange<Double>, now: Seconds) {
        let position = pose[verdict.axis],
            way = SafetyMutant.retreatsForward.isOn ? verdict.direction : -verdict.direction
        guard verdict.mayRetreat, range.contains(position) else { return nil }
        let room = way > 0 ? range.upperBound - position : position - range.lowerBound
        guard room > Self.least else { return nil }
        axis = verdict.axis
        direction = way
        from = position
        start = now
    }

    /// The velocity at `now` (rad/s) for a pose (rad; nil: not known); nil: it is over.
    /// - Parameters:
    ///   - now: CLOCK_MONOTONIC.
    ///   - pose: where the dock is, radians.
    ///   - delay: from a command until it acts, seconds: it stops that much earlier.
    public func velocity(now: Seconds, pose: PanTilt?, delay: Seconds) -> PanTilt? {
        guard let pose, now - start < Self.longest else { return nil }
        let gone = (pose[axis] - from) * direction
        let distance = SafetyMutant.retreatsFar.isOn ? .infinity : Self.distance
        guard gone + Self.speed * delay < distance, gone > -Self.wrongWay else { return nil }
        guard gone > Self.least || now - start < Self.patience else { return nil }
        var velocity = PanTilt.zero
        velocity[axis] = direction * Self.speed
        return velocity
    }
}
