internal import Geometry

/// Detects an axis that is blocked while it is commanded too slowly for `FollowingErrorDetector` to call it a stall at
/// once.
///
/// The watch adds up the path that the commands should have caused since the axis last really moved. Slow commands take
/// longer to reach the limit, but they reach it. The sum leaves out what a correct rig may not execute: commands at
/// which motors stick are not counted and reduce the sum, and small motions back and forth cancel out.
struct PressWatch: Sendable, Equatable {
    /// The command below which a motor may stick, in rad/s. The cheap rig sticks below 1.5 deg/s.
    static let creepSpeed = Double.degrees(2)
    /// The upper bound of the speed that counts, in rad/s, because an axis does not press while its motor gets up to
    /// speed.
    static let countedSpeed = Double.degrees(8)
    /// The commanded path without motion after which an axis counts as blocked, in radians.
    static let path = Double.degrees(4.5)
    /// The distance in either direction beyond which the axis has moved, in radians. This is six times the noise that
    /// smoothing leaves of a cheap encoder's 0.25 degrees at 10 reports per second.
    static let motion = Double.degrees(0.75)
    /// The time constant that smooths the poses, in seconds.
    static let smoothing: Seconds = 0.2

    /// The path upward and downward, radians, >= 0.
    private var up = 0.0, down = 0.0
    private var smoothed: Double?
    /// The position when the path upward and downward began, in radians. A reversal begins a new path.
    private var upFrom = 0.0, downFrom = 0.0

    /// Records that the axis was at `position` (rad) after `time` seconds, in which velocities within `commanded` should
    /// have become visible.
    /// - Returns: the direction in which it presses, -1 or +1, or nil if it does not press.
    mutating func moved(to position: Double, in time: Seconds, commanded: ClosedRange<Double>) -> Double? {
        guard let last = smoothed else {
            smoothed = position
            (upFrom, downFrom) = (position, position)
            return nil
        }
        // The first terms of the exponential are accurate enough and need no library.
        let now = last + (position - last) * time / (Self.smoothing + time)
        smoothed = now
        // The smallest velocity on which the commands agree.
        let speed = commanded.lowerBound > 0 ? commanded.lowerBound : min(commanded.upperBound, 0)
        let isCreeping = abs(speed) < Self.creepSpeed
        // A motion back reduces the path at the full commanded speed.
        up = max(0, up + (isCreeping ? -Self.creepSpeed : min(speed, Self.countedSpeed)) * time)
        down = max(0, down + (isCreeping ? -Self.creepSpeed : min(-speed, Self.countedSpeed)) * time)
        if abs(now - upFrom) > Self.motion || up == 0 { (up, upFrom) = (0, now) }
        if abs(now - downFrom) > Self.motion || down == 0 { (down, downFrom) = (0, now) }
        return up > Self.path ? 1 : down > Self.path ? -1 : nil
    }
}
