/// The colours of one expression on terminals with few colours. They are chosen by hand, because the nearest palette
/// colour along a gradient jumps between hues.
struct FacePalette: Sendable {
    /// The ramp from dark to bright: two steps of the soft edge, then rim (also the brow), inside and core. There is no
    /// halo, because its few steps would show as bands.
    private var ramp: [UInt8]
    private var accent: (dim: UInt8, full: UInt8)
    private let isSmall: Bool

    init(_ expression: Expression, depth: ColourDepth) {
        let row = expression.ramp
        isSmall = depth == .palette16
        ramp = isSmall ? row.small : row.large
        accent = isSmall ? (row.smallAccent, row.smallAccent) : (row.accentDim, row.accent)
    }

    /// Returns the palette index for the brightness of eyes and brows, and of marks and blush, 0...1.
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
struct FaceRamp: Sendable, Equatable {
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
