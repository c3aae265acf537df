/// Turns pictures into the fewest terminal bytes: what has changed since the last one, inside one synchronized update.
public struct FrameEncoder: Sendable {
    /// Colours of the terminal.
    public let depth: ColourDepth
    private let tolerance: Int32
    private var shown: [Cell] = []
    private var latest: [Cell] = []
    private var columns = 0
    private var isKnown = false

    /// `tolerance`: in true colour a cell is left as it is while every channel is within so many steps of 255; once the
    /// picture rests, it is shown exactly.
    public init(depth: ColourDepth, tolerance: Int = 6) {
        self.depth = depth
        self.tolerance = depth == .trueColour ? Int32(min(max(tolerance, 0), 64)) : 0
    }

    /// Forgets what the terminal shows, so that the next picture is sent whole.
    public mutating func invalidate() { isKnown = false }

    /// Appends the bytes that bring the terminal to `grid`; nothing if it shows that already. A picture that did not change
    /// since the last call has come to rest.
    public mutating func encode(_ grid: CellGrid, into bytes: inout [UInt8]) {
        encode(grid, tolerance: isKnown && latest == grid.cells ? 0 : Int(tolerance), into: &bytes)
    }

    /// The same with a tolerance for this picture: 0 shows it exactly.
    public mutating func encode(_ grid: CellGrid, tolerance: Int, into bytes: inout [UInt8]) {
        let isWhole = !isKnown || columns != grid.columns || shown.count != grid.cells.count
        let allowed = depth == .trueColour && !isWhole ? Int32(min(max(tolerance, 0), 64)) : 0
        if isWhole { shown = grid.cells }
        copyLatest(grid)
        columns = grid.columns
        isKnown = true
        let start = bytes.count
        bytes.append(sequence: "\u{1b}[?2026h")
        let empty = bytes.count
        var pen = Pen()
        for row in 0..<grid.rows {
            // Column of the cursor in this row; -1: elsewhere.
            var cursor = -1
            for column in 0..<grid.columns {
                let index = row * grid.columns + column
                let cell = grid.cells[index]
                if !isWhole, isClose(shown[index], cell, allowed) { continue }
                shown[index] = cell
                if cursor < 0 {
                    bytes.appendCursor(row: row, column: column)
                } else if cursor < column {
                    bytes.appendForward(column - cursor)
                }
                pen.draw(cell, depth, &bytes)
                cursor = column + 1
            }
        }
        guard bytes.count > empty else {
            bytes.removeLast(bytes.count - start)
            return
        }
        bytes.append(sequence: "\u{1b}[?2026l")
    }

    /// The whole picture as plain rows that end with a newline, without moving the cursor: for files and pipes.
    public static func whole(_ grid: CellGrid, depth: ColourDepth) -> [UInt8] {
        var bytes: [UInt8] = []
        for row in 0..<grid.rows {
            var pen = Pen()
            for column in 0..<grid.columns { pen.draw(grid[row, column], depth, &bytes) }
            if depth != .mono { bytes.append(sequence: "\u{1b}[0m") }
            bytes.append(0x0A)
        }
        return bytes
    }

    private mutating func copyLatest(_ grid: CellGrid) {
        if latest.count == grid.cells.count {
            latest.withUnsafeMutableBufferPointer { target in
                grid.cells.withUnsafeBufferPointer { source in _ = target.update(from: source) }
            }
        } else {
            latest = grid.cells
        }
    }

    /// Whether what is shown may stand for `cell`. Blanks and half blocks are compared by the two colours one sees.
    @inline(__always)
    private func isClose(_ shown: Cell, _ cell: Cell, _ allowed: Int32) -> Bool {
        if shown == cell { return true }
        guard allowed > 0 else { return false }
        if shown.glyph != cell.glyph { guard shown.isTwoPixels, cell.isTwoPixels else { return false } }
        return near(shown.background, cell.background, allowed) && near(shown.lower, cell.lower, allowed)
    }

    @inline(__always)
    private func near(_ a: UInt32, _ b: UInt32, _ allowed: Int32) -> Bool {
        if a == b { return true }
        if (a | b) & Cell.standard != 0 { return false }
        @inline(__always)
        func isNear(_ shift: UInt32) -> Bool {
            let p = Int32((a >> shift) & 255), q = Int32((b >> shift) & 255)
            // In the dark the eye sees smaller steps.
            return abs(p - q) <= min(allowed, 2 + allowed / 3 + q * allowed / 96)
        }
        return isNear(0) && isNear(8) && isNear(16)
    }
}

