public import Geometry

/// How much of something there may be: a stock that is used up and grows again at a steady rate. Pure; time is handed in.
public struct Allowance: Sendable, Equatable {
    private let rate: Double
    private let most: Double
    private var left: Double
    private var at: Seconds = -.infinity

    /// `most` at once, and `rate` a second in the long run.
    public init(_ rate: Double, most: Double) {
        (self.rate, self.most, left) = (rate, most, most)
    }

    /// How much is there, whole pieces.
    public mutating func available(now: Seconds) -> Int {
        if at.isFinite { left = min(most, left + max(0, now - at) * rate) }
        at = now
        return Int(max(0, left))
    }

    /// Takes as much of `count` as there is; how much that was.
    public mutating func take(_ count: Int = 1, now: Seconds) -> Int {
        let taken = min(count, available(now: now))
        left -= Double(taken)
        return taken
    }

    /// When there will be so much, as of the last time that somebody asked; CLOCK_MONOTONIC.
    public func due(_ count: Int) -> Seconds { at + max(0, (min(Double(count), most) - left) / rate) }
}

/// What of a kind of lines is told: the first twenty, then one a second. How many were left out stands in the next one.
public struct LogGate: Sendable, Equatable {
    private var allowance = Allowance(1, most: 20)
    private var leftOut = 0

    /// Nothing was told yet.
    public init() {}

    /// The line as it is to be told; nil: it is left out.
    public mutating func pass(_ line: String, now: Seconds) -> String? {
        guard allowance.take(now: now) == 1 else {
            leftOut += 1
            return nil
        }
        defer { leftOut = 0 }
        return leftOut == 0 ? line : "\(line) (\(leftOut) more like it were left out)"
    }
}
