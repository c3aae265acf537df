/// How long something took, counted in bins of at most 6 % width from 1 µs to 1 s; adding is a shift and an increment.
public struct LatencyHistogram: Sendable, Equatable {
    private var bins = [UInt32](repeating: 0, count: 20 * 16 + 1)
    /// Number of values.
    public private(set) var count = 0

    /// Sixteen bins an octave: the exponent and four bits of the mantissa of the number of microseconds.
    private static let shift = 48, one = Int(1.0.bitPattern >> 48)

    /// Empty.
    public init() {}

    /// Counts a duration in seconds.
    public mutating func add(_ seconds: Double) { add(bin: Self.bin(of: seconds)) }

    /// The bin of a duration in seconds.
    static func bin(of seconds: Double) -> Int {
        let microseconds = seconds * 1e6
        let bin = microseconds > 1 ? Int(microseconds.bitPattern >> shift) - one : 0
        return min(bin, 20 * 16)
    }

    mutating func add(bin: Int) {
        bins[bin] &+= 1
        count += 1
    }

    /// Takes back a value that was counted there.
    mutating func remove(bin: Int) {
        bins[bin] &-= 1
        count -= 1
    }

    /// Upper edges in seconds of the classes that `counts` tells of, as metrics have them.
    public static let bounds: [Double] = [
        0.000_05, 0.000_1, 0.000_2, 0.000_5, 0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1,
    ]

    /// How many values are at most as large as each of `bounds`, in its order; the lanes behind them are 0. A bin that holds a bound
    /// counts as below it, so that a value may be 6 % larger. Without memory of its own: it is asked for on the loop's thread.
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

    /// The value (seconds, upper edge of its bin) below which `share` (0...1) of all lie; nil if there is none.
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
