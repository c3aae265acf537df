import Foundation

/// The records of an MCAP file, read one after the other.
struct RecordWalk {
    struct Record {
        let kind: UInt8
        let content: Data
    }

    let records: [Record]
    /// Whether the file begins and ends as a complete one.
    let isComplete: Bool
    /// Bytes behind the last whole record.
    let rest: Int

    init(_ path: String) throws {
        let bytes = try Data(contentsOf: URL(fileURLWithPath: path))
        let magic = Data([0x89, 0x4D, 0x43, 0x41, 0x50, 0x30, 0x0D, 0x0A])
        var records: [Record] = [], at = magic.count
        while at + 9 <= bytes.count {
            let length = (0..<8).reduce(0) { $0 | Int(bytes[at + 1 + $1]) << (8 * $1) }
            guard bytes.suffix(from: at) != magic, at + 9 + length <= bytes.count else { break }
            records.append(Record(kind: bytes[at], content: bytes[(at + 9)..<(at + 9 + length)]))
            at += 9 + length
        }
        self.records = records
        isComplete = bytes.starts(with: magic) && bytes.suffix(from: at) == magic && records.last?.kind == 2
        rest = isComplete ? 0 : bytes.count - at
    }

    /// The number of records of a kind.
    func count(_ kind: UInt8) -> Int { records.count { $0.kind == kind } }

    static let chunk: UInt8 = 6
}
