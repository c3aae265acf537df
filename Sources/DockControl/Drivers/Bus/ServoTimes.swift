internal import Geometry

/// When the servos were last heard, and how old their positions are.
struct ServoTimes: Sendable, Equatable {
    /// When both last reported their positions.
    private(set) var readAt: Seconds = -.infinity
    /// When they measured these.
    private(set) var measuredAt: Seconds = -.infinity
    /// When any of them last answered.
    private(set) var heardAt: Seconds = -.infinity

    /// The servos are greeted again.
    mutating func restart(now: Seconds) { (readAt, heardAt) = (-.infinity, now) }

    mutating func heard(now: Seconds) { heardAt = now }

    /// Both positions arrived now. The times of measurement, which are estimates, rise from reading to reading.
    mutating func read(now: Seconds, measured: Seconds) {
        readAt = now
        measuredAt = max(measuredAt + 0.001, measured)
    }

    /// Whether a servo with this watchdog (seconds; nil: none) is about to take no more goals.
    func isLosing(watchdog: Seconds?, now: Seconds) -> Bool { watchdog.map { now - heardAt > 0.7 * $0 } ?? false }
}
