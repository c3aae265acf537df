/// Terminal bytes on their way into a buffer that is known to be large enough: appending to an array checks and may move
/// it for every byte, and a frame has ten thousand.
struct ByteSink {
    private let buffer: UnsafeMutableBufferPointer<UInt8>
    private(set) var count = 0

    /// No cell of a frame takes more: a cursor move, two colours, a glyph.
    static let longestCell = 64

    /// Writes to the beginning of a buffer; what does not fit is dropped.
    init(_ buffer: UnsafeMutableBufferPointer<UInt8>) {
        self.buffer = buffer
    }

    @inline(__always)
    mutating func put(_ byte: UInt8) {
        guard count < buffer.count else { return }
        buffer[count] = byte
        count += 1
    }

    /// Text known at compile time.
    @inline(__always)
    mutating func put(_ text: StaticString) {
        for index in 0..<text.utf8CodeUnitCount { put(text.utf8Start[index]) }
    }

    /// A number of 0...9999 in decimal.
    @inline(__always)
    mutating func put(decimal number: Int) {
        if number >= 1000 { put(UInt8(truncatingIfNeeded: 0x30 + number / 1000 % 10)) }
        if number >= 100 { put(UInt8(truncatingIfNeeded: 0x30 + number / 100 % 10)) }
        if number >= 10 { put(UInt8(truncatingIfNeeded: 0x30 + number / 10 % 10)) }
        put(UInt8(truncatingIfNeeded: 0x30 + number % 10))
    }

    /// A Unicode scalar as UTF-8; a value that is none becomes a question mark.
    @inline(__always)
    mutating func put(scalar value: UInt32) {
        switch value {
        case 0..<0x80: put(UInt8(truncatingIfNeeded: value))
        case 0x800..<0xD800, 0xE000..<0x10000:
            put(UInt8(truncatingIfNeeded: 0xE0 | value >> 12))
            put(UInt8(truncatingIfNeeded: 0x80 | (value >> 6) & 0x3F))
            put(UInt8(truncatingIfNeeded: 0x80 | value & 0x3F))
        case 0x80..<0x800:
            put(UInt8(truncatingIfNeeded: 0xC0 | value >> 6))
            put(UInt8(truncatingIfNeeded: 0x80 | value & 0x3F))
        case 0x10000..<0x110000:
            put(UInt8(truncatingIfNeeded: 0xF0 | value >> 18))
            put(UInt8(truncatingIfNeeded: 0x80 | (value >> 12) & 0x3F))
            put(UInt8(truncatingIfNeeded: 0x80 | (value >> 6) & 0x3F))
            put(UInt8(truncatingIfNeeded: 0x80 | value & 0x3F))
        default: put(0x3F)
        }
    }

    /// Moves the cursor; row and column from 0.
    mutating func putCursor(row: Int, column: Int) {
        put("\u{1b}[")
        put(decimal: row + 1)
        if column > 0 {
            put(0x3B)
            put(decimal: column + 1)
        }
        put(0x48)
    }

    /// Moves the cursor right in its row.
    mutating func putForward(_ columns: Int) {
        put("\u{1b}[")
        if columns > 1 { put(decimal: columns) }
        put(0x43)
    }
}
