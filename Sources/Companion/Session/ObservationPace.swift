internal import Geometry

/// How fast a program's observations come: more than 60 a second are too many.
struct ObservationPace: Sendable, Equatable {
    private var tokens = Self.burst
    private var last: Seconds?
    private var period: Seconds?

    /// Observations a second that are taken.
    static let most = 60.0
    /// A few may come at once, after a hiccup.
    static let burst = 4.0

    /// Whether this one is taken.
    mutating func admits(now: Seconds) -> Bool {
        if let last {
            let gap = max(0, now - last)
            // Two percent more than nominal: a clock of its own may be that fast.
            tokens = min(Self.burst, tokens + gap * Self.most * 1.02)
            period = gap > 1 ? nil : period.map { $0 + 0.2 * (gap - $0) } ?? gap
        }
        last = now
        guard tokens >= 1 else { return false }
        tokens -= 1
        return true
    }

    /// Observations a second; nil: not known yet.
    var rate: Double? { period.flatMap { $0 > 0 ? 1 / $0 : nil } }
}
