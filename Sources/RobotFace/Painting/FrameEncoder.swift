/// Encodes frames as few terminal bytes: the changes since the previous frame, inside one synchronised update.
public struct FrameEncoder: Sendable {
    /// The colours of the terminal.
    public let depth: ColourDepth
    private let tolerance: Int32
    private let isSynchronized: Bool
    private var shown: [Cell] = []
    private var latest: [Cell] = []
    /// The cells of a frame. It is reused from frame to frame, so that no frame allocates.
    private var scratch: [UInt8] = []
    private var columns = 0
    private var isKnown = false

    /// Creates an encoder. `tolerance`: in true colour, a cell is not updated while every channel is within this many
    /// steps of 255. When the image is at rest, it is shown exactly. `isSynchronized`: the start and the end of a frame
    /// are marked for the terminal.
    public init(depth: ColourDepth, tolerance: Int = 6, isSynchronized: Bool = true) {
        self.depth = depth
        self.isSynchronized = isSynchronized
        self.tolerance = depth == .trueColour ? Int32(min(max(tolerance, 0), 64)) : 0
    }

    /// Forgets what the terminal shows, so that the next frame is sent completely.
    public mutating func invalidate() { isKnown = false }

    /// Appends the bytes that make the terminal show `grid`, or none if it already does. An image that has not changed
    /// since the last call has come to rest.
    public mutating func encode(_ grid: CellGrid, into bytes: inout [UInt8]) {
        let rests = isKnown && latest == grid.cells
        if !rests { latest = grid.cells }
        encode(grid, tolerance: rests ? 0 : Int(tolerance), into: &bytes)
    }

    /// Does the same with a tolerance for this frame; 0 shows it exactly.
    public mutating func encode(_ grid: CellGrid, tolerance: Int, into bytes: inout [UInt8]) {
        let isWhole = !isKnown || columns != grid.columns || shown.count != grid.cells.count
        let allowed = depth == .trueColour && !isWhole ? Int32(min(max(tolerance, 0), 64)) : 0
        if isWhole { shown = grid.cells }
        columns = grid.columns
        isKnown = true
        let room = grid.cells.count * ByteSink.longestCell + ByteSink.longestCell
        if scratch.count < room { scratch = [UInt8](repeating: 0, count: room) }
        let filling = Filling(
            depth: depth, columns: columns, isSynchronized: isSynchronized, isWhole: isWhole, allowed: allowed)
        let count = scratch.withUnsafeMutableBufferPointer { buffer in
            shown.withUnsafeMutableBufferPointer { shown in
                grid.cells.withUnsafeBufferPointer { cells in
                    var sink = ByteSink(buffer)
                    filling.run(&sink, cells, shown)
                    return sink.count
                }
            }
        }
        bytes.append(contentsOf: scratch[..<count])
    }

    /// Returns the whole image as plain rows that end with a newline, without cursor moves: for files and pipes.
    public static func whole(_ grid: CellGrid, depth: ColourDepth) -> [UInt8] {
        let room = grid.cells.count * ByteSink.longestCell + grid.rows * 8
        return [UInt8](unsafeUninitializedCapacity: room) { buffer, count in
            buffer.initialize(repeating: 0)
            var sink = ByteSink(buffer)
            for row in 0..<grid.rows {
                var pen = Pen()
                for column in 0..<grid.columns { pen.draw(grid[row, column], depth, &sink) }
                if depth != .mono { sink.put("\u{1b}[0m") }
                sink.put(0x0A)
            }
            count = sink.count
        }
    }
}

/// One frame while it is encoded.
private struct Filling {
    let depth: ColourDepth, columns: Int, isSynchronized: Bool
    /// Whether the complete frame is sent, regardless of what is shown.
    let isWhole: Bool
    let allowed: Int32

    func run(
        _ sink: inout ByteSink, _ cells: UnsafeBufferPointer<Cell>, _ shown: UnsafeMutableBufferPointer<Cell>
    ) {
        var pen = Pen()
        var isEmpty = true
        for row in 0..<(cells.count / columns) {
            // The column of the cursor in this row; -1 if it is elsewhere.
            var cursor = -1
            for column in 0..<columns {
                let index = row * columns + column
                var cell = cells[index]
                if !isWhole, isClose(shown[index], cell, allowed) { continue }
                if allowed > 1 { pen.lend(&cell, allowed) }
                shown[index] = cell
                if isEmpty, isSynchronized { sink.put("\u{1b}[?2026h") }
                isEmpty = false
                if cursor < 0 {
                    sink.putCursor(row: row, column: column)
                } else if cursor < column {
                    sink.putForward(column - cursor)
                }
                pen.draw(cell, depth, &sink)
                cursor = column + 1
            }
        }
        if !isEmpty, isSynchronized { sink.put("\u{1b}[?2026l") }
    }

