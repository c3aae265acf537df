public import Geometry

/// A straight move between two poses with the least jerk: at rest at both ends.
public struct MinimumJerk: Sendable, Equatable {
    /// The pose where the move begins, in radians.
    public let from: PanTilt
    /// The pose where the move ends, in radians.
    public let to: PanTilt
    /// The time when the move begins, in seconds.
    public let start: Seconds
    /// The duration of the move, in seconds.
    public let duration: Seconds

    /// Creates a move between two poses (rad) from `start` for `duration` seconds.
    public init(from: PanTilt, to: PanTilt, start: Seconds, duration: Seconds) {
        self.from = from
        self.to = to
        self.start = start
        self.duration = duration
    }

    /// Returns the pose (rad) and rate (rad/s) at `now`.
    public func target(at now: Seconds) -> (pose: PanTilt, rate: PanTilt) {
        guard duration > 0, now < start + duration else { return (to, .zero) }
        let s = ((now - start) / duration).clamped(to: 0...1)
        let way = s * s * s * (10 + s * (6 * s - 15))
        let speed = 30 * s * s * (1 + s * (s - 2)) / duration
        return (from + (to - from) * way, (to - from) * speed)
    }

    /// Returns the shortest duration (s) that stays inside a fraction of the rig's speed (peak 1.875 d/T) and
    /// acceleration (peak 5.774 d/T²).
    public static func shortestDuration(from: PanTilt, to: PanTilt, profile: RigProfile, share: Double) -> Seconds {
        var shortest = 0.0
        for axis in Axis.allCases {
            let way = abs(to[axis] - from[axis])
            shortest = max(
                shortest, 1.875 * way / (share * profile[axis].maxSpeed),
                (5.774 * way / (share * profile[axis].maxAcceleration)).squareRoot())
        }
        return shortest
    }
}
