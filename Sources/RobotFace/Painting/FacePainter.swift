/// The glyphs that draw a face in a terminal's cells.
public enum FaceGlyphs: String, Sendable, CaseIterable {
    /// All block glyphs that nearly every font has: the finest edges.
    case blocks
    /// Only half blocks: coarser, but the same in every font.
    case half
    /// Printable ASCII, for fonts and lines that support nothing else.
    case ascii
}

/// Draws faces into the cells of one panel.
public struct FacePainter: Sendable {
    /// The glyphs that it uses.
    public let glyphs: FaceGlyphs
    /// The size of the image, in cells.
    public let columns: Int, rows: Int
    /// The height of a cell on the face's canvas, in units.
    let cellHeight: Float
    // Exactly one of them is set. They are not the payload of an enum, which would be copied for each frame.
    private var block: BlockPainter?
    private var half: HalfBlockPainter?
    private var ascii: ASCIIPainter?

    /// Creates a painter for a panel of columns x rows cells. `cellAspect` is a cell's height over its width (2 if a
    /// terminal does not report it).
    public init(_ glyphs: FaceGlyphs, columns: Int, rows: Int, cellAspect: Double = 2) {
        self.glyphs = glyphs
        self.columns = max(columns, 1)
        self.rows = max(rows, 1)
        let frame = CellFrame(columns: columns, rows: rows, aspect: cellAspect)
        cellHeight = frame.height
        switch glyphs {
        case .blocks: block = BlockPainter(frame)
        case .half: half = HalfBlockPainter(frame)
        case .ascii: ascii = ASCIIPainter(frame)
        }
    }

    /// Draws the face. The grid gets the painter's size.
    public mutating func paint(_ face: FaceState, depth: ColourDepth, into grid: inout CellGrid) {
        block?.paint(face, depth: depth, into: &grid)
        half?.paint(face, depth: depth, into: &grid)
        ascii?.paint(face, depth: depth, into: &grid)
    }
}
