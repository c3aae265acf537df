/// A histogram of durations in bins of at most 6 % width, from 1 µs to 1 s. Adding a value is a shift and an increment.
public struct LatencyHistogram: Sendable, Equatable {
    private var bins = [UInt32](repeating: 0, count: 20 * 16 + 1)
    /// The number of values.
    public private(set) var count = 0

    /// Sixteen bins per octave: the exponent and four bits of the mantissa of the number of microseconds.
    private static let shift = 48, one = Int(1.0.bitPattern >> 48)

    /// Creates an empty histogram.
    public init() {}

    /// Counts a duration in seconds.
    public mutating func add(_ seconds: Double) { add(bin: Self.bin(of: seconds)) }

    /// Returns the bin of a duration in seconds.
    static func bin(of seconds: Double) -> Int {
        let microseconds = seconds * 1e6
        let bin = microseconds > 1 ? Int(microseconds.bitPattern >> shift) - one : 0
        return min(bin, 20 * 16)
    }

    mutating func add(bin: Int) {
        bins[bin] &+= 1
        count += 1
    }

    /// Removes one value from a bin.
    mutating func remove(bin: Int) {
        bins[bin] &-= 1
        count -= 1
    }

    /// The upper edges, in seconds, of the classes of `counts`, as metrics use them.
    public static let bounds: [Double] = [
        0.000_05, 0.000_1, 0.000_2, 0.000_5, 0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1,
    ]

    /// The number of values at or below each of `bounds`, in the same order; the remaining lanes are 0. A bin that
    /// contains a bound counts as below it, so a value may be 6 % larger. Allocates nothing, because the loop's thread
    /// calls it.
    public var counts: SIMD16<UInt32> {
        var counts = SIMD16<UInt32>(), seen: UInt32 = 0, index = 0
        for (lane, bound) in Self.bounds.enumerated() {
            let last = Self.bin(of: bound)
            while index <= last {
                seen &+= bins[index]
                index += 1
            }
            counts[lane] = seen
        }
        return counts
    }

    /// Returns the value (in seconds, the upper edge of its bin) below which `share` (0...1) of all values lie, or nil
    /// if there are none.
    public func percentile(_ share: Double) -> Double? {
        guard count > 0 else { return nil }
        let wanted = Int((Double(count) * share).rounded(.up))
        var seen = 0
        for (index, bin) in bins.enumerated() {
            seen += Int(bin)
            if seen >= max(1, wanted) { return Double(bitPattern: UInt64(index + 1 + Self.one) << Self.shift) * 1e-6 }
        }
        return nil
    }
}
