/// Colours of texts, boxes and labels over the face, for each colour depth.
struct TextInk {
    var text: UInt32, status: UInt32, label: UInt32, bar: UInt32, ground: UInt32

    init(_ depth: ColourDepth) {
        switch depth {
        case .trueColour: (text, status, label, bar, ground) = (0xE6EAF0, 0xAAB4C0, 0xFFFFFF, 0x181C22, 0x000000)
        case .palette256: (text, status, label, bar, ground) = (255, 249, 231, 234, 16)
        case .palette16: (text, status, label, bar, ground) = (15, 7, 15, 0, 0)
        case .mono:
            let own = Cell.standard
            (text, status, label, bar, ground) = (own, own, own, own, own)
        }
    }
}
