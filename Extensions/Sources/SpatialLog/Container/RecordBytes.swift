/// Bytes of a record of an MCAP file: numbers are little-endian, and a text has its length before it.
struct RecordBytes: Sendable, Equatable {
    private(set) var bytes: [UInt8] = []

    mutating func put<Number: FixedWidthInteger>(_ number: Number) {
        withUnsafeBytes(of: number.littleEndian) { bytes.append(contentsOf: $0) }
    }

    mutating func put(_ text: String) {
        put(UInt32(text.utf8.count))
        bytes.append(contentsOf: text.utf8)
    }

    mutating func put(raw part: [UInt8]) { bytes.append(contentsOf: part) }

    /// Adds a list or map of so many bytes, which its length in 4 bytes precedes.
    mutating func put(list: RecordBytes) {
        put(UInt32(list.bytes.count))
        bytes.append(contentsOf: list.bytes)
    }

    /// Adds a whole record.
    mutating func put(_ kind: MCAPRecord, _ content: RecordBytes) {
        put(kind.rawValue)
        put(UInt64(content.bytes.count))
        bytes.append(contentsOf: content.bytes)
    }

    var count: Int { bytes.count }

    mutating func removeAll() { bytes.removeAll(keepingCapacity: true) }
}

/// The kinds of records, with their numbers in the file.
enum MCAPRecord: UInt8, Sendable {
    case header = 0x01, footer = 0x02, schema = 0x03, channel = 0x04, message = 0x05, chunk = 0x06
    case messageIndex = 0x07, chunkIndex = 0x08, statistics = 0x0B, metadata = 0x0C, summaryOffset = 0x0E
    case dataEnd = 0x0F

    /// The bytes of kind and length before the content.
    static let head = 9
    /// What a file begins and ends with.
    static let magic: [UInt8] = [0x89, 0x4D, 0x43, 0x41, 0x50, 0x30, 0x0D, 0x0A]
}