    /// Returns whether the shown cell is close enough to `cell`. Blanks and half blocks are compared by their two
    /// visible colours.
    @inline(__always)
    private func isClose(_ shown: Cell, _ cell: Cell, _ allowed: Int32) -> Bool {
        if shown == cell { return true }
        guard allowed > 0 else { return false }
        if shown.glyph != cell.glyph { guard shown.isTwoPixels, cell.isTwoPixels else { return false } }
        return near(shown.background, cell.background, allowed) && near(shown.lower, cell.lower, allowed)
    }

}

/// Returns whether a colour is close enough to the desired one, within this many steps of 255.
@inline(__always)
private func near(_ a: UInt32, _ wanted: UInt32, _ allowed: Int32) -> Bool {
    if a == wanted { return true }
    if (a | wanted) & Cell.standard != 0 { return false }
    @inline(__always)
    func isNear(_ shift: UInt32) -> Bool {
        let p = Int32((a >> shift) & 255), q = Int32((wanted >> shift) & 255)
        // In the dark, the eye sees smaller steps.
        return abs(p - q) <= min(allowed, 2 + allowed / 3 + q * allowed / 96)
    }
    return isNear(0) && isNear(8) && isNear(16)
}

extension Cell {
    fileprivate var isTwoPixels: Bool { glyph == 0x20 || glyph == 0x2584 }
    /// The colour of the glyph, or of the lower half of a blank.
    fileprivate var lower: UInt32 { glyph == 0x20 ? background : foreground }
}

/// The terminal's current colours, which are unknown at first.
private struct Pen {
    private static let unknown: UInt32 = 0xFFFF_FFFF
    private var foreground = Pen.unknown, background = Pen.unknown

    /// Gives a cell the colours of its neighbour if they are within half the tolerance, because a colour code takes
    /// more bytes than the glyph. It is half, because the next frame compares the shown cell with the full tolerance.
    @inline(__always)
    func lend(_ cell: inout Cell, _ allowed: Int32) {
        if near(background, cell.background, allowed / 2) { cell.background = background }
        if cell.glyph != 0x20, near(foreground, cell.foreground, allowed / 2) { cell.foreground = foreground }
    }

    @inline(__always)
    mutating func draw(_ cell: Cell, _ depth: ColourDepth, _ sink: inout ByteSink) {
        if depth != .mono {
            let newForeground = cell.glyph != 0x20 && cell.foreground != foreground
            let newBackground = cell.background != background
            if newForeground || newBackground {
                sink.put(0x1B)
                sink.put(0x5B)
                if newForeground {
                    Pen.putColour(cell.foreground, depth, isBackground: false, &sink)
                    foreground = cell.foreground
                }
                if newBackground {
                    if newForeground { sink.put(0x3B) }
                    Pen.putColour(cell.background, depth, isBackground: true, &sink)
                    background = cell.background
                }
                sink.put(0x6D)
            }
        }
        sink.put(scalar: cell.glyph)
    }

    @inline(__always)
    private static func putColour(_ colour: UInt32, _ depth: ColourDepth, isBackground: Bool, _ sink: inout ByteSink) {
        if colour == Cell.standard {
            sink.put(decimal: isBackground ? 49 : 39)
            return
        }
        switch depth {
        case .trueColour:
            // "48;2;" or "38;2;".
            sink.put(word: isBackground ? 0x3B_323B_3834 : 0x3B_323B_3833, length: 5)
            sink.put(rgb: colour)
        case .palette256:
            sink.put(isBackground ? 0x34 : 0x33)
            sink.put("8;5;")
            sink.put(decimal: Int(colour & 255))
        case .palette16, .mono:
            let index = Int(colour & 15)
            sink.put(decimal: (index < 8 ? 30 + index : 82 + index) + (isBackground ? 10 : 0))
        }
    }
}

extension [UInt8] {
    /// Appends text known at compile time.
    mutating func append(sequence text: StaticString) {
        append(contentsOf: UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
    }
}
