/// A decoder under fuzzing: its inputs, and what must hold for each of them.
///
/// A failure is a returned sentence or a trap.
protocol Target: SendableMetatype {
    /// Name on the command line.
    static var name: String { get }
    /// Percentage of the inputs.
    static var share: Int { get }
    /// Makes an input.
    static func make(_ random: inout Random) -> [UInt8]
    /// Returns what is wrong in a sentence, or nil. Depends on the bytes alone.
    static func check(_ input: [UInt8]) -> String?
}

enum Targets {
    static let all: [any Target.Type] = [
        FrameTarget.self, DriverTarget.self, ForeignTarget.self, FirmwareTarget.self, DetectionTarget.self,
        JSONTarget.self,
    ]

    static func named(_ name: String) -> (any Target.Type)? { all.first { $0.name == name } }

    /// The target of input number `index`: in proportion to the shares, always in the same order.
    static func at(_ index: Int) -> any Target.Type {
        // 37 and 100 have no common divisor, so the targets are mixed, and every hundred inputs have the right shares.
        var place = index * 37 % 100
        for target in all {
            if place < target.share { return target }
            place -= target.share
        }
        return all[0]
    }
}

/// A hash of the bytes, for choices inside a check.
func fingerprint(_ bytes: [UInt8]) -> UInt64 {
    var hash: UInt64 = 0xCBF2_9CE4_8422_2325
    for byte in bytes { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
    return hash
}
