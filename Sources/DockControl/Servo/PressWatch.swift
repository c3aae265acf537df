internal import Geometry

/// Notices an axis that presses: one that is blocked while it is commanded slowly, too slowly for `FollowingWatch` to call
/// it a stall at once.
///
/// It sums up the path that the commands should have brought about since the axis last really moved. Slow commands get
/// there later, but they get there. What a right rig may leave undone takes no part: commands at which motors stick are
/// not counted and wear the sum off, and little moves to and fro cancel out.
struct PressWatch: Sendable, Equatable {
    /// Below this command a motor may stick, rad/s; the cheap rig sticks below 1.5 degrees per second.
    static let creepSpeed = Double.degrees(2)
    /// No command counts more than this, rad/s: the time in which a motor gets up to speed is no press.
    static let countedSpeed = Double.degrees(8)
    /// Commanded so far, while it did not move, an axis presses, radians.
    static let path = Double.degrees(4.5)
    /// It moved if it got further than this, either way, radians; six times the noise that smoothing leaves of a cheap
    /// encoder's 0.25 degrees at 10 reports per second.
    static let motion = Double.degrees(0.75)
    /// Time constant that smooths the poses, seconds.
    static let smoothing: Seconds = 0.2

    /// Path upward and downward, radians, >= 0.
    private var up = 0.0, down = 0.0
    private var smoothed: Double?
    /// Where it stood when the path upward and downward began, radians: a reversal begins its own.
    private var upFrom = 0.0, downFrom = 0.0

    /// It was at `position` (rad) when `time` seconds had passed in which velocities within `told` should have shown.
    /// - Returns: the direction in which it presses, -1 or +1; nil: it does not.
    mutating func moved(to position: Double, in time: Seconds, told: ClosedRange<Double>) -> Double? {
        guard let last = smoothed else {
            smoothed = position
            (upFrom, downFrom) = (position, position)
            return nil
        }
        // The first terms of the exponential: exact enough, and no library.
        let now = last + (position - last) * time / (Self.smoothing + time)
        smoothed = now
        // The least that the commands agree on.
        let speed = told.lowerBound > 0 ? told.lowerBound : min(told.upperBound, 0)
        let isCreeping = abs(speed) < Self.creepSpeed
        // What goes back, goes back as fast as it is told to.
        up = max(0, up + (isCreeping ? -Self.creepSpeed : min(speed, Self.countedSpeed)) * time)
        down = max(0, down + (isCreeping ? -Self.creepSpeed : min(-speed, Self.countedSpeed)) * time)
        if abs(now - upFrom) > Self.motion || up == 0 { (up, upFrom) = (0, now) }
        if abs(now - downFrom) > Self.motion || down == 0 { (down, downFrom) = (0, now) }
        return up > Self.path ? 1 : down > Self.path ? -1 : nil
    }
}
