/// Draws a face into a grid of cells, two pixels a cell, one above the other.
public struct HalfBlockPainter: Sendable {
    /// Size of the pictures, in cells.
    public let columns: Int, rows: Int
    /// Height of a cell over its width.
    public let cellAspect: Double
    private var sampler: FaceSampler
    private var pixels: [FacePixel]

    /// For a panel of columns x rows cells; `cellAspect` is a cell's height over its width (2 where a terminal does not
    /// tell).
    public init(columns: Int, rows: Int, cellAspect: Double = 2) {
        self.columns = max(columns, 1)
        self.rows = max(rows, 1)
        self.cellAspect = cellAspect
        let aspect = Float(cellAspect.isFinite ? min(max(cellAspect, 0.5), 4) : 2)
        sampler = FaceSampler(columns: self.columns, rows: self.rows * 2, aspect: aspect / 2)
        pixels = Array(repeating: FacePixel(), count: self.columns * self.rows * 2)
    }

    /// Draws the face; the grid takes the painter's size.
    public mutating func paint(_ face: FaceState, depth: ColourDepth, into grid: inout CellGrid) {
        grid.resize(columns: columns, rows: rows)
        draw(face, halo: depth == .trueColour)
        let palette = FacePalette(face.expression, depth: depth)
        pixels.withUnsafeBufferPointer { pixels in
            LinearColour.encoded.withUnsafeBufferPointer { table in
                grid.cells.withUnsafeMutableBufferPointer { cells in
                    for row in 0..<rows {
                        for column in 0..<columns {
                            let index = row * 2 * columns + column
                            cells[row * columns + column] = Self.cell(
                                pixels[index], pixels[index + columns], depth, palette, table)
                        }
                    }
                }
            }
        }
    }

    /// Which pixels the union of all parts lights, row by row. Not from one half up: the sides of the normal eye cover
    /// exactly half a pixel at 40x12, a coin toss.
    mutating func mask(_ face: FaceState) -> [Bool] {
        draw(face, halo: false)
        return pixels.map { $0.coverage >= Self.lit }
    }

    private mutating func draw(_ face: FaceState, halo: Bool) {
        sampler.set(face, halo: halo)
        pixels.withUnsafeMutableBufferPointer { sampler.draw(columns: columns, into: $0) }
    }

    private static let lit: Float = 0.45

    @inline(__always)
    private static func cell(
        _ top: FacePixel, _ bottom: FacePixel, _ depth: ColourDepth, _ palette: FacePalette,
        _ table: UnsafeBufferPointer<UInt8>
    ) -> Cell {
        let above: UInt32, below: UInt32
        switch depth {
        case .mono:
            let isTop = top.coverage >= lit, isBottom = bottom.coverage >= lit
            let glyph: UInt32 = isTop ? (isBottom ? 0x2588 : 0x2580) : isBottom ? 0x2584 : 0x20
            return Cell(glyph: glyph, foreground: Cell.standard, background: Cell.standard)
        case .trueColour:
            above = packedRGB(top.light, table)
            below = packedRGB(bottom.light, table)
        case .palette256, .palette16:
            above = palette.index(top.part, top.level)
            below = palette.index(bottom.part, bottom.level)
        }
        return above == below
            ? Cell(glyph: 0x20, foreground: above, background: above)
            : Cell(glyph: 0x2580, foreground: above, background: below)
    }
}
