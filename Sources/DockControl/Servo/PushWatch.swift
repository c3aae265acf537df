internal import Geometry

/// Detects an axis that is blocked while it is commanded in short pushes, each too short for a stall in
/// `FollowingErrorDetector`. Tracking moves like this until the signs are proven (`Burst`), and a tapped key has the
/// same effect.
///
/// The watch adds up the path of the pushes in one direction since the axis last made progress.
struct PushWatch: Sendable, Equatable {
    /// The speed that a push exceeds, in rad/s. Slower commands belong to `PressWatch`.
    static let speed = FollowingErrorDetector.stallSpeed
    /// The commanded path (radians, more than one burst) and the time (seconds) without motion after which an axis is
    /// blocked. A rig that starts later than its profile says has moved by then.
    static let path = Burst.most * 1.25, time = FollowingErrorDetector.stallTime
    /// The fraction of the path, and the angle in either direction (radians), by which an axis must move to count as
    /// not blocked. The angle is five times the noise of a cheap encoder, and its play.
    static let share = FollowingErrorDetector.stallShare, motion = Double.degrees(1.25)
    /// The pause after which the sum starts again, in seconds.
    static let longestPause: Seconds = 1

    /// The path so far; its sign is the direction.
    private var pushed = 0.0
    /// The position of the axis at the beginning of the path.
    private var from = 0.0
    /// The time since the path began, and since the last push.
    private var age: Seconds = 0, pause: Seconds = 0

    /// Records that the axis was at `position` (rad) after `time` seconds, in which velocities within `commanded` should
    /// have become visible.
    /// - Returns: the direction in which it is blocked, -1 or +1, or nil if it is not blocked.
    mutating func moved(to position: Double, in time: Seconds, commanded: ClosedRange<Double>) -> Double? {
        // The smallest velocity on which the commands agree.
        let least = commanded.lowerBound > 0 ? commanded.lowerBound : min(commanded.upperBound, 0)
        age += time
        // A motion back, however slow, does not continue the push.
        if least * pushed < 0, abs(least) > PressWatch.creepSpeed { begin(at: position) }
        guard abs(least) > Self.speed else {
            pause += time
            if pause > Self.longestPause { begin(at: position) }
            return nil
        }
        pause = 0
        if pushed == 0 { begin(at: position) }
        pushed += least * time
        if abs(position - from) > max(Self.motion, Self.share * abs(pushed)) { begin(at: position) }
        return abs(pushed) > Self.path && age > Self.time ? (pushed < 0 ? -1 : 1) : nil
    }

    private mutating func begin(at position: Double) { (pushed, from, age) = (0, position, 0) }
}
