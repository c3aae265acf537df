internal import Geometry

/// Notices an axis that is blocked while it is told to turn in short pushes, each too short for `FollowingWatch` to call it a stall:
/// tracking turns so until the picture has proven its signs (`Burst`), and so does a key that is tapped.
///
/// It sums up the path of the pushes in one direction since the axis last got anywhere.
struct PushWatch: Sendable, Equatable {
    /// A push is faster, rad/s; slower commands are `PressWatch`'s.
    static let speed = FollowingWatch.stallSpeed
    /// Told to go so far in vain, an axis is blocked, radians: more than one burst. A rig that begins later than its profile says has
    /// shown itself by then, and after so long, seconds.
    static let path = Burst.most * 1.25, time = FollowingWatch.stallTime
    /// Who gets this share of the path, or so far, either way, is not; radians. Five times the noise of a cheap encoder, and its play.
    static let share = FollowingWatch.stallShare, motion = Double.degrees(1.25)
    /// After a pause longer than this another story begins, seconds.
    static let longestPause: Seconds = 1

    /// So far; its sign is the direction.
    private var pushed = 0.0
    /// Where the axis stood when it began.
    private var from = 0.0
    /// Since it began, and since it was last pushed.
    private var age: Seconds = 0, pause: Seconds = 0

    /// It was at `position` (rad) when `time` seconds had passed in which velocities within `told` should have shown.
    /// - Returns: the direction in which it is blocked, -1 or +1; nil: it is not.
    mutating func moved(to position: Double, in time: Seconds, told: ClosedRange<Double>) -> Double? {
        // The least that the commands agree on.
        let least = told.lowerBound > 0 ? told.lowerBound : min(told.upperBound, 0)
        age += time
        // What goes back, however slowly, is no push on.
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
