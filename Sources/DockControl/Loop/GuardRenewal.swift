internal import Geometry

/// When a guard that is gone is replaced, and what is reported about it.
///
/// A new guard starts in the background and reports in a later turn. Until then a dock without a deadman does not move.
struct GuardRenewal: Sendable, Equatable {
    /// A new guard is started no more often than this, seconds.
    static let pause: Seconds = 1

    private var nextAttempt: Seconds = -.infinity
    /// A new guard was started and has not reported yet.
    private var isAwaited = false
    /// A guard stands, or the next one may still come: nobody has been told that there is none.
    private var isExpected = true

    /// Whether to start a new guard now.
    mutating func isDue(now: Seconds) -> Bool {
        guard now >= nextAttempt else { return false }
        nextAttempt = now + Self.pause
        return true
    }

    /// A start was attempted.
    /// - Parameter isStarting: a new guard is starting.
    /// - Returns: whether to report, once, that there is no guard. One that was started the last time and has not reported since is none.
    mutating func attempted(isStarting: Bool) -> Bool {
        defer { isAwaited = isStarting }
        guard isExpected, isAwaited || !isStarting else { return false }
        isExpected = false
        return true
    }

    /// A guard is alive.
    /// - Returns: whether it is one that was awaited, which gets the port now.
    mutating func stands() -> Bool {
        guard isAwaited else { return false }
        (isAwaited, isExpected) = (false, true)
        return true
    }
}
