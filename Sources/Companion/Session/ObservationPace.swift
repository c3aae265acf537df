internal import Geometry

/// The rate of a program's observations: at most 60 a second are accepted.
struct ObservationPace: Sendable, Equatable {
    private var tokens = Self.burst
    private var last: Seconds?
    private var period: Seconds?

    /// The number of observations per second that are accepted.
    static let most = 60.0
    /// The number of observations that may arrive at once, after a delay.
    static let burst = 4.0

    /// Returns whether this observation is accepted.
    mutating func admits(now: Seconds) -> Bool {
        if let last {
            let gap = max(0, now - last)
            // This is two percent above nominal, because the program's clock may run that fast.
            tokens = min(Self.burst, tokens + gap * Self.most * 1.02)
            period = gap > 1 ? nil : period.map { $0 + 0.2 * (gap - $0) } ?? gap
        }
        last = now
        guard tokens >= 1 else { return false }
        tokens -= 1
        return true
    }

    /// The number of observations per second, or nil if not yet known.
    var rate: Double? { period.flatMap { $0 > 0 ? 1 / $0 : nil } }
}
