/// Draws a face into a grid of cells, with two pixels per cell, one above the other.
struct HalfBlockPainter: Sendable {
    /// The layout. One of its rows is one row of pixels, of which there are two in a cell.
    private let frame: CellFrame
    private let samples: CellSamples
    private var shader = FaceShader()

    init(_ cells: CellFrame) {
        frame = CellFrame(columns: cells.columns, rows: cells.rows * 2, aspect: cells.aspect / 2)
        samples = CellSamples(width: frame.width, height: frame.height, rows: 4)
    }

    /// Draws the face. The grid gets the painter's size.
    mutating func paint(_ face: FaceState, depth: ColourDepth, into grid: inout CellGrid) {
        let columns = frame.columns
        grid.resize(columns: columns, rows: frame.rows / 2)
        shader.set(face, depth.ink)
        let colours = CellColours(face.expression, depth)
        grid.cells.withUnsafeMutableBufferPointer { cells in
            draw { row, column, light in
                let index = row / 2 * columns + column
                if row % 2 == 0 {
                    cells[index].foreground = colours.pixel(light)
                } else {
                    cells[index] = colours.halves(cells[index].foreground, colours.pixel(light))
                }
            }
        }
    }

    /// Returns the pixels that the union of all parts lights, row by row. The threshold is not one half: the sides of
    /// the normal eye cover exactly half a pixel at 40x12, which would be decided by chance.
    mutating func mask(_ face: FaceState) -> [Bool] {
        shader.set(face, .coverage)
        var mask = [Bool](repeating: false, count: frame.columns * frame.rows)
        draw { row, column, light in mask[row * frame.columns + column] = light.x >= CellColours.lit }
        return mask
    }

    /// Passes every pixel to `put`. The distance at the middle of a pixel shows whether an edge can cross it. Only then
    /// are 4 x 4 samples taken.
    @inline(__always)
    private func draw(_ put: (_ row: Int, _ column: Int, _ light: SIMD3<Float>) -> Void) {
        let reach = frame.reach
        for row in 0..<frame.rows {
            for first in stride(from: 0, to: frame.columns, by: 8) {
                let patch = frame.patch(row: row, column: first, down: 0.5)
                let last = min(first + 8, frame.columns)
                guard shader.isLit(patch.middle, radius: patch.radius + reach) else {
                    for column in first..<last { put(row, column, .zero) }
                    continue
                }
                let light = shader.light(patch, pixel: 2 * reach)
                let crosses = light.edge.least < reach
                for column in first..<last {
                    let lane = column - first
                    if crosses, light.edge[lane] < reach {
                        put(row, column, sampled(SIMD2(patch.x[lane], patch.y[lane])))
                    } else {
                        put(row, column, light[lane])
                    }
                }
            }
        }
    }

    private func sampled(_ middle: SIMD2<Float>) -> SIMD3<Float> {
        let upper = shader.light(samples.patch(around: middle, pair: -0.5), pixel: samples.pixel)
        let lower = shader.light(samples.patch(around: middle, pair: 0.5), pixel: samples.pixel)
        return SIMD3(
            (upper.red + lower.red).sum(), (upper.green + lower.green).sum(), (upper.blue + lower.blue).sum()) / 16
    }
}
