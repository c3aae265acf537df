/// Splits bytes into JSON objects, one for each line of text. Other lines (boot messages, debug text, incomplete lines)
/// are skipped and counted.
struct ObjectLines: Sendable {
    /// The maximum length of a line, in bytes. A longer one is not an object, because the firmware's own buffer has 256
    /// bytes.
    static let longest = 250

    private var line: [UInt8] = []
    /// Whether the line is longer than that. The rest of it is then skipped, too.
    private var isTooLong = false
    /// The number of bytes in lines that were not an object.
    private(set) var invalidBytes = 0

    init() { line.reserveCapacity(Self.longest) }

    mutating func reset() {
        line.removeAll(keepingCapacity: true)
        isTooLong = false
    }

    /// Adds a byte. If it ends an object, returns the object and its text.
    mutating func push(_ byte: UInt8) -> (object: FlatObject, text: [UInt8])? {
        guard byte != 0x0A else {
            defer { reset() }
            guard !isTooLong else { return nil }
            return finished()
        }
        if isTooLong || line.count >= Self.longest {
            invalidBytes += 1 + (isTooLong ? 0 : line.count)
            isTooLong = true
            line.removeAll(keepingCapacity: true)
        } else {
            line.append(byte)
        }
        return nil
    }

    /// Returns the object at the end of the line. Text without a line end, or an object that lost its end, may precede
    /// it, so it begins at the last opening brace.
    private mutating func finished() -> (object: FlatObject, text: [UInt8])? {
        if line.isEmpty || line == [0x0D] { return nil }
        guard let start = line.lastIndex(of: UInt8(ascii: "{")), let object = FlatObject(line[start...]) else {
            invalidBytes += line.count + 1
            return nil
        }
        invalidBytes += start
        return (object, Array(line[start...]))
    }
}
