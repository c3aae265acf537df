internal import Glibc

/// A small seeded generator (SplitMix64): the same seed gives the same behaviour.
struct RandomSource: RandomNumberGenerator, Sendable {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }

    /// Returns a number that is uniform over 0..<1.
    mutating func unit() -> Double { Double(next() >> 11) * 0x1p-53 }

    /// Returns a number that is uniform over a range.
    mutating func even(_ range: ClosedRange<Double>) -> Double {
        range.lowerBound + unit() * (range.upperBound - range.lowerBound)
    }

    /// Returns a normal number with mean 0 and standard deviation 1.
    mutating func normal() -> Double {
        let radius = (-2 * log(1 - unit())).squareRoot()
        return radius * cos(2 * .pi * unit())
    }

    /// Returns a log-normal number with the given mean. `deviation` is that of the logarithm.
    mutating func logNormal(mean: Double, deviation: Double) -> Double {
        exp(log(mean) - deviation * deviation / 2 + deviation * normal())
    }

    /// Returns the distance from the centre of a two-dimensional normal with the given deviation.
    mutating func rayleigh(_ deviation: Double) -> Double { deviation * (-2 * log(1 - unit())).squareRoot() }
}
