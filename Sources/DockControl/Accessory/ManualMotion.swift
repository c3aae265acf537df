internal import Geometry

/// A motion that a person or a program asked for.
enum ManualMotion: Sendable, Equatable {
    /// A velocity (rad/s) that expires.
    case turn(PanTilt, until: Seconds)
    /// A move to a pose.
    case move(MinimumJerk)

    /// After the planned end of a move, this long is given to arrive, seconds.
    static let settleTime: Seconds = 0.6

    typealias Path = (Seconds) -> (pose: PanTilt, rate: PanTilt)

    /// The velocity (rad/s) at `now`, or nil when the motion is over.
    func velocity(
        now: Seconds, motion: MotionSample, along: (Path, Seconds, MotionSample) -> PanTilt
    ) -> PanTilt? {
        switch self {
        case .turn(let velocity, let until):
            return now < until ? velocity : nil
        case .move(let move):
            let over = now - move.start - move.duration
            let arrived = (motion.pose - move.to).magnitude < .degrees(0.2)
            if over > 0, arrived || over > Self.settleTime { return nil }
            return along(move.target, now, motion)
        }
    }
}
