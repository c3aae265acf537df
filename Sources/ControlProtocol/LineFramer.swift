/// Splits the bytes from a socket into lines. It never holds more than one line's limit.
public struct LineFramer: Sendable {
    /// A framed result.
    public enum Item: Equatable, Sendable {
        /// A line that is not blank, without its end.
        case line([UInt8])
        /// A line over the limit. No further line follows, and no more bytes are kept.
        case tooLong
    }

    /// The longest permitted line, as documented, in bytes.
    public static let longest = 1 << 20

    private let longest: Int
    private var buffer: [UInt8] = []
    private var start = 0
    private var scanned = 0
    private var seen = 0
    private var isOverlong = false

    /// Creates an empty framer.
    public init(longest: Int = Self.longest) { self.longest = longest }

    /// The number of bytes kept.
    public var count: Int { buffer.count - start }

    /// The number of bytes that may be appended now. At 0, the lines must be taken first.
    public var room: Int { isOverlong ? .max : longest + 1 - count }

    /// Appends bytes, at most as many as there is room for.
    public mutating func append(_ bytes: some Collection<UInt8>) {
        guard !isOverlong else { return }
        if start > 0 {
            buffer.removeFirst(start)
            scanned -= start
            seen = max(0, seen - start)
            start = 0
        }
        buffer.append(contentsOf: bytes)
    }

    /// Returns the next line, if there is a complete one.
    public mutating func next() -> Item? {
        while let end = buffer[scanned...].firstIndex(of: 0x0A) {
            let line = Self.trimmed(buffer[start..<end])
            start = end + 1
            scanned = start
            if !line.isEmpty { return .line(Array(line)) }
        }
        scanned = buffer.count
        guard count <= longest else {
            isOverlong = true
            empty()
            return .tooLong
        }
        if count == 0 { empty() }
        return nil
    }

    /// Returns the complete waiting lines that it has not returned before. They remain in the buffer.
    public mutating func unseen() -> [ArraySlice<UInt8>] {
        var lines: [ArraySlice<UInt8>] = []
        seen = max(seen, start)
        while let end = buffer[seen...].firstIndex(of: 0x0A) {
            lines.append(buffer[seen..<end])
            seen = end + 1
        }
        return lines
    }

    /// All waiting bytes, including a last line without an end.
    public var remaining: ArraySlice<UInt8> { buffer[start...] }

    /// Discards the waiting bytes.
    public mutating func discard() { empty() }

    /// Ends the input: the remaining bytes are the last line, without a line end.
    public mutating func finish() -> Item? {
        defer { empty() }
        let line = Self.trimmed(buffer[start...])
        return line.isEmpty ? nil : .line(Array(line))
    }

    /// Empties the buffer and releases the memory of a long line.
    private mutating func empty() {
        buffer.removeAll(keepingCapacity: buffer.capacity <= 1 << 16)
        (start, scanned, seen) = (0, 0, 0)
    }

    /// Removes surrounding white space: a line may end with CR LF, and a blank line is ignored.
    private static func trimmed(_ line: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        let isBlank: (UInt8) -> Bool = { $0 == 0x20 || $0 == 0x09 || $0 == 0x0D }
        let rest = line.drop(while: isBlank)
        guard let last = rest.lastIndex(where: { !isBlank($0) }) else { return rest }
        return rest[...last]
    }
}
