/// Draws a face with every block glyph that nearly all fonts have: smooth places as two colours, one above the other, and
/// edges as the glyph that fits them best.
///
/// The distance at the middle of each half of a cell says whether an edge can cross it; only then is it sampled 4 x 8.
public struct BlockPainter: Sendable {
    /// Size of the pictures, in cells.
    public let columns: Int, rows: Int
    private let frame: CellFrame
    private let samples: CellSamples
    private var shader = FaceShader()

    /// For a panel of columns x rows cells; `cellAspect` is a cell's height over its width (2 where a terminal does not
    /// tell).
    public init(columns: Int, rows: Int, cellAspect: Double = 2) {
        frame = CellFrame(columns: columns, rows: rows, aspect: cellAspect)
        (self.columns, self.rows) = (frame.columns, frame.rows)
        samples = CellSamples(width: frame.width, height: frame.height, rows: 8)
    }

    /// Draws the face; the grid takes the painter's size.
    public mutating func paint(_ face: FaceState, depth: ColourDepth, into grid: inout CellGrid) {
        grid.resize(columns: columns, rows: rows)
        shader.set(face, depth.ink)
        let colours = CellColours(face.expression, depth)
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

    /// Up to eight cells of a row.
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
            for lane in cells.indices { cells[lane] = colours.whole(colours.pixel(light[lane])) }
            return
        }
        let upper = shader.light(frame.patch(row: row, column: first, down: 0.25), pixel: frame.width)
        let lower = shader.light(frame.patch(row: row, column: first, down: 0.75), pixel: frame.width)
        let edge = smaller(upper.edge, lower.edge)
        // An edge cuts a half cell if it is nearer than the half cell reaches across it; how it lies is known from how
        // much nearer it is to one half than to the other.
        let half = frame.height / 2
        let up = smaller(magnitude(upper.edge - lower.edge) * (1 / half), Lanes(repeating: 1))
        let reach = 0.5 * (half * up + frame.width * (1 - up * up).squareRoot()) + frame.width / 10
        let cut = edge .< reach
        for lane in cells.indices {
            if cut[lane] {
                let leftHalo = (upper.leftHalo[lane] + lower.leftHalo[lane]) / 2
                let rightHalo = (upper.rightHalo[lane] + lower.rightHalo[lane]) / 2
                cells[lane] = fitted(SIMD2(middle.x[lane], middle.y[lane]), colours, leftHalo, rightHalo)
            } else {
                cells[lane] = colours.halves(colours.pixel(upper[lane]), colours.pixel(lower[lane]))
            }
        }
    }

    /// Farther than this from every edge, in units, the light changes so slowly that a cell has one colour.
    private static let calm: Float = 0.15

    private func fitted(_ middle: SIMD2<Float>, _ colours: CellColours, _ leftHalo: Float, _ rightHalo: Float) -> Cell {
        @inline(__always)
        func sample(_ pair: Float) -> FaceLight {
            shader.light(
                samples.patch(around: middle, pair: pair), pixel: samples.pixel, leftHalo: leftHalo,
                rightHalo: rightHalo)
        }
        return colours.fitted(sample(-1.5), sample(-0.5), sample(0.5), sample(1.5))
    }
}
