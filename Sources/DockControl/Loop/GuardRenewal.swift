internal import Geometry

/// Decides when an ended guard is replaced, and what is reported about it.
///
/// A new guard starts in the background and reports in a later turn. Until then a dock without a deadman does not move.
struct GuardRenewal: Sendable, Equatable {
    /// The shortest time between two starts of a guard, in seconds.
    static let pause: Seconds = 1

    private var nextAttempt: Seconds = -.infinity
    /// Whether a new guard was started and has not reported yet.
    private var isAwaited = false
    /// Whether a guard is running or may still start, so that its absence has not been reported.
    private var isExpected = true

    /// Returns whether to start a new guard now.
    mutating func isDue(now: Seconds) -> Bool {
        guard now >= nextAttempt else { return false }
        nextAttempt = now + Self.pause
        return true
    }

    /// Processes the result of an attempted start.
    /// - Parameter isStarting: a new guard is starting.
    /// - Returns: whether to report, once, that there is no guard. A guard that was started last time and has not
    ///   reported since then does not count.
    mutating func attempted(isStarting: Bool) -> Bool {
        defer { isAwaited = isStarting }
        guard isExpected, isAwaited || !isStarting else { return false }
        isExpected = false
        return true
    }

    /// Records that a guard is alive.
    /// - Returns: whether it is the awaited one, which then gets the port.
    mutating func guardStarted() -> Bool {
        guard isAwaited else { return false }
        (isAwaited, isExpected) = (false, true)
        return true
    }
}
