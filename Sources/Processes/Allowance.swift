public import Geometry

/// A rate limit: a budget that is used up and refills at a steady rate. Pure; the caller passes the time.
public struct Allowance: Sendable, Equatable {
    private let rate: Double
    private let most: Double
    private var left: Double
    private var at: Seconds = -.infinity

    /// Creates an allowance of `most` at once, and `rate` per second in the long run.
    public init(_ rate: Double, most: Double) {
        (self.rate, self.most, left) = (rate, most, most)
    }

    /// Returns the available amount, in whole units.
    public mutating func available(now: Seconds) -> Int {
        if at.isFinite { left = min(most, left + max(0, now - at) * rate) }
        at = now
        return Int(max(0, left))
    }

    /// Spends at most `count`, and returns how much was spent.
    public mutating func spend(_ count: Int = 1, now: Seconds) -> Int {
        let spent = min(count, available(now: now))
        left -= Double(spent)
        return spent
    }

    /// Returns the time at which this amount will be available, as of the last call; CLOCK_MONOTONIC.
    public func due(_ count: Int) -> Seconds { at + max(0, (min(Double(count), most) - left) / rate) }
}

/// Limits log lines of one kind: the first twenty, then one per second. The next line contains the number of omitted
/// ones.
public struct LogGate: Sendable, Equatable {
    private var allowance = Allowance(1, most: 20)
    private var leftOut = 0

    /// Creates a gate that has passed no line yet.
    public init() {}

    /// Returns the line to log, or nil if it is omitted.
    public mutating func pass(_ line: String, now: Seconds) -> String? {
        guard allowance.spend(now: now) == 1 else {
            leftOut += 1
            return nil
        }
        defer { leftOut = 0 }
        return leftOut == 0 ? line : "\(line) (\(leftOut) similar lines omitted)"
    }
}
