internal import DockSimulator

/// The simulator's generator with a seed: the same seed gives the same run, so a failure can be repeated.
public struct Seeded: RandomNumberGenerator, Sendable {
    private var random: SeededRandom

    /// A generator that starts from the seed.
    public init(_ seed: UInt64) { random = SeededRandom(seed: seed) }

    /// The next 64 random bits.
    public mutating func next() -> UInt64 { random.next() }
}
