internal import Geometry

/// The rate of a program's observations: at most 60 a second are accepted.
struct ObservationPace: Sendable, Equatable {
    private var tokens = Self.burst
    private var last: Seconds?
    private var period: Seconds?

    /// Observations per second that are accepted.
    static let most = 60.0
    /// How many may arrive at once, after a delay.
    static let burst = 4.0

    /// Whether this observation is accepted.
    mutating func admits(now: Seconds) -> Bool {
        if let last {
            let gap = max(0, now - last)
            // Two percent above nominal: the program's clock may run that fast.
            tokens = min(Self.burst, tokens + gap * Self.most * 1.02)
            period = gap > 1 ? nil : period.map { $0 + 0.2 * (gap - $0) } ?? gap
        }
        last = now
        guard tokens >= 1 else { return false }
        tokens -= 1
        return true
    }

    /// Observations per second; nil: not known yet.
    var rate: Double? { period.flatMap { $0 > 0 ? 1 / $0 : nil } }
}
