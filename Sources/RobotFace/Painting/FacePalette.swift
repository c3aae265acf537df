/// What a pixel belongs to.
enum FacePart: Sendable {
    case ground, eye, brow, blush, mark
}

/// The colours of one expression where a terminal has few: chosen by hand, because the nearest palette colour of a
/// gradient jumps between hues.
struct FacePalette: Sendable {
    /// 256 colours: two steps of halo, a dim one (also the brow's edge), the rim, the core; then the accent, dim and full.
    private var ramp: [UInt8]
    private var accent: (dim: UInt8, full: UInt8)
    private let isSmall: Bool

    init(_ expression: Expression, depth: ColourDepth) {
        let row = faceRamps[expression.index - 1]
        isSmall = depth == .palette16
        ramp = isSmall ? row.small : row.large
        accent = isSmall ? (row.smallAccent, row.smallAccent) : (row.accentDim, row.accent)
    }

    /// The palette index of a part at a brightness of 0...1.
    func index(_ part: FacePart, _ level: Float) -> UInt32 {
        let black: UInt32 = isSmall ? 0 : 16
        switch part {
        case .ground:
            if isSmall || level < 0.012 { return black }
            return UInt32(level < 0.05 ? ramp[0] : ramp[1])
        case .eye, .brow:
            if isSmall { return level < 0.37 ? black : UInt32(level < 0.8 ? ramp[0] : ramp[1]) }
            return UInt32(level < 0.2 ? ramp[1] : level < 0.5 ? ramp[2] : level < 0.87 ? ramp[3] : ramp[4])
        case .blush, .mark:
            if isSmall { return level < 0.5 ? black : UInt32(accent.full) }
            return UInt32(level < 0.6 ? accent.dim : accent.full)
        }
    }
}

/// One expression's palette colours.
struct FaceRamp: Sendable {
    /// Indices into the 256 colours, dark to bright: halo, halo, dim, rim, core.
    var large: [UInt8]
    var accentDim: UInt8, accent: UInt8
    /// Indices into the 16 colours: rim, core.
    var small: [UInt8]
    var smallAccent: UInt8

    init(_ large: [UInt8], accent: (UInt8, UInt8), small: [UInt8], _ smallAccent: UInt8) {
        self.large = large
        (accentDim, self.accent) = accent
        self.small = small
        self.smallAccent = smallAccent
    }
}

/// In the order of the expressions.
let faceRamps: [FaceRamp] = [
    FaceRamp([17, 24, 31, 38, 45], accent: (31, 45), small: [6, 14], 14),
    FaceRamp([22, 28, 34, 71, 77], accent: (34, 77), small: [2, 10], 10),
    FaceRamp([17, 18, 25, 26, 32], accent: (25, 32), small: [4, 12], 12),
    FaceRamp([52, 94, 130, 172, 214], accent: (180, 230), small: [3, 11], 15),
    FaceRamp([17, 54, 60, 62, 98], accent: (60, 98), small: [5, 13], 13),
    FaceRamp([52, 88, 124, 160, 196], accent: (124, 196), small: [1, 9], 9),
    FaceRamp([22, 58, 64, 106, 148], accent: (94, 172), small: [2, 10], 3),
    FaceRamp([235, 238, 102, 152, 195], accent: (31, 75), small: [7, 15], 12),
    FaceRamp([23, 30, 37, 44, 51], accent: (178, 227), small: [6, 14], 11),
    FaceRamp([23, 29, 36, 79, 86], accent: (132, 211), small: [6, 10], 13),
    FaceRamp([52, 94, 130, 173, 209], accent: (180, 223), small: [3, 11], 15),
    FaceRamp([58, 100, 136, 178, 220], accent: (131, 203), small: [3, 11], 9),
    FaceRamp([17, 18, 19, 62, 63], accent: (67, 117), small: [4, 12], 14),
    FaceRamp([23, 29, 30, 37, 44], accent: (145, 231), small: [6, 14], 15),
    FaceRamp([22, 58, 65, 107, 150], accent: (145, 231), small: [2, 10], 15),
    FaceRamp([52, 58, 94, 137, 173], accent: (94, 173), small: [3, 7], 7),
    FaceRamp([53, 54, 91, 128, 135], accent: (136, 220), small: [5, 13], 11),
    FaceRamp([52, 95, 131, 138, 181], accent: (125, 204), small: [7, 15], 9),
    FaceRamp([52, 89, 125, 162, 205], accent: (162, 205), small: [5, 13], 13),
    FaceRamp([53, 54, 96, 97, 140], accent: (67, 117), small: [5, 13], 14),
    FaceRamp([22, 28, 28, 34, 40], accent: (109, 159), small: [2, 10], 15),
]
