/// One decoder under fuzzing: how its inputs are made, and what must hold for every one of them.
///
/// What does not end as a sentence ends as a trap; both are failures.
protocol Target: SendableMetatype {
    /// How it is named on the command line.
    static var name: String { get }
    /// How many of a hundred inputs are its.
    static var share: Int { get }
    /// An input.
    static func make(_ random: inout Random) -> [UInt8]
    /// What is wrong, in a sentence; nil: all holds. Depends on the bytes alone.
    static func check(_ input: [UInt8]) -> String?
}

enum Targets {
    static let all: [any Target.Type] = [
        FrameTarget.self, DriverTarget.self, ForeignTarget.self, FirmwareTarget.self, DetectionTarget.self,
        JSONTarget.self,
    ]

    static func named(_ name: String) -> (any Target.Type)? { all.first { $0.name == name } }

    /// The target of input number `index`: by their shares, always in the same order.
    static func at(_ index: Int) -> any Target.Type {
        // 37 and 100 have no common divisor: the targets are mixed, and every hundred inputs have the same of each.
        var place = index * 37 % 100
        for target in all {
            if place < target.share { return target }
            place -= target.share
        }
        return all[0]
    }
}

/// A number that depends on the bytes alone, for choices inside a check.
func fingerprint(_ bytes: [UInt8]) -> UInt64 {
    var hash: UInt64 = 0xCBF2_9CE4_8422_2325
    for byte in bytes { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
    return hash
}
