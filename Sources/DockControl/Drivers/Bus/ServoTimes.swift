internal import Geometry

/// When the servos last answered, and how old their positions are.
struct ServoTimes: Sendable, Equatable {
    /// When both servos last reported their positions.
    private(set) var readAt: Seconds = -.infinity
    /// When they measured these positions.
    private(set) var measuredAt: Seconds = -.infinity
    /// When any of them last answered.
    private(set) var heardAt: Seconds = -.infinity

    /// Starts again: the servos are greeted at `now`.
    mutating func restart(now: Seconds) { (readAt, heardAt) = (-.infinity, now) }

    mutating func heard(now: Seconds) { heardAt = now }

    /// Records that both positions arrived now. The times of measurement, which are estimates, increase from reading to
    /// reading.
    mutating func read(now: Seconds, measured: Seconds) {
        readAt = now
        measuredAt = max(measuredAt + 0.001, measured)
    }

    /// Returns whether a servo with this watchdog (seconds, or nil if there is none) is about to stop accepting goals.
    func isNearTimeout(watchdog: Seconds?, now: Seconds) -> Bool { watchdog.map { now - heardAt > 0.7 * $0 } ?? false }
}
