internal import Geometry

/// Detects an axis that is blocked while it is commanded in short pushes, each too short for a stall in
/// `FollowingErrorDetector`. Tracking moves like this until the signs are proven (`Burst`), and so does a key that is tapped.
///
/// The watch adds up the path of the pushes in one direction since the axis last made progress.
struct PushWatch: Sendable, Equatable {
    /// A push is faster than this, rad/s; slower commands belong to `PressWatch`.
    static let speed = FollowingErrorDetector.stallSpeed
    /// An axis is blocked after this commanded path without motion, radians (more than one burst), and after this time,
    /// seconds. A rig that starts later than its profile says has moved by then.
    static let path = Burst.most * 1.25, time = FollowingErrorDetector.stallTime
    /// An axis that moves by this fraction of the path, or by this angle in either direction (radians), is not blocked.
    /// The angle is five times the noise of a cheap encoder, and its play.
    static let share = FollowingErrorDetector.stallShare, motion = Double.degrees(1.25)
    /// After a pause longer than this the sum starts again, seconds.
    static let longestPause: Seconds = 1

    /// The path so far; its sign is the direction.
    private var pushed = 0.0
    /// Position of the axis at the beginning of the path.
    private var from = 0.0
    /// Time since the path began, and since the last push.
    private var age: Seconds = 0, pause: Seconds = 0

    /// Records that the axis was at `position` (rad) after `time` seconds, in which velocities within `told` should
    /// have become visible.
    /// - Returns: the direction in which it is blocked, -1 or +1; nil: it is not blocked.
    mutating func moved(to position: Double, in time: Seconds, told: ClosedRange<Double>) -> Double? {
        // The smallest velocity on which the commands agree.
        let least = told.lowerBound > 0 ? told.lowerBound : min(told.upperBound, 0)
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
