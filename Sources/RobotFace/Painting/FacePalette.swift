/// The colours of one expression where a terminal has few: chosen by hand, because the nearest palette colour of a
/// gradient jumps between hues.
struct FacePalette: Sendable {
    /// Dark to bright: two steps of the soft edge, then rim (also the brow), inside and core; no halo, for its few steps
    /// would show as bands.
    private var ramp: [UInt8]
    private var accent: (dim: UInt8, full: UInt8)
    private let isSmall: Bool

    init(_ expression: Expression, depth: ColourDepth) {
        let row = faceRamps[expression.index - 1]
        isSmall = depth == .palette16
        ramp = isSmall ? row.small : row.large
        accent = isSmall ? (row.smallAccent, row.smallAccent) : (row.accentDim, row.accent)
    }

    /// The palette index of a place where eyes and brows, and marks and blush, are so bright, 0...1.
    @inline(__always)
    func index(eye: Float, accent: Float) -> UInt32 {
        let black: UInt32 = isSmall ? 0 : 16
        if accent > eye {
            if isSmall { return accent < 0.5 ? black : UInt32(self.accent.full) }
            return accent < 0.2 ? black : UInt32(accent < 0.6 ? self.accent.dim : self.accent.full)
        }
        if isSmall { return eye < 0.37 ? black : UInt32(eye < 0.8 ? ramp[0] : ramp[1]) }
        if eye < 0.18 { return black }
        return UInt32(ramp[eye < 0.36 ? 0 : eye < 0.62 ? 1 : eye < 0.80 ? 2 : eye < 0.92 ? 3 : 4])
    }
}

/// One expression's palette colours.
struct FaceRamp: Sendable {
    /// Indices into the 256 colours: soft edge, edge, rim, inside, core; and the accent at its edge and inside.
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
    FaceRamp([23, 31, 38, 45, 81], accent: (31, 45), small: [6, 14], 14),
    FaceRamp([22, 65, 71, 77, 77], accent: (65, 77), small: [2, 10], 10),
    FaceRamp([17, 24, 25, 32, 32], accent: (25, 32), small: [4, 12], 12),
    FaceRamp([58, 94, 172, 214, 214], accent: (180, 230), small: [3, 11], 15),
    FaceRamp([17, 60, 62, 98, 99], accent: (60, 99), small: [5, 13], 13),
    FaceRamp([52, 88, 160, 196, 196], accent: (88, 196), small: [1, 9], 9),
    FaceRamp([58, 100, 106, 148, 148], accent: (94, 172), small: [2, 10], 3),
    FaceRamp([237, 243, 250, 253, 254], accent: (31, 75), small: [7, 15], 12),
    FaceRamp([23, 30, 44, 51, 51], accent: (136, 227), small: [6, 14], 11),
    FaceRamp([23, 29, 72, 79, 86], accent: (132, 211), small: [6, 14], 13),
    FaceRamp([52, 94, 166, 208, 208], accent: (137, 223), small: [3, 11], 15),
    FaceRamp([58, 100, 178, 220, 220], accent: (131, 203), small: [3, 11], 9),
    FaceRamp([17, 18, 62, 63, 63], accent: (67, 117), small: [4, 12], 14),
    FaceRamp([23, 30, 37, 44, 44], accent: (145, 231), small: [6, 14], 15),
    FaceRamp([22, 65, 107, 150, 192], accent: (145, 231), small: [2, 10], 15),
    FaceRamp([52, 95, 137, 179, 179], accent: (95, 179), small: [3, 3], 3),
    FaceRamp([53, 97, 134, 135, 135], accent: (136, 220), small: [5, 13], 11),
    FaceRamp([236, 95, 138, 174, 181], accent: (125, 204), small: [7, 15], 9),
    FaceRamp([53, 125, 198, 205, 205], accent: (125, 205), small: [5, 13], 13),
    FaceRamp([53, 96, 97, 140, 140], accent: (67, 117), small: [5, 13], 14),
    FaceRamp([22, 28, 35, 41, 41], accent: (109, 159), small: [2, 10], 15),
]
