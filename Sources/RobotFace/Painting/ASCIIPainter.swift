/// Draws a face with printable ASCII: each cell shows the character whose shape is closest to its samples.
struct ASCIIPainter: Sendable {
    private let frame: CellFrame
    private let samples: CellSamples
    private var shader = FaceShader()

    init(_ frame: CellFrame) {
        self.frame = frame
        samples = CellSamples(width: frame.width, height: frame.height, rows: 4)
    }

    /// Draws the face. The grid gets the painter's size.
    mutating func paint(_ face: FaceState, depth: ColourDepth, into grid: inout CellGrid) {
        grid.resize(columns: frame.columns, rows: frame.rows)
        shader.set(face, .coverage)
        for row in 0..<frame.rows {
            for column in 0..<frame.columns {
                let own = Cell.standard
                grid[row, column] = Cell(glyph: glyph(row, column), foreground: own, background: own)
            }
        }
        guard depth != .mono else { return }
        shader.set(face, depth.ink)
        let colours = CellColours(face.expression, depth)
        for row in 0..<frame.rows {
            for column in 0..<frame.columns {
                grid[row, column].foreground = colours.pixel(brightest(row, column))
                grid[row, column].background = colours.pixel(.zero)
            }
        }
    }

    private func patches(_ row: Int, _ column: Int) -> (upper: Patch, lower: Patch) {
        let middle = SIMD2(
            frame.left + (Float(column) + 0.5) * frame.width, frame.top + (Float(row) + 0.5) * frame.height)
        return (samples.patch(around: middle, pair: -0.5), samples.patch(around: middle, pair: 0.5))
    }

    private func glyph(_ row: Int, _ column: Int) -> UInt32 {
        let (upper, lower) = patches(row, column)
        let reach = upper.radius + frame.height
        guard shader.isLit(upper.middle, radius: reach) else { return 0x20 }
        let above = shader.light(upper, pixel: samples.pixel).red, below = shader.light(lower, pixel: samples.pixel).red
        var best: UInt32 = 0x20
        var least = Float.infinity
        for shape in Self.shapes {
            let error = (above - shape.upper) * (above - shape.upper) + (below - shape.lower) * (below - shape.lower)
            let sum = error.sum()
            if sum < least { (best, least) = (shape.glyph, sum) }
        }
        return best
    }

    /// Returns the brightest sample, which determines the colour: a mean would darken parts that only touch the cell.
    private func brightest(_ row: Int, _ column: Int) -> SIMD3<Float> {
        let (upper, lower) = patches(row, column)
        var best = SIMD3<Float>.zero
        for patch in [upper, lower] {
            let light = shader.light(patch, pixel: samples.pixel)
            for lane in 0..<8 where light[lane].sum() > best.sum() { best = light[lane] }
        }
        return best
    }

    private struct Shape: Sendable {
        var glyph: UInt32
        var upper: Lanes, lower: Lanes

        /// Creates a shape from four rows of four samples; `#` is ink.
        init(_ glyph: Unicode.Scalar, _ picture: StaticString) {
            self.glyph = glyph.value
            (upper, lower) = (.zero, .zero)
            for index in 0..<16 where picture.utf8Start[index] == 0x23 {
                if index < 8 { upper[index] = 1 } else { lower[index - 8] = 1 }
            }
        }
    }

    private static let shapes = [
        Shape(" ", "................"), Shape("#", "################"), Shape(".", ".............##."),
        Shape("_", "............####"), Shape("-", "........####...."), Shape("=", "....####....####"),
        Shape("'", ".##............."), Shape("\"", "####............"), Shape("^", ".##.#..#........"),
        Shape("/", "...#..##.##.##.."), Shape("\\", "#...##...##...##"), Shape("|", ".##..##..##..##."),
        Shape("(", "..##.##..##...##"), Shape(")", "##...##..##.##.."), Shape("o", ".....##..##....."),
        Shape("m", "........########"), Shape("Y", "########.##....."), Shape("\"", "########........"),
        Shape("a", "....############"), Shape("T", "############...."), Shape("[", "##..##..##..##.."),
        Shape("]", "..##..##..##..##"), Shape("{", "#...#...#...#..."), Shape("}", "...#...#...#...#"),
        Shape("b", "##..##..########"), Shape("d", "..##..##########"), Shape("P", "##########..##.."),
        Shape("q", "########..##..##"), Shape("L", "##..##..##..####"), Shape("J", "..##..##..######"),
        Shape("F", "######..##..##.."), Shape("7", "######.#..##..##"), Shape(",", "..........##.##."),
        Shape("`", ".##...##........"), Shape("V", "####.##........."), Shape("A", ".........##.####"),
        Shape("%", "##..##....##..##"), Shape("&", "..##..####..##.."),
    ]
}
