#if canImport(Glibc)
    internal import Glibc
#endif

/// A small seeded random generator (SplitMix64). The same seed gives the same run.
public struct SeededRandom: RandomNumberGenerator, Sendable {
    private var state: UInt64

    /// A generator with this seed.
    public init(seed: UInt64) { state = seed }

    /// The next 64 random bits.
    public mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }

    /// Uniformly distributed over 0..<1.
    public mutating func uniform() -> Double { Double(next() >> 11) * 0x1p-53 }

    /// Normally distributed with mean 0 and standard deviation 1 (Box-Muller).
    public mutating func normal() -> Double {
        sqrt(-2 * log(1 - uniform())) * cos(2 * .pi * uniform())
    }
}
