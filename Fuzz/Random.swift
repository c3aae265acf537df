/// The simulator's generator (scripts/fuzz compiles its file in). The same seed gives the same inputs, so a failure can
/// be reproduced.
typealias Random = SeededRandom

extension SeededRandom {
    init(_ seed: UInt64) { self.init(seed: seed) }

    /// 0..<bound; the bias is negligible here.
    mutating func below(_ bound: Int) -> Int { Int(truncatingIfNeeded: next() >> 33) % max(1, bound) }

    mutating func byte() -> UInt8 { UInt8(truncatingIfNeeded: next() >> 56) }

    mutating func chance(_ one: Int) -> Bool { below(one) == 0 }

    mutating func pick<Element>(_ all: [Element]) -> Element { all[below(all.count)] }

    /// An integer that is often at the end of a range.
    mutating func wild32() -> UInt32 {
        switch below(4) {
        case 0: [0, 1, 0x7FFF_FFFF, 0x8000_0000, 0xFFFF_FFFF, 0xFFFF, 0x100, 0x0100_0000][below(8)]
        case 1: UInt32(below(1000))
        default: UInt32(truncatingIfNeeded: next())
        }
    }
}
