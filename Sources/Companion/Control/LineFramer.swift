/// Cuts what comes from a socket into lines. It never holds more than one line's limit, whatever comes.
struct LineFramer {
    /// What comes out.
    enum Item: Equatable {
        /// A line with something on it, without its end.
        case line([UInt8])
        /// A line over the limit. Nothing comes after it, and nothing more is kept.
        case tooLong
    }

    /// The contract's limit, bytes.
    static let longest = 1 << 20

    private let longest: Int
    private var buffer: [UInt8] = []
    private var start = 0
    private var scanned = 0
    private var seen = 0
    private var isOverlong = false

    init(longest: Int = Self.longest) { self.longest = longest }

    /// How many bytes are kept.
    var count: Int { buffer.count - start }

    /// How many bytes may be appended now; 0: take the lines first.
    var room: Int { isOverlong ? .max : longest + 1 - count }

    /// Takes bytes, at most as many as there is room for.
    mutating func append(_ bytes: some Collection<UInt8>) {
        guard !isOverlong else { return }
        if start > 0 {
            buffer.removeFirst(start)
            scanned -= start
            seen = max(0, seen - start)
            start = 0
        }
        buffer.append(contentsOf: bytes)
    }

    /// The next line, if there is a whole one.
    mutating func next() -> Item? {
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

    /// The whole lines that wait and were not looked at before; they stay where they are.
    mutating func unseen() -> [ArraySlice<UInt8>] {
        var lines: [ArraySlice<UInt8>] = []
        seen = max(seen, start)
        while let end = buffer[seen...].firstIndex(of: 0x0A) {
            lines.append(buffer[seen..<end])
            seen = end + 1
        }
        return lines
    }

    /// All that waits, also the last line without an end.
    var remaining: ArraySlice<UInt8> { buffer[start...] }

    /// Forgets what waits.
    mutating func discard() { empty() }

    /// No more will come: what is left is the last line, without an end of its own.
    mutating func finish() -> Item? {
        defer { empty() }
        let line = Self.trimmed(buffer[start...])
        return line.isEmpty ? nil : .line(Array(line))
    }

    /// A long line's memory is given back.
    private mutating func empty() {
        buffer.removeAll(keepingCapacity: buffer.capacity <= 1 << 16)
        (start, scanned, seen) = (0, 0, 0)
    }

    /// Without white space around it; a line end may be CR LF, and a blank line is none.
    private static func trimmed(_ line: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        let isBlank: (UInt8) -> Bool = { $0 == 0x20 || $0 == 0x09 || $0 == 0x0D }
        let rest = line.drop(while: isBlank)
        guard let last = rest.lastIndex(where: { !isBlank($0) }) else { return rest }
        return rest[...last]
    }
}
