public import Geometry

/// A colour of text and lines over the face. A terminal shows the nearest that it has.
public enum TextColour: String, Sendable, CaseIterable {
    case white, grey, red, orange, yellow, green, cyan, blue, magenta
}

/// One shape over the face, in fractions of the screen: 0...1 from the left and from the top. What lies outside is not
/// drawn.
public struct OverlayShape: Sendable, Equatable {
    /// The form.
    public enum Form: Sendable, Equatable {
        /// A rectangle's sides, with a title in the upper one.
        case box(Rect, title: String?)
        /// A line.
        case line(Point, Point)
        /// One character, with a text to its right.
        case point(Point, title: String?)
        /// A text that begins at a point.
        case text(Point, String)
    }

    /// The form and its place.
    public var form: Form
    /// The character for lines and points, or nil for the usual one.
    public var mark: Character?
    /// The colour.
    public var colour: TextColour

    /// Creates a shape.
    public init(_ form: Form, mark: Character? = nil, colour: TextColour = .white) {
        (self.form, self.mark, self.colour) = (form, mark, colour)
    }
}

/// Shapes that are worked out on the screen's own thread, when the next frame is drawn.
public struct OverlayDrawing: Sendable, Equatable {
    /// Distinguishes drawings: two with the same number look the same. 0 is the empty one.
    public var version: Int
    /// Returns the shapes, later ones on top. It is called on the screen's thread and must not block.
    public var shapes: @Sendable () -> [OverlayShape]

    /// No shapes.
    public static let empty = OverlayDrawing(version: 0) { [] }

    /// Creates a drawing.
    public init(version: Int, shapes: @escaping @Sendable () -> [OverlayShape]) {
        (self.version, self.shapes) = (version, shapes)
    }

    /// Whether both look the same.
    public static func == (a: OverlayDrawing, b: OverlayDrawing) -> Bool { a.version == b.version }
}

/// Draws shapes into a grid of cells.
struct OverlayPen {
    private let ink: TextInk
    /// How many cells may still be drawn in this frame, so that no drawing takes longer than some milliseconds.
    private var left = 1 << 16

    init(_ depth: ColourDepth) { ink = TextInk(depth) }

    mutating func draw(_ shapes: [OverlayShape], into grid: inout CellGrid) {
        for shape in shapes where left > 0 {
            let colour = ink.value(of: shape.colour)
            switch shape.form {
            case .text(let point, let text): write(text, at: cell(point, grid), colour, &grid)
            case .point(let point, let title):
                let place = cell(point, grid)
                set(place, shape.mark ?? "\u{2022}", colour, &grid)
                if let title, let place { write(title, at: (place.column + 2, place.row), colour, &grid) }
            case .line(let from, let to): line(from, to, shape.mark ?? "\u{B7}", colour, &grid)
            case .box(let rect, let title):
                box(rect, colour, &grid)
                guard let title, let place = cell(Point(x: rect.x, y: rect.y), grid) else { continue }
                write(title, at: (place.column + 1, place.row), colour, &grid)
            }
        }
    }

    private typealias Place = (column: Int, row: Int)

    /// Returns a point's cell, which may be outside the grid.
    private func cell(_ point: Point, _ grid: CellGrid) -> Place? {
        guard abs(point.x) < 1e4, abs(point.y) < 1e4 else { return nil }
        return (
            Int((point.x * Double(grid.columns - 1)).rounded()), Int((point.y * Double(grid.rows - 1)).rounded())
        )
    }

    private mutating func set(_ place: Place?, _ mark: Character, _ colour: UInt32, _ grid: inout CellGrid) {
        left -= 1
        guard let place, (0..<grid.columns).contains(place.column), (0..<grid.rows).contains(place.row),
            let scalar = mark.unicodeScalars.first, let glyph = TextOverlay.printable(scalar.value)
        else { return }
        grid[place.row, place.column] = Cell(glyph: glyph, foreground: colour, background: ink.ground)
    }

    private mutating func write(_ text: String, at place: Place?, _ colour: UInt32, _ grid: inout CellGrid) {
        guard let place, (0..<grid.rows).contains(place.row), place.column < grid.columns, place.column > -200
        else { return }
        left -= text.unicodeScalars.count
        // A text that begins outside the screen at the left loses its first letters.
        let hidden = max(0, -place.column)
        TextOverlay.write(
            String(text.unicodeScalars.dropFirst(hidden)), row: place.row, column: max(0, place.column),
            end: grid.columns, colour, ink.ground, &grid)
    }

    private mutating func box(_ rect: Rect, _ colour: UInt32, _ grid: inout CellGrid) {
        guard let first = cell(Point(x: rect.x, y: rect.y), grid),
            let last = cell(Point(x: rect.maxX, y: rect.maxY), grid), last.column > first.column, last.row > first.row
        else { return }
        let columns = (first.column...last.column).clamped(to: -1...grid.columns)
        for column in columns {
            let isFirst = column == first.column, isEdge = isFirst || column == last.column
            set((column, first.row), isEdge ? (isFirst ? "┌" : "┐") : "─", colour, &grid)
            set((column, last.row), isEdge ? (isFirst ? "└" : "┘") : "─", colour, &grid)
        }
        for row in (first.row...last.row).clamped(to: -1...grid.rows) where row != first.row && row != last.row {
            set((first.column, row), "│", colour, &grid)
            set((last.column, row), "│", colour, &grid)
        }
    }

    /// Draws the part of a line that is on the screen, one character a cell.
    private mutating func line(
        _ from: Point, _ to: Point, _ mark: Character, _ colour: UInt32, _ grid: inout CellGrid
    ) {
        guard let (from, to) = Self.clipped(from, to), let a = cell(from, grid), let b = cell(to, grid) else { return }
        let steps = max(abs(b.column - a.column), abs(b.row - a.row))
        for step in 0...steps {
            let share = steps == 0 ? 0 : Double(step) / Double(steps)
            let column = Double(a.column) + share * Double(b.column - a.column)
            let row = Double(a.row) + share * Double(b.row - a.row)
            set((Int(column.rounded()), Int(row.rounded())), mark, colour, &grid)
        }
    }

    /// Returns the part of a line inside 0...1 (Liang and Barsky), or nil if none is.
    static func clipped(_ from: Point, _ to: Point) -> (Point, Point)? {
        let dx = to.x - from.x, dy = to.y - from.y
        guard dx.isFinite, dy.isFinite else { return nil }
        var begin = 0.0, end = 1.0
        for (step, room) in [(-dx, from.x), (dx, 1 - from.x), (-dy, from.y), (dy, 1 - from.y)] {
            if step == 0 {
                guard room >= 0 else { return nil }
            } else if step < 0 {
                begin = max(begin, room / step)
            } else {
                end = min(end, room / step)
            }
        }
        guard begin <= end else { return nil }
        return (
            Point(x: from.x + begin * dx, y: from.y + begin * dy), Point(x: from.x + end * dx, y: from.y + end * dy)
        )
    }
}
