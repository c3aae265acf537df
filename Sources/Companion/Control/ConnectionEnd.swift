internal import Geometry

/// When a connection ends because its client does not read, or after a refusal. Pure, with time handed in.
struct ConnectionEnd {
    /// If output does not advance for this long, the client no longer reads, seconds.
    static let patience: Seconds = 30
    /// How long input is discarded after an overlong line, so that the client can read the reason, seconds.
    static let linger: Seconds = 2

    private var stuckSince: Seconds?
    private var closeBy: Seconds?

    /// Whether it waits for a moment.
    var isPending: Bool { stuckSince != nil || closeBy != nil }

    /// Output has advanced.
    mutating func recordProgress() { stuckSince = nil }

    /// `isStuck`: output waits that the client must read.
    mutating func record(isStuck: Bool, now: Seconds) { stuckSince = isStuck ? stuckSince ?? now : nil }

    /// The last answer to a refused input was sent.
    /// - Returns: whether to close the writing side now; it is closed once.
    mutating func shutDown(now: Seconds) -> Bool {
        guard closeBy == nil else { return false }
        closeBy = now + Self.linger
        return true
    }

    /// Whether it has come.
    func isDue(now: Seconds) -> Bool {
        if let stuckSince, now - stuckSince > Self.patience { return true }
        return closeBy.map { now >= $0 } ?? false
    }
}
