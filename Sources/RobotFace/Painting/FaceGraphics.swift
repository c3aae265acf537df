/// The pixel graphics of terminals.
public enum FaceGraphics: String, Sendable, CaseIterable {
    /// Sixel: foot, xterm (as vt340), mlterm, WezTerm, Konsole.
    case sixel
    /// The kitty graphics protocol: kitty, Ghostty, WezTerm, Konsole.
    case kitty
}

/// Draws faces as pixels of one panel.
struct GraphicsPainter: Sendable {
    /// The maximum number of pixels. An image with more pixels would take longer than a frame, so block glyphs are used
    /// instead.
    static let mostPixels = 1_200_000

    /// The size of a pixel on the canvas, units.
    let pixel: Float
    private var sixel: SixelPainter?
    private var kitty: KittyPainter?

    /// Creates a painter. The result is nil if the panel is too large.
    init?(_ graphics: FaceGraphics, columns: Int, rows: Int, cell: SIMD2<Double>) {
        let width = Int(cell.x.rounded()), height = Int(cell.y.rounded())
        guard width > 1, height > 1, columns * width * rows * height <= Self.mostPixels else { return nil }
        pixel = CellFrame(columns: columns * width, rows: rows * height, aspect: 1).width
        switch graphics {
        case .sixel: sixel = SixelPainter(columns: columns, rows: rows, cellWidth: width, cellHeight: height)
        case .kitty: kitty = KittyPainter(columns: columns, rows: rows, cellWidth: width, cellHeight: height)
        }
    }

    mutating func invalidate() {
        sixel?.invalidate()
        kitty?.invalidate()
    }

    mutating func encode(_ face: FaceState, isSynchronized: Bool, into bytes: inout [UInt8]) {
        sixel?.encode(face, isSynchronized: isSynchronized, into: &bytes)
        kitty?.encode(face, isSynchronized: isSynchronized, into: &bytes)
    }
}
