/// The largest integer whose square does not exceed `value`.
func integerRoot(_ value: UInt64) -> UInt32 {
    var rest = value
    var root: UInt64 = 0
    var bit: UInt64 = 1 << 62
    while bit > rest { bit >>= 2 }
    while bit != 0 {
        if rest >= root + bit {
            rest -= root + bit
            root = (root >> 1) + bit
        } else {
            root >>= 1
        }
        bit >>= 2
    }
    return UInt32(truncatingIfNeeded: root)
}

/// Sums `rate * microseconds` without losing the fraction below a whole unit.
struct Integrator: Sendable {
    private var rest: Int32 = 0

    /// Returns the whole units of `rate` units per second over `microseconds`; |rate| <= 2 000 000, microseconds <=
    /// 1000.
    mutating func step(_ rate: Int32, _ microseconds: Int32) -> Int32 {
        rest += rate * microseconds
        let whole = rest / 1_000_000
        rest -= whole * 1_000_000
        return whole
    }

    /// Discards the fraction.
    mutating func reset() { rest = 0 }
}

extension Int32 {
    /// This value, clamped to -limit...limit; `limit` must not be negative.
    func clamped(_ limit: Int32) -> Int32 { Swift.min(Swift.max(self, -limit), limit) }

    /// This value, clamped to the range.
    func clamped(_ low: Int32, _ high: Int32) -> Int32 { Swift.min(Swift.max(self, low), high) }
}
