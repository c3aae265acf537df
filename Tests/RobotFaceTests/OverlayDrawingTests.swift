import Geometry
import Testing

@testable import RobotFace

/// Shapes over the face.
@Suite struct OverlayDrawingTests {
    private static func lines(_ shapes: [OverlayShape], columns: Int = 11, rows: Int = 5) -> [String] {
        var overlay = TextOverlay(), grid = CellGrid(columns: columns, rows: rows)
        overlay.drawing = OverlayDrawing(version: 1) { shapes }
        overlay.draw(into: &grid, depth: .trueColour)
        return (0..<rows).map { row in
            String(String.UnicodeScalarView((0..<columns).compactMap { Unicode.Scalar(grid[row, $0].glyph) }))
        }
    }

    @Test func `a box has its title in the upper side, and is cut off at the edges`() {
        let box = OverlayShape(.box(Rect(x: 0.1, y: 0.25, width: 0.7, height: 0.5), title: "cup"))
        #expect(
            Self.lines([box]) == [
                "           ", " ┌cup───┐  ", " │      │  ", " └──────┘  ", "           ",
            ])
        let wide = OverlayShape(.box(Rect(x: -1, y: -1, width: 1.5, height: 1.5), title: nil))
        #expect(
            Self.lines([wide]) == [
                "     │     ", "     │     ", "─────┘     ", "           ", "           ",
            ])
        let beside = OverlayShape(.box(Rect(x: 1.5, y: 0, width: 1, height: 1), title: "x"))
        #expect(Self.lines([beside]) == Array(repeating: String(repeating: " ", count: 11), count: 5))
    }

    @Test func `lines, points and texts`() {
        let shapes = [
            OverlayShape(.line(Point(x: 0, y: 0), Point(x: 1, y: 1))),
            OverlayShape(.line(Point(x: -5, y: 0.5), Point(x: 0.2, y: 0.5)), mark: "-"),
            OverlayShape(.point(Point(x: 0.5, y: 1), title: "me"), mark: "x"),
            OverlayShape(.text(Point(x: -0.2, y: 0.75), "abcdef")),
            OverlayShape(.point(Point(x: .infinity, y: .nan), title: "never")),
            OverlayShape(.line(Point(x: 2, y: 0), Point(x: 3, y: 1))),
        ]
        #expect(
            Self.lines(shapes) == [
                "··         ", "  ··       ", "--- ···    ", "cdef   ··  ", "     x me··",
            ])
    }

    @Test func `a shape has its colour, or the nearest that the terminal has`() {
        for (depth, red) in [(ColourDepth.trueColour, 0xFF5A52 as UInt32), (.palette16, 9), (.mono, Cell.standard)] {
            var overlay = TextOverlay(), grid = CellGrid(columns: 3, rows: 1)
            overlay.drawing = OverlayDrawing(version: 1) {
                [OverlayShape(.point(Point(x: 0, y: 0), title: nil), colour: .red)]
            }
            overlay.labels = [TextOverlay.Label(x: 1, y: 0, text: "R", colour: .red)]
            overlay.draw(into: &grid, depth: depth)
            #expect(grid[0, 0].foreground == red && grid[0, 2].foreground == red, "\(depth)")
        }
    }

    @Test func `any shapes cost a bounded number of cells`() {
        let line = OverlayShape(.line(Point(x: 0, y: 0), Point(x: 1, y: 1)))
        let last = OverlayShape(.text(Point(x: 0, y: 0), "last"))
        let many = Self.lines(Array(repeating: line, count: 100_000) + [last], columns: 200, rows: 60)
        #expect(!many[0].hasPrefix("last"))
    }

    @Test func `equal versions are equal drawings, so that nothing is drawn again`() {
        let one = OverlayDrawing(version: 3) { [] }
        #expect(one == OverlayDrawing(version: 3) { [] } && one != .empty)
        var change = FaceChange(statusLine: "a")
        change.merge(FaceChange(drawing: one))
        #expect(change.drawing == one && change.statusLine == "a")
    }
}
