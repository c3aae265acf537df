/// Bytes of a line into JSON objects, one a text line; what is none (boot messages, debug text, halves) is skipped and counted.
struct ObjectLines: Sendable {
    /// A line that is longer is no object; the firmware's own buffer has 256 bytes.
    static let longest = 250

    private var line: [UInt8] = []
    /// The line is longer than that: the rest of it is skipped, too.
    private var isTooLong = false
    /// Bytes of lines that were no object.
    private(set) var invalidBytes = 0

    init() { line.reserveCapacity(Self.longest) }

    mutating func reset() {
        line.removeAll(keepingCapacity: true)
        isTooLong = false
    }

    /// Takes a byte; the object, and the text that it was, when it was the end of one.
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

    /// Text without an end of its own, or an object that lost its end, may stand before the object: it begins at the last brace.
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
