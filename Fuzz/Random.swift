/// A small generator with a seed (SplitMix64): the same seed gives the same inputs, so a failing one can be had again.
struct Random: RandomNumberGenerator {
    private var state: UInt64

    init(_ seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }

    /// 0..<bound; the bias is far below what matters here.
    mutating func below(_ bound: Int) -> Int { Int(truncatingIfNeeded: next() >> 33) % max(1, bound) }

    mutating func byte() -> UInt8 { UInt8(truncatingIfNeeded: next() >> 56) }

    mutating func chance(_ one: Int) -> Bool { below(one) == 0 }

    mutating func pick<Element>(_ all: [Element]) -> Element { all[below(all.count)] }

    /// An integer that is often at an end of some range.
    mutating func wild32() -> UInt32 {
        switch below(4) {
        case 0: [0, 1, 0x7FFF_FFFF, 0x8000_0000, 0xFFFF_FFFF, 0xFFFF, 0x100, 0x0100_0000][below(8)]
        case 1: UInt32(below(1000))
        default: UInt32(truncatingIfNeeded: next())
        }
    }
}
