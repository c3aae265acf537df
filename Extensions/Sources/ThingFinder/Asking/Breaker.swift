internal import Geometry

/// Keeps requests away from a verifier that fails: it gets the next one after a pause, which grows.
struct Breaker: Sendable, Equatable {
    /// When the next request may be sent, CLOCK_MONOTONIC.
    private(set) var next: Seconds = -.infinity
    /// What went wrong last, or nil if nothing did since the last answer.
    private(set) var problem: String?
    private var failures = 0

    /// The pause after the first failure, and after all later ones, in seconds. A model needs a minute to load, and the
    /// person who wants the thing should not wait much longer than that.
    static let first: Seconds = 5, later: Seconds = 11
    /// The longest pause that a verifier may ask for, in seconds.
    static let longest: Seconds = 600

    /// Receives that the verifier has answered.
    mutating func succeeded() { self = Breaker() }

    /// Receives that it has not.
    /// - Parameter wanted: how long it wants to be left alone, in seconds.
    mutating func failed(_ problem: String, retryAfter wanted: Seconds?, now: Seconds) {
        failures += 1
        self.problem = problem
        let own = failures == 1 ? Self.first : Self.later
        // Not a number, or a negative one, is no wish.
        let asked = wanted.map { $0 > 0 ? min($0, Self.longest) : 0 } ?? 0
        next = now + max(own, asked)
    }

    /// Whether a request may be sent.
    func allows(now: Seconds) -> Bool { now >= next }
}
