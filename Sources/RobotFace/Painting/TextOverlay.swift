internal import Geometry

/// Text over the face: a status line in the bottom row, a page of lines in the middle, and short labels anywhere.
public struct TextOverlay: Sendable, Equatable {
    /// A short text at a point of the screen.
    public struct Label: Sendable, Equatable {
        /// The position of the first character: 0...1 from the left and from the top of the screen.
        public var x: Double, y: Double
        /// The text.
        public var text: String
        /// The colour.
        public var colour: TextColour

        /// Creates a text at 0...1 from the left and from the top.
        public init(x: Double, y: Double, text: String, colour: TextColour = .white) {
            self.x = x
            self.y = y
            self.text = text
            self.colour = colour
        }
    }

    /// The line at the bottom; empty if there is none.
    public var statusLine: String
    /// The lines of a page that covers the middle, for example help; empty for none.
    public var page: [String]
    /// Labels, later ones on top.
    public var labels: [Label]
    /// Shapes under the labels.
    public var drawing = OverlayDrawing.empty

    /// Creates an overlay, by default without text.
    public init(statusLine: String = "", page: [String] = [], labels: [Label] = []) {
        self.statusLine = statusLine
        self.page = page
        self.labels = labels
    }

    /// Whether there is nothing to draw.
    public var isEmpty: Bool { statusLine.isEmpty && page.isEmpty && isClear }

    /// Whether there are neither labels nor shapes.
    var isClear: Bool { labels.isEmpty && drawing == .empty }

    /// Writes the text into a painted grid. Text that does not fit is cut off.
    public func draw(into grid: inout CellGrid, depth: ColourDepth) {
        let ink = TextInk(depth)
        if drawing != .empty {
            var pen = OverlayPen(depth)
            pen.draw(drawing.shapes(), into: &grid)
        }
        for label in labels where label.x.isFinite && label.y.isFinite {
            let row = Int((label.y.clamped(to: 0...1) * Double(grid.rows - 1)).rounded())
            let column = Int((label.x.clamped(to: 0...1) * Double(grid.columns - 1)).rounded())
            Self.write(
                label.text, row: row, column: column, end: grid.columns, ink.value(of: label.colour), ink.ground, &grid)
        }
        if !page.isEmpty { drawPage(ink, &grid) }
        if !statusLine.isEmpty {
            let row = grid.rows - 1
            let end = Self.write(statusLine, row: row, column: 1, end: grid.columns, ink.status, ink.bar, &grid)
            Self.fill(row: row, from: 0, to: min(1, grid.columns), ink.bar, &grid)
            Self.fill(row: row, from: end, to: grid.columns, ink.bar, &grid)
        }
    }

    private func drawPage(_ ink: TextInk, _ grid: inout CellGrid) {
        var width = 0
        for line in page { width = max(width, line.unicodeScalars.count) }
        width = min(width, max(grid.columns - 4, 1))
        let height = min(page.count, grid.rows)
        let left = max((grid.columns - width) / 2, 0), top = max((grid.rows - height) / 2, 0)
        let margin = min(2, left)
        for line in 0..<height {
            Self.fill(row: top + line, from: left - margin, to: left + width + margin, ink.bar, &grid)
            Self.write(page[line], row: top + line, column: left, end: left + width, ink.text, ink.bar, &grid)
        }
    }

    /// Returns an empty cell with the background of text.
    static func blank(_ depth: ColourDepth) -> Cell {
        let ink = TextInk(depth)
        return Cell(glyph: 0x20, foreground: ink.ground, background: ink.ground)
    }

    /// Writes one line in the colour of a status line.
    static func write(_ text: String, row: Int, column: Int, depth: ColourDepth, _ grid: inout CellGrid) {
        let ink = TextInk(depth)
        write(text, row: row, column: column, end: grid.columns, ink.status, ink.ground, &grid)
    }

    private static func fill(row: Int, from start: Int, to end: Int, _ background: UInt32, _ grid: inout CellGrid) {
        for column in max(start, 0)..<max(min(end, grid.columns), max(start, 0)) {
            grid[row, column] = Cell(glyph: 0x20, foreground: background, background: background)
        }
    }

    /// Writes one line and returns the column after it. Control characters, and characters that are not one cell wide,
    /// are replaced, because text can come from outside.
    @discardableResult
    static func write(
        _ text: String, row: Int, column: Int, end: Int, _ foreground: UInt32, _ background: UInt32,
        _ grid: inout CellGrid
    ) -> Int {
        var column = column
        for scalar in text.unicodeScalars {
            guard column < min(end, grid.columns) else { break }
            guard let glyph = printable(scalar.value) else { continue }
            grid[row, column] = Cell(
                glyph: glyph, foreground: glyph == 0x20 ? background : foreground, background: background)
            column += 1
        }
        return column
    }

    /// Returns the scalar if it takes one cell, a replacement if it takes no cell of its own or two, and nil if it only
    /// modifies another one.
    static func printable(_ scalar: UInt32) -> UInt32? {
        switch scalar {
        case 0x20..<0x7F, 0xA0..<0xAD, 0xAE..<0x300, 0x370..<0x483, 0x48A..<0x590, 0x2010..<0x2028, 0x2030..<0x2060,
            0x2070..<0x20D0, 0x2100..<0x231A, 0x231C..<0x2329, 0x232B..<0x23E9, 0x2400..<0x25FD, 0x2800..<0x2900:
            scalar
        case 0x300..<0x370, 0x200B..<0x2010, 0x20D0..<0x2100, 0xFE00..<0xFE10, 0xAD: nil
        default: 0x3F
        }
    }
}
