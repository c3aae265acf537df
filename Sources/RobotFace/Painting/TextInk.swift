/// Colours of texts, boxes and labels over the face, for each colour depth.
struct TextInk {
    var text: UInt32, status: UInt32, label: UInt32, bar: UInt32, ground: UInt32

    init(_ depth: ColourDepth) {
        self.depth = depth
        switch depth {
        case .trueColour: (text, status, label, bar, ground) = (0xE6EAF0, 0xAAB4C0, 0xFFFFFF, 0x181C22, 0x000000)
        case .palette256: (text, status, label, bar, ground) = (255, 249, 231, 234, 16)
        case .palette16: (text, status, label, bar, ground) = (15, 7, 15, 0, 0)
        case .mono:
            let own = Cell.standard
            (text, status, label, bar, ground) = (own, own, own, own, own)
        }
    }

    private let depth: ColourDepth

    /// Returns the value of a colour.
    func value(of colour: TextColour) -> UInt32 {
        guard colour != .white else { return label }
        let index = TextColour.allCases.firstIndex(of: colour) ?? 0
        return switch depth {
        case .trueColour: Self.trueColours[index]
        case .palette256: Self.palette256[index]
        case .palette16: Self.palette16[index]
        case .mono: Cell.standard
        }
    }

    // The colours in the order of `TextColour`. A theme of 16 colours has no orange.
    private static let trueColours: [UInt32] = [
        0xFFFFFF, 0xA0A8B4, 0xFF5A52, 0xFF9A3C, 0xFFE14D, 0x5BE07A, 0x5BD8F0, 0x7AB0FF, 0xF07BE0,
    ]
    private static let palette256: [UInt32] = [231, 247, 203, 208, 221, 78, 80, 111, 176]
    private static let palette16: [UInt32] = [15, 7, 9, 3, 11, 10, 14, 12, 13]
}
