public import Geometry

/// The time until the next attempt, as a pure value: soon at first, then less often.
public struct BackOff: Sendable, Equatable {
    /// The first delay and the longest, in seconds.
    public static let first: Seconds = 0.1, longest: Seconds = 2

    private var delay: Seconds = 0

    /// Creates a value before the first attempt.
    public init() {}

    /// Records an attempt that failed. Returns the seconds until the next one.
    public mutating func failed() -> Seconds {
        delay = delay == 0 ? Self.first : min(delay * 2, Self.longest)
        return delay
    }

    /// Records an attempt that succeeded.
    public mutating func succeeded() { delay = 0 }
}
