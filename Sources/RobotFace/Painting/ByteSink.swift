/// Writes terminal bytes into a buffer that is large enough. Appending to an array would check, and possibly move it,
/// for every byte, and a frame has ten thousand.
struct ByteSink {
    private let buffer: UnsafeMutableBufferPointer<UInt8>
    private let channels = ChannelTexts.all
    private(set) var count = 0

    /// The maximum number of bytes of one cell of a frame: a cursor move, two colours, a glyph.
    static let longestCell = 64

    /// Writes to the start of a buffer, which must have eight bytes more than are written. Bytes that do not fit are
    /// dropped.
    init(_ buffer: UnsafeMutableBufferPointer<UInt8>) {
        self.buffer = buffer
    }

    @inline(__always)
    mutating func put(_ byte: UInt8) {
        guard count < buffer.count else { return }
        buffer[count] = byte
        count += 1
    }

    /// Writes up to eight bytes at once, the first one in the lowest byte.
    @inline(__always)
    mutating func put(word: UInt64, length: Int) {
        guard count + 8 <= buffer.count, let start = buffer.baseAddress else { return }
        UnsafeMutableRawPointer(start + count).storeBytes(of: word.littleEndian, as: UInt64.self)
        count += length
    }

    /// Writes a colour 0xRRGGBB in the form "12;255;0".
    @inline(__always)
    mutating func put(rgb colour: UInt32) {
        for shift: UInt32 in [16, 8, 0] {
            let text = channels[colour >> shift]
            // Without the last semicolon.
            put(word: text, length: Int(text >> 56) - (shift == 0 ? 1 : 0))
        }
    }

    /// Writes text that is known at compile time.
    @inline(__always)
    mutating func put(_ text: StaticString) {
        for index in 0..<text.utf8CodeUnitCount { put(text.utf8Start[index]) }
    }

    /// Writes a number of 0...9999 in decimal.
    @inline(__always)
    mutating func put(decimal number: Int) {
        if number >= 1000 { put(UInt8(truncatingIfNeeded: 0x30 + number / 1000 % 10)) }
        if number >= 100 { put(UInt8(truncatingIfNeeded: 0x30 + number / 100 % 10)) }
        if number >= 10 { put(UInt8(truncatingIfNeeded: 0x30 + number / 10 % 10)) }
        put(UInt8(truncatingIfNeeded: 0x30 + number % 10))
    }

    /// Writes a Unicode scalar as UTF-8. An invalid value becomes a question mark.
    @inline(__always)
    mutating func put(scalar value: UInt32) {
        switch value {
        case 0..<0x80: put(UInt8(truncatingIfNeeded: value))
        case 0x800..<0xD800, 0xE000..<0x10000:
            let bytes = 0x8080E0 | value >> 12 | (value << 2) & 0x3F00 | (value & 0x3F) << 16
            put(word: UInt64(bytes), length: 3)
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

    /// Moves the cursor. The row and the column count from 0.
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

/// The texts "0;" to "255;", of which a frame contains thousands. The first character is in the lowest byte, and the
/// length in the highest. They never change.
private struct ChannelTexts: @unchecked Sendable {
    private let table: UnsafeMutablePointer<UInt64>

    /// The texts, which are never freed.
    static let all = ChannelTexts()

    private init() {
        table = .allocate(capacity: 256)
        for value in 0..<256 {
            let text = Array("\(value);".utf8)
            var word = UInt64(text.count) << 56
            for (place, byte) in text.enumerated() { word |= UInt64(byte) << (8 * UInt64(place)) }
            (table + value).initialize(to: word)
        }
    }

    @inline(__always)
    subscript(value: UInt32) -> UInt64 { table[Int(value & 255)] }
}
