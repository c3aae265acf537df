/// A small generator (SplitMix64) for tests with random input, so that a failure can be repeated by its seed.
public struct Dice: RandomNumberGenerator, Sendable {
    private var state: UInt64

    /// Creates a generator; the same seed gives the same numbers.
    public init(_ seed: UInt64) { state = seed &* 0x9E37_79B9_7F4A_7C15 }

    /// Returns the next number.
    public mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var z = state
        z = (z ^ z >> 30) &* 0xBF58_476D_1CE4_E5B9
        z = (z ^ z >> 27) &* 0x94D0_49BB_1331_11EB
        return z ^ z >> 31
    }

    /// Returns true once in so many throws, on average.
    public mutating func once(in count: Int) -> Bool { Int.random(in: 0..<max(1, count), using: &self) == 0 }
}
