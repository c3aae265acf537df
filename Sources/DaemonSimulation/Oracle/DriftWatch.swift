internal import Geometry

/// A dock without a deadman timer whose stop was lost on the line: the stop must be repeated.
struct DriftWatch {
    /// When the line was last repaired or the port last greeted, and when the last stop was sent. Nothing is required
    /// before.
    private var soundAt: Seconds = 0, stoppedAt: Seconds = 0
    private var turnsSince: Seconds?

    /// Slower counts as standing, because reports have noise, rad/s.
    static let standing = Double.degrees(2)
    /// Time that a dock has to stop before the stop is repeated, seconds.
    static let patience: Seconds = 0.5
    /// A shorter motion does not count. It is the twitch of a dock that takes its present, noisy position as its goal,
    /// seconds.
    static let twitch: Seconds = 0.1
    /// Two reports of a dock at rest, and a turn, seconds.
    static let report: Seconds = 0.22

    /// The line works from then on.
    mutating func sound(from time: Seconds) { soundAt = max(soundAt, time) }
    /// A stop was sent.
    mutating func stopped(at time: Seconds) { stoppedAt = time }

    /// Advances the time while the line works and the last set-point on the wire is a stop. Returns what is wrong, or
    /// nil.
    mutating func passed(to time: Seconds, speed: Double, coasting: Seconds) -> String? {
        guard speed > Self.standing else {
            turnsSince = nil
            return nil
        }
        turnsSince = turnsSince ?? time
        guard let turnsSince, time > turnsSince + Self.twitch else { return nil }
        let reportedBy = max(soundAt, stoppedAt + Self.patience) + Self.report
        guard time > reportedBy + coasting else { return nil }
        let late = Int(1000 * (time - stoppedAt))
        return "turns at \(speed.inDegrees) deg/s, and the last stop is \(late) ms old"
    }
}
