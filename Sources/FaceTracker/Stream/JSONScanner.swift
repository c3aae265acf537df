/// Reads JSON byte by byte, straight from the line. It builds no tree and allocates nothing, and no input can make it
/// trap.
///
/// It tolerates what detectors actually send: `NaN` and `Infinity` are numbers.
struct JSONScanner {
    /// Invalid JSON from `position` on.
    struct Failure: Error {
        var position: Int
    }

    /// The bytes between a string's quotes, still escaped.
    struct Text {
        var start: Int
        var end: Int
        var isEscaped: Bool
    }

    /// The deepest nesting of values.
    static let maximumDepth = 32

    private(set) var position: Int

    init(at position: Int = 0) { self.position = position }

    /// Returns the next byte that is not white space, or 0 at the end, without consuming it.
    @inline(__always)
    mutating func peek(_ bytes: Span<UInt8>) -> UInt8 {
        while position < bytes.count {
            let byte = bytes[position]
            guard byte == 0x20 || byte == 0x09 || byte == 0x0D || byte == 0x0A else { return byte }
            position += 1
        }
        return 0
    }

    /// Consumes `byte` if it is the next one.
    @inline(__always)
    mutating func consume(_ byte: UInt8, _ bytes: Span<UInt8>) -> Bool {
        guard peek(bytes) == byte, position < bytes.count else { return false }
        position += 1
        return true
    }

    /// Consumes `byte`, or fails.
    @inline(__always)
    mutating func expect(_ byte: UInt8, _ bytes: Span<UInt8>) throws(Failure) {
        guard consume(byte, bytes) else { throw Failure(position: position) }
    }

    /// Returns whether another member or element follows. At the closing byte, it consumes that and returns false.
    @inline(__always)
    mutating func more(until close: UInt8, _ bytes: Span<UInt8>) throws(Failure) -> Bool {
        if consume(0x2C, bytes) { return true }
        try expect(close, bytes)
        return false
    }

    /// Reads a member's name and its colon.
    @inline(__always)
    mutating func key(_ bytes: Span<UInt8>) throws(Failure) -> Text {
        let name = try text(bytes)
        try expect(0x3A, bytes)
        return name
    }

    /// Reads a string.
    mutating func text(_ bytes: Span<UInt8>) throws(Failure) -> Text {
        try expect(0x22, bytes)
        let start = position
        var isEscaped = false
        while position < bytes.count {
            let byte = bytes[position]
            if byte == 0x22 {
                position += 1
                return Text(start: start, end: position - 1, isEscaped: isEscaped)
            }
            if byte == 0x5C {
                isEscaped = true
                position += 1
            }
            position += 1
        }
        throw Failure(position: bytes.count)
    }

    /// Skips any value.
    mutating func skip(_ bytes: Span<UInt8>, depth: Int = 0) throws(Failure) {
        guard depth < Self.maximumDepth else { throw Failure(position: position) }
        switch peek(bytes) {
        case 0x7B:
            position += 1
            if consume(0x7D, bytes) { return }
            repeat {
                _ = try key(bytes)
                try skip(bytes, depth: depth + 1)
            } while try more(until: 0x7D, bytes)
        case 0x5B:
            position += 1
            if consume(0x5D, bytes) { return }
            repeat { try skip(bytes, depth: depth + 1) } while try more(until: 0x5D, bytes)
        case 0x22: _ = try text(bytes)
        case 0x74: try literal("true", bytes)
        case 0x66: try literal("false", bytes)
        case 0x6E where position + 1 < bytes.count && bytes[position + 1] == 0x75: try literal("null", bytes)
        default: _ = try number(bytes)
        }
    }

    /// Reads a number. It skips anything else, including null, and returns nil.
    mutating func numberIfAny(_ bytes: Span<UInt8>) throws(Failure) -> Double? {
        switch peek(bytes) {
        case 0x7B, 0x5B, 0x22, 0x74, 0x66:
            try skip(bytes)
            return nil
        case 0x6E where position + 1 < bytes.count && bytes[position + 1] == 0x75:
            try literal("null", bytes)
            return nil
        default: return try number(bytes)
        }
    }

    /// Reads true or false. It skips anything else and returns nil.
    mutating func flagIfAny(_ bytes: Span<UInt8>) throws(Failure) -> Bool? {
        let first = peek(bytes)
        try skip(bytes)
        return first == 0x74 ? true : first == 0x66 ? false : nil
    }

    /// Reads a string. It skips anything else and returns nil.
    mutating func textIfAny(_ bytes: Span<UInt8>) throws(Failure) -> Text? {
        guard peek(bytes) == 0x22 else {
            try skip(bytes)
            return nil
        }
        return try text(bytes)
    }

    /// Consumes a word, with letters in any case.
    mutating func literal(_ word: StaticString, _ bytes: Span<UInt8>) throws(Failure) {
        guard bytes.count - position >= word.utf8CodeUnitCount else { throw Failure(position: position) }
        for index in 0..<word.utf8CodeUnitCount where bytes[position + index] | 0x20 != word.utf8Start[index] {
            throw Failure(position: position)
        }
        position += word.utf8CodeUnitCount
    }

    /// Advances the position, for the number reader.
    @inline(__always)
    mutating func advance(by count: Int = 1) { position += count }
}
