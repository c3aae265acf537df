internal import Geometry

/// Decides when a connection ends because its client does not read, or after a refusal. It is pure: the caller passes
/// the time.
struct ConnectionEnd {
    /// The time without progress of the output after which the client counts as no longer reading, in seconds.
    static let patience: Seconds = 30
    /// The time for which input is discarded after an overlong line, so that the client can read the reason, in
    /// seconds.
    static let linger: Seconds = 2

    private var stuckSince: Seconds?
    private var closeBy: Seconds?

    /// Whether a time limit is pending.
    var isPending: Bool { stuckSince != nil || closeBy != nil }

    /// Records that the output has advanced.
    mutating func recordProgress() { stuckSince = nil }

    /// Records whether output waits that the client must read (`isStuck`).
    mutating func record(isStuck: Bool, now: Seconds) { stuckSince = isStuck ? stuckSince ?? now : nil }

    /// Records that the last answer to a refused input was sent.
    /// - Returns: whether to close the writing side now, which happens once.
    mutating func shutDown(now: Seconds) -> Bool {
        guard closeBy == nil else { return false }
        closeBy = now + Self.linger
        return true
    }

    /// Returns whether the connection must end now.
    func isDue(now: Seconds) -> Bool {
        if let stuckSince, now - stuckSince > Self.patience { return true }
        return closeBy.map { now >= $0 } ?? false
    }
}
