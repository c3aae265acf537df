public import Geometry

/// The motion back from an obstacle: 3 degrees against the blocked motion at 10 deg/s, once, for at most one second.
///
/// It ends early if the axis makes no progress, turns the wrong way, or if the pose is unknown, because a standstill is
/// then safer. A dock that latched by itself does not back off, because it rejects every set-point until it is cleared.
/// A retreat in progress ends when the dock latches. Our own dock allows this retreat, and backs off by itself if it
/// detects the block first (`StallRetreat` of `DockFirmware`).
public struct Retreat: Sendable, Equatable {
    /// The axis that backs off. The other one stays at rest.
    public let axis: Axis
    /// The direction, -1 or +1.
    public let direction: Double
    private let from: Double
    private let start: Seconds

    /// The angle of the retreat, in radians.
    public static let distance = Double.degrees(3)
    /// The speed of the retreat, in rad/s.
    public static let speed = Double.degrees(10)
    /// The longest duration, in seconds.
    public static let longest: Seconds = 1
    /// The time after which an axis that has hardly moved also counts as blocked in this direction, in seconds.
    static let patience: Seconds = 0.5
    static let least = Double.degrees(0.5), wrongWay = Double.degrees(1.5)

    /// Creates a retreat from a verdict at a pose (rad). The result is nil if a motion back is not safe: the axis
    /// ignores commands, no longer presses against an obstacle, or is outside `range` (rad) or too close to its end on
    /// that side.
    public init?(_ verdict: FollowingErrorDetector.Verdict, pose: PanTilt, range: ClosedRange<Double>, now: Seconds) {
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

    /// Returns the velocity at `now` (rad/s), or nil if the retreat is over.
    /// - Parameters:
    ///   - now: CLOCK_MONOTONIC.
    ///   - pose: the pose of the dock, in radians, or nil if unknown.
    ///   - delay: the time from a command until it takes effect, in seconds. The retreat stops that much earlier.
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
