/// Draws a face with all block glyphs that nearly every font has: smooth areas as two colours, one above the other, and
/// edges as the best-fitting glyph.
///
/// The distance at the middle of each half of a cell shows whether an edge can cross it. Only then are 4 x 8 samples
/// taken.
struct BlockPainter: Sendable {
    private let frame: CellFrame
    private let samples: CellSamples
    private var shader = FaceShader()

    init(_ frame: CellFrame) {
        self.frame = frame
        // A glyph has no soft edge, and samples with a soft edge would shift the drawn edge. This was measured in
        // xterm.
        samples = CellSamples(width: frame.width, height: frame.height, rows: 8, sharpness: 2)
    }

    /// Draws the face. The grid gets the painter's size.
    mutating func paint(_ face: FaceState, depth: ColourDepth, into grid: inout CellGrid) {
        grid.resize(columns: frame.columns, rows: frame.rows)
        shader.set(face, depth.ink)
        fill(&grid, CellColours(face.expression, depth))
    }

    /// Fills the grid. The function is not mutating, so that the closure does not copy the painter for each patch.
    private func fill(_ grid: inout CellGrid, _ colours: CellColours) {
        let columns = frame.columns, rows = frame.rows
        let dark = colours.halves(colours.pixel(.zero), colours.pixel(.zero))
        grid.cells.withUnsafeMutableBufferPointer { cells in
            for row in 0..<rows {
                for first in stride(from: 0, to: columns, by: 8) {
                    let line = cells[(row * columns + first)..<(row * columns + min(first + 8, columns))]
                    paint(row, first, colours, dark, UnsafeMutableBufferPointer(rebasing: line))
                }
            }
        }
    }

    /// Draws up to eight cells of a row.
    @inline(__always)
    private func paint(
        _ row: Int, _ first: Int, _ colours: CellColours, _ dark: Cell, _ cells: UnsafeMutableBufferPointer<Cell>
    ) {
        let middle = frame.patch(row: row, column: first, down: 0.5)
        guard shader.isLit(middle.middle, radius: middle.radius + frame.height) else {
            for index in cells.indices { cells[index] = dark }
            return
        }
        if shader.isCalm(middle.middle, radius: middle.radius + Self.calm) {
            let light = shader.light(middle, pixel: frame.width)
            let pixels = colours.pixels(light)
            for lane in cells.indices { cells[lane] = colours.whole(pixels[lane]) }
            return
        }
        let upper = shader.light(frame.patch(row: row, column: first, down: 0.25), pixel: frame.width)
        let lower = shader.light(frame.patch(row: row, column: first, down: 0.75), pixel: frame.width)
        // An edge cuts a half cell if it is closer than the half cell extends in its direction. The difference between
        // the distances at the two halves gives that direction.
        let half = frame.height / 2
        let up = smaller(magnitude(upper.edge - lower.edge) * (1 / half), Lanes(repeating: 1))
        let reach = 0.5 * (half * up + frame.width * roots(1 - up * up)) + frame.width / 10
        let cutsUpper = upper.edge .< reach, cutsLower = lower.edge .< reach
        let above = colours.pixels(upper), below = colours.pixels(lower)
        for lane in cells.indices {
            if cutsUpper[lane] || cutsLower[lane] {
                let middle = SIMD2(middle.x[lane], middle.y[lane])
                let halo = (
                    left: (upper.leftHalo[lane] + lower.leftHalo[lane]) / 2,
                    right: (upper.rightHalo[lane] + lower.rightHalo[lane]) / 2
                )
                // A half without an edge has the colour of its middle.
                let first = cutsUpper[lane] ? sample(middle, -1.5, halo) : FaceLight(upper, lane: lane)
                let second = cutsUpper[lane] ? sample(middle, -0.5, halo) : first
                let third = cutsLower[lane] ? sample(middle, 0.5, halo) : FaceLight(lower, lane: lane)
                let fourth = cutsLower[lane] ? sample(middle, 1.5, halo) : third
                cells[lane] = colours.fitted(first, second, third, fourth)
            } else {
                cells[lane] = colours.halves(above[lane], below[lane])
            }
        }
    }

    private func sample(_ middle: SIMD2<Float>, _ pair: Float, _ halo: (left: Float, right: Float)) -> FaceLight {
        shader.light(samples.patch(around: middle, pair: pair), pixel: samples.pixel, halo: halo)
    }

    /// The distance from every edge, in units, beyond which the light changes so slowly that a cell has one colour.
    private static let calm: Float = 0.15
}
