internal import Geometry

/// A motion that a person or a program requested.
enum ManualMotion: Sendable, Equatable {
    /// A velocity (rad/s) that expires at a time.
    case turn(PanTilt, until: Seconds)
    /// A move to a pose.
    case move(MinimumJerk)

    /// The progress of a move after its planned end.
    enum Arrival { case underWay, arrived, short }

    /// The distance within which a goal counts as reached, in radians.
    static let tolerance = Double.degrees(0.2)
    /// The distance within which a head at rest counts as arrived, in radians: play and stiction may stop it there.
    static let coarse = Double.degrees(1)
    /// The speed below which a head counts as stationary, in rad/s.
    static let stillness = Double.degrees(0.5)
    /// The time that a stationary head has to arrive after the planned end of a move, in seconds.
    static let settleTime: Seconds = 0.6
    /// The time that a moving head has to arrive, in seconds: its speed may have been reduced during the move.
    static let longestDelay: Seconds = 30

    /// Returns the progress of a motion toward `goal`; `over` is the number of seconds since its planned end.
    static func arrival(at goal: PanTilt, motion: MotionSample, over: Seconds) -> Arrival {
        let error = (motion.pose - goal).magnitude
        guard over > 0 else { return .underWay }
        if error < tolerance { return .arrived }
        let stands = motion.rate.magnitude < stillness
        guard over > longestDelay || (over > settleTime && stands) else { return .underWay }
        return error < coarse ? .arrived : .short
    }
}
