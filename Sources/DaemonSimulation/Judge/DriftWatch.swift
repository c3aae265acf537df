internal import Geometry

/// A dock that never stops by itself, and was told to stop where the line carried nothing: it is told again.
struct DriftWatch {
    /// When the line was last mended, the last stop went out, and the port was greeted last; nothing is asked before.
    private var soundAt: Seconds = 0, stoppedAt: Seconds = 0
    private var turnsSince: Seconds?

    /// Slower is standing, rad/s; a report has its noise.
    static let standing = Double.degrees(2)
    /// A dock may take so long to stand before it is told again, seconds.
    static let patience: Seconds = 0.5
    /// Shorter is no turning, but the twitch of a dock that takes the place where it stands, noise and all, for its goal; seconds.
    static let twitch: Seconds = 0.1
    /// Two reports of a dock at rest, and a turn, seconds.
    static let report: Seconds = 0.22

    /// The line is sound from then on.
    mutating func sound(from time: Seconds) { soundAt = max(soundAt, time) }
    /// A stop went out.
    mutating func stopped(at time: Seconds) { stoppedAt = time }

    /// The line is sound, and the last set-point on the wire is a stop; what is wrong, nil: nothing.
    mutating func passed(to time: Seconds, speed: Double, coasting: Seconds) -> String? {
        guard speed > Self.standing else {
            turnsSince = nil
            return nil
        }
        turnsSince = turnsSince ?? time
        guard let turnsSince, time > turnsSince + Self.twitch else { return nil }
        let told = max(soundAt, stoppedAt + Self.patience) + Self.report
        guard time > told + coasting else { return nil }
        let late = Int(1000 * (time - stoppedAt))
        return "turns at \(speed.inDegrees) deg/s, and the last stop is \(late) ms old"
    }
}
