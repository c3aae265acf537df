import Glibc
import Testing

@testable import RobotFace

@Suite struct PainterTests {
    private let glyphs: Set<UInt32> = Set(
        [0x20] + Array(0x2580...0x2588) + [0x258A, 0x258C, 0x258E, 0x2590] + Array(0x2596...0x259F))

    @Test(arguments: FaceGlyphs.allCases, ColourDepth.allCases)
    func `only glyphs of the family are drawn, at any size`(family: FaceGlyphs, depth: ColourDepth) {
        for (columns, rows) in [(1, 1), (3, 2), (17, 9), (40, 12), (9, 40)] {
            var painter = FacePainter(family, columns: columns, rows: rows)
            var grid = CellGrid(columns: 1, rows: 1)
            for expression in Expression.all where expression.index % 4 == 1 || columns == 40 {
                painter.paint(FaceState(expression), depth: depth, into: &grid)
                #expect(grid.columns == columns && grid.rows == rows)
                for cell in grid.cells {
                    let isKnown = family == .ascii ? (0x20..<0x7F).contains(cell.glyph) : glyphs.contains(cell.glyph)
                    #expect(isKnown, "\(String(cell.glyph, radix: 16))")
                    if depth == .mono { #expect(cell.foreground == Cell.standard) }
                    if depth == .palette16 { #expect(cell.foreground < 16 && cell.background < 16) }
                    if depth == .palette256 { #expect(cell.foreground < 256 && cell.background < 256) }
                }
            }
        }
    }

    @Test func `block glyphs come nearer to the face in pixels than half blocks`() {
        for expression in Expression.all {
            let face = FaceState(expression)
            var raster = FaceRaster(width: 40 * 8, height: 12 * 16)
            let reference = raster.draw(face)
            let errors = [FaceGlyphs.blocks, .half].map { family in
                var painter = FacePainter(family, columns: 40, rows: 12)
                var grid = CellGrid(columns: 40, rows: 12)
                painter.paint(face, depth: .trueColour, into: &grid)
                return error(grid, reference)
            }
            #expect(errors[0] < 0.75 * errors[1], "\(expression.name) \(errors)")
        }
    }

    /// The sum of squared differences of a screen with cells of 8 x 16 pixels.
    private func error(_ grid: CellGrid, _ reference: [UInt8]) -> Double {
        var sum = 0.0
        for row in 0..<grid.rows {
            for column in 0..<grid.columns {
                let cell = grid[row, column]
                for y in 0..<16 {
                    for x in 0..<8 {
                        let colour = covers(cell.glyph, x, y) ? cell.foreground : cell.background
                        let index = ((row * 16 + y) * grid.columns * 8 + column * 8 + x) * 3
                        for channel in 0..<3 {
                            let shown = Double(colour >> UInt32(16 - 8 * channel) & 255)
                            sum +=
                                (shown - Double(reference[index + channel]))
                                * (shown - Double(reference[index + channel]))
                        }
                    }
                }
            }
        }
        return sum
    }

    private func covers(_ glyph: UInt32, _ x: Int, _ y: Int) -> Bool {
        switch glyph {
        case 0x2581...0x2588: y >= 16 - 2 * Int(glyph - 0x2580)
        case 0x258A: x < 6
        case 0x258C: x < 4
        case 0x258E: x < 2
        case 0x2596: x < 4 && y >= 8
        case 0x2597: x >= 4 && y >= 8
        case 0x2598: x < 4 && y < 8
        case 0x259D: x >= 4 && y < 8
        case 0x259A: (x < 4) == (y < 8)
        default: false
        }
    }

    @Test func `eight points at once equal one point at a time`() {
        for expression in Expression.all {
            var shape = FaceShape()
            shape.set(FaceState(expression))
            let x = Lanes(-1.7, -1.1, -0.7, -0.2, 0.1, 0.6, 1.2, 1.6),
                y = Lanes(-0.9, 0.4, 0, 0.7, -0.3, 0.2, 0.5, -0.6)
            let all = shape.distance(x, y)
            for lane in 0..<8 {
                #expect(all[lane] == shape.distance(Lanes(repeating: x[lane]), Lanes(repeating: y[lane]))[0])
            }
        }
    }

    @Test func `the fast exponential is close enough`() {
        for step in 0..<400 {
            let x = Float(step) * 0.02
            let exact = expf(-x)
            #expect(abs(decay(Lanes(repeating: x))[0] - exact) <= max(0.006 * exact, 0.0002), "\(x)")
        }
    }
}
