internal import Geometry

/// When to renew a program's right to write, as a pure value.
///
/// It is renewed while the program gives signs of life. A program that hangs gives none, so its lease ends, and with it
/// the motion that it began.
struct LeaseKeeper: Sendable, Equatable {
    /// How long a lease may be renewed without a sign of life, in seconds.
    let patience: Seconds
    private var lastBeat: Seconds
    private var nextRenewal: Seconds
    /// Whether an answer to a renewal is pending.
    private var isAsking = false

    /// The time between two renewals, in seconds: a quarter of the lease's life.
    static let period: Seconds = 0.5

    init(patience: Seconds, now: Seconds) {
        self.patience = patience
        (lastBeat, nextRenewal) = (now, now + Self.period)
    }

    /// Records a sign of life.
    mutating func beat(now: Seconds) { lastBeat = max(lastBeat, now) }

    /// Whether the program has given no sign of life for too long.
    func isSilent(now: Seconds) -> Bool { now - lastBeat > patience }

    /// Returns whether to renew the lease now, and then expects an answer.
    mutating func isDue(now: Seconds) -> Bool {
        guard !isAsking, now >= nextRenewal, !isSilent(now: now) else { return false }
        (isAsking, nextRenewal) = (true, now + Self.period)
        return true
    }

    /// Records the answer to a renewal.
    mutating func answered() { isAsking = false }

    /// When to look again, or nil if only an answer or a sign of life changes anything.
    func deadline(now: Seconds) -> Seconds? { isAsking || isSilent(now: now) ? nil : nextRenewal }
}