extension Cell {
    fileprivate var isTwoPixels: Bool { glyph == 0x20 || glyph == 0x2584 }
    /// Colour of the glyph, or of the lower half of a blank.
    fileprivate var lower: UInt32 { glyph == 0x20 ? background : foreground }
}

/// The colours the terminal writes in at the moment; unknown at first.
private struct Pen {
    private static let unknown: UInt32 = 0xFFFF_FFFF
    private var foreground = Pen.unknown, background = Pen.unknown

    mutating func draw(_ cell: Cell, _ depth: ColourDepth, _ bytes: inout [UInt8]) {
        if depth != .mono {
            let newForeground = cell.glyph != 0x20 && cell.foreground != foreground
            let newBackground = cell.background != background
            if newForeground || newBackground {
                bytes.append(0x1B)
                bytes.append(0x5B)
                if newForeground {
                    Pen.appendColour(cell.foreground, depth, isBackground: false, &bytes)
                    foreground = cell.foreground
                }
                if newBackground {
                    if newForeground { bytes.append(0x3B) }
                    Pen.appendColour(cell.background, depth, isBackground: true, &bytes)
                    background = cell.background
                }
                bytes.append(0x6D)
            }
        }
        bytes.append(scalar: cell.glyph)
    }

    private static func appendColour(
        _ colour: UInt32, _ depth: ColourDepth, isBackground: Bool, _ bytes: inout [UInt8]
    ) {
        if colour == Cell.standard {
            bytes.append(decimal: isBackground ? 49 : 39)
            return
        }
        switch depth {
        case .trueColour:
            bytes.append(sequence: isBackground ? "48;2;" : "38;2;")
            bytes.append(decimal: Int((colour >> 16) & 255))
            bytes.append(0x3B)
            bytes.append(decimal: Int((colour >> 8) & 255))
            bytes.append(0x3B)
            bytes.append(decimal: Int(colour & 255))
        case .palette256:
            bytes.append(sequence: isBackground ? "48;5;" : "38;5;")
            bytes.append(decimal: Int(colour & 255))
        case .palette16, .mono:
            let index = Int(colour & 15)
            bytes.append(decimal: (index < 8 ? 30 + index : 82 + index) + (isBackground ? 10 : 0))
        }
    }
}

extension [UInt8] {
    /// Appends text known at compile time.
    mutating func append(sequence text: StaticString) {
        append(contentsOf: UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
    }

    /// Appends a number of 0...99999 in decimal.
    mutating func append(decimal number: Int) {
        var divisor = 10
        while divisor <= number { divisor *= 10 }
        while divisor > 1 {
            divisor /= 10
            append(UInt8(truncatingIfNeeded: 0x30 + number / divisor % 10))
        }
    }

    /// Appends a Unicode scalar as UTF-8; a value that is none becomes a question mark.
    mutating func append(scalar value: UInt32) {
        switch value {
        case 0..<0x80: append(UInt8(truncatingIfNeeded: value))
        case 0x80..<0x800:
            append(UInt8(truncatingIfNeeded: 0xC0 | value >> 6))
            append(UInt8(truncatingIfNeeded: 0x80 | value & 0x3F))
        case 0x800..<0xD800, 0xE000..<0x10000:
            append(UInt8(truncatingIfNeeded: 0xE0 | value >> 12))
            append(UInt8(truncatingIfNeeded: 0x80 | (value >> 6) & 0x3F))
            append(UInt8(truncatingIfNeeded: 0x80 | value & 0x3F))
        case 0x10000..<0x110000:
            append(UInt8(truncatingIfNeeded: 0xF0 | value >> 18))
            append(UInt8(truncatingIfNeeded: 0x80 | (value >> 12) & 0x3F))
            append(UInt8(truncatingIfNeeded: 0x80 | (value >> 6) & 0x3F))
            append(UInt8(truncatingIfNeeded: 0x80 | value & 0x3F))
        default: append(0x3F)
        }
    }

    /// Moves the cursor; row and column from 0.
    fileprivate mutating func appendCursor(row: Int, column: Int) {
        append(0x1B)
        append(0x5B)
        append(decimal: row + 1)
        if column > 0 {
            append(0x3B)
            append(decimal: column + 1)
        }
        append(0x48)
    }

    /// Moves the cursor right in its row.
    fileprivate mutating func appendForward(_ count: Int) {
        append(0x1B)
        append(0x5B)
        if count > 1 { append(decimal: count) }
        append(0x43)
    }
}
