internal import Geometry

/// When to try again after a connection has ended, as a pure value: soon, then after longer and longer pauses that
/// differ from one robot to another.
struct RetryPlan: Sendable, Equatable {
    /// The pauses, and after how long a connection the first one is used again.
    static let pauses: [Seconds] = [0.5, 1, 2, 4, 8, 15], goodAfter: Seconds = 30
    /// The pause after a server has refused this robot: a wrong secret does not become right by itself.
    static let refused: Seconds = 60

    private var attempt = 0
    private var dice: UInt64

    init(seed: UInt64) { dice = seed | 1 }

    /// Records that a connection lasted so long.
    mutating func lasted(_ time: Seconds) { if time >= Self.goodAfter { attempt = 0 } }

    /// Returns the next pause.
    mutating func next() -> Seconds {
        let pause = Self.pauses[min(attempt, Self.pauses.count - 1)]
        attempt = min(attempt + 1, Self.pauses.count - 1)
        // Xorshift: nothing depends on its quality, only that robots do not come all at once.
        dice ^= dice << 13
        dice ^= dice >> 7
        dice ^= dice << 17
        return pause * (0.5 + 0.5 * Double(dice >> 11) / Double(1 << 53 as UInt64))
    }
}
