/// One entry of an answer.
public struct MulticastRecord: Sendable, Hashable {
    /// What the entry says.
    public enum Content: Sendable, Hashable {
        /// PTR: a service has this instance.
        case pointer(MulticastName)
        /// SRV: an instance is at this host and port.
        case service(host: MulticastName, port: Int)
        /// TXT: `key=value` entries of an instance.
        case text([[UInt8]])
        /// A: four bytes.
        case address4([UInt8])
        /// AAAA: sixteen bytes.
        case address6([UInt8])
    }

    /// What it is about.
    public let name: MulticastName
    /// For how many seconds it is valid. 0: the owner of the name takes it back.
    public let lifetime: Int
    /// What it says.
    public let content: Content
}

/// A message of multicast DNS (RFC 1035 and RFC 6762), as far as finding services needs it.
public struct MulticastMessage: Sendable, Equatable {
    /// The types of entries.
    enum Kind: Int, Sendable { case a = 1, ptr = 12, txt = 16, aaaa = 28, srv = 33 }

    /// A question.
    struct Question: Sendable, Hashable {
        let name: MulticastName
        let kind: Kind
    }

    /// The largest message, in bytes (RFC 6762, section 17).
    public static let largest = 9000
    /// The number of entries that are read. A message of the largest size holds more only if it is made to waste time.
    static let mostRecords = 512

    /// Whether it is an answer.
    public let isAnswer: Bool
    /// All entries that are understood: answers and additional ones.
    public let records: [MulticastRecord]
    /// Questions that are understood.
    let questions: [Question]

    /// Reads a message. The result is nil if the bytes are none. An entry that cannot be read ends it; those before
    /// it count.
    public init?(_ bytes: [UInt8]) {
        guard bytes.count <= Self.largest else { return nil }
        var reader = MulticastReader(bytes)
        guard reader.short() != nil, let flags = reader.short() else { return nil }
        let counts = (0..<4).compactMap { _ in reader.short() }
        guard counts.count == 4 else { return nil }
        isAnswer = flags & 0x8000 != 0
        // A question of another kind, or an answer that reports an error.
        guard flags & 0x7800 == 0, flags & 0x000F == 0 else { return nil }
        var questions: [Question] = [], records: [MulticastRecord] = []
        for _ in 0..<min(counts[0], Self.mostRecords) {
            guard let name = reader.name(), let kind = reader.short(), reader.short() != nil else { return nil }
            if let kind = Kind(rawValue: kind) { questions.append(Question(name: name, kind: kind)) }
        }
        for _ in 0..<min(counts[1] + counts[2] + counts[3], Self.mostRecords) {
            guard let entry = Self.entry(&reader) else { break }
            if let record = entry.record { records.append(record) }
        }
        (self.questions, self.records) = (questions, records)
    }

    /// An entry, without its record if that is of another kind; nil if it cannot be read.
    private static func entry(_ reader: inout MulticastReader) -> (record: MulticastRecord?, Void)? {
        guard let name = reader.name(), let kind = reader.short(), let type = reader.short(),
            let lifetime = reader.long(), let length = reader.short()
        else { return nil }
        let end = reader.at + length
        guard end <= reader.bytes.count else { return nil }
        // The highest bit of the class means that older entries are wrong. 1: the Internet.
        let content = type & 0x7FFF == 1 ? Kind(rawValue: kind).flatMap { read($0, to: end, &reader) } : nil
        guard reader.skip(to: end) else { return nil }
        return (content.map { MulticastRecord(name: name, lifetime: lifetime, content: $0) }, ())
    }

    private static func read(_ kind: Kind, to end: Int, _ reader: inout MulticastReader) -> MulticastRecord.Content? {
        switch kind {
        case .ptr: return reader.name().map { .pointer($0) }
        case .srv:
            guard reader.short() != nil, reader.short() != nil, let port = reader.short(), let host = reader.name()
            else { return nil }
            return .service(host: host, port: port)
        case .a: return end - reader.at == 4 ? reader.bytes(4).map { .address4($0) } : nil
        case .aaaa: return end - reader.at == 16 ? reader.bytes(16).map { .address6($0) } : nil
        case .txt:
            var entries: [[UInt8]] = []
            while reader.at < end, let count = reader.byte(), reader.at + count <= end, let entry = reader.bytes(count)
            {
                if !entry.isEmpty { entries.append(entry) }
            }
            return .text(entries)
        }
    }

    // MARK: questions

    /// Returns a question as bytes. The answer comes to the port that asks (RFC 6762, section 6.7).
    static func question(_ questions: [Question]) -> [UInt8] {
        var bytes: [UInt8] = [0, 0, 0, 0] + number(questions.count) + [0, 0, 0, 0, 0, 0]
        for question in questions {
            for label in question.name.labels { bytes += [UInt8(truncatingIfNeeded: label.count)] + label }
            bytes += [0] + number(question.kind.rawValue) + number(1)
        }
        return bytes
    }

    private static func number(_ value: Int) -> [UInt8] {
        [UInt8(truncatingIfNeeded: value >> 8), UInt8(truncatingIfNeeded: value)]
    }
}
