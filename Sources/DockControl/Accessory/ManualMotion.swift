internal import Geometry

/// A motion that a person or a program asked for.
enum ManualMotion: Sendable, Equatable {
    /// A velocity (rad/s) that expires.
    case turn(PanTilt, until: Seconds)
    /// A move to a pose.
    case move(MinimumJerk)

    /// Where a move is, after its planned end.
    enum Arrival { case underWay, arrived, short }

    /// So near is there, radians.
    static let tolerance = Double.degrees(0.2)
    /// A head that stands still so near its goal has arrived as well as it can, radians: play, stiction.
    static let coarse = Double.degrees(1)
    /// A head slower than this stands still, rad/s.
    static let stillness = Double.degrees(0.5)
    /// After the planned end of a move, this long is given to arrive also to a head that stands still, seconds ...
    static let settleTime: Seconds = 0.6
    /// ... and this long to one that still moves: its speed was cut while it was under way.
    static let longestDelay: Seconds = 30

    /// Where a motion toward `goal` is, `over` seconds after its planned end.
    static func arrival(at goal: PanTilt, motion: MotionSample, over: Seconds) -> Arrival {
        let error = (motion.pose - goal).magnitude
        guard over > 0 else { return .underWay }
        if error < tolerance { return .arrived }
        let stands = motion.rate.magnitude < stillness
        guard over > longestDelay || (over > settleTime && stands) else { return .underWay }
        return error < coarse ? .arrived : .short
    }
}
