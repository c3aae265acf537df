/// The number of colours that a terminal shows.
public enum ColourDepth: String, Sendable, CaseIterable {
    /// 24 bits.
    case trueColour
    /// The 256 colour palette of xterm.
    case palette256
    /// The 16 colours that a terminal's theme defines.
    case palette16
    /// No colour codes at all.
    case mono
}

/// One character cell: a glyph and its colours.
public struct Cell: Sendable, Equatable {
    /// Unicode scalar value.
    public var glyph: UInt32
    /// 0xRRGGBB in true colour, a palette index with palettes, or `Cell.standard`.
    public var foreground: UInt32, background: UInt32

    /// The terminal's default colour, which has no colour code.
    public static let standard: UInt32 = 0xFF00_0000
    /// An empty cell in the terminal's default colours.
    public static let blank = Cell(glyph: 0x20, foreground: standard, background: standard)

    /// Creates a cell with a glyph in two colours.
    public init(glyph: UInt32, foreground: UInt32, background: UInt32) {
        self.glyph = glyph
        self.foreground = foreground
        self.background = background
    }
}

/// The contents of a terminal: rows of cells.
public struct CellGrid: Sendable, Equatable {
    /// Cells per row.
    public private(set) var columns: Int
    /// The number of rows.
    public private(set) var rows: Int
    /// All cells, row by row.
    public var cells: [Cell]

    /// Creates a blank grid. Sizes below 1 count as 1.
    public init(columns: Int, rows: Int) {
        self.columns = max(columns, 1)
        self.rows = max(rows, 1)
        cells = Array(repeating: .blank, count: self.columns * self.rows)
    }

    /// The cell in a row and column, both from 0.
    public subscript(row: Int, column: Int) -> Cell {
        get { cells[row * columns + column] }
        set { cells[row * columns + column] = newValue }
    }

    /// Changes the grid's size. Its contents are lost.
    public mutating func resize(columns: Int, rows: Int) {
        guard columns != self.columns || rows != self.rows else { return }
        self = CellGrid(columns: columns, rows: rows)
    }
}
