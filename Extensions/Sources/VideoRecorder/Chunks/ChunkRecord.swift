public import Geometry

/// What is known of a finished chunk besides its pictures: a line of the day's list. The list is a convenience; if it
/// is lost, names and files still say what is needed.
public struct ChunkRecord: Sendable, Equatable {
    /// The chunk.
    public var name: ChunkName
    /// The number of the recorder's run in this folder. With it, chunks are in order even if the clock was set back.
    public var run = 0
    /// The exposures of the first and of the last frame, CLOCK_MONOTONIC; nil if they are not known.
    public var exposures: ClosedRange<Seconds>?
    /// The size of its pictures, or nil if it is not known.
    public var size: PictureSize?
    /// How its frames were recorded.
    public var tally = ChunkTally()
    /// Whether it has a track of sound.
    public var hasSound = false
    /// Whether its poses are kept beside it.
    public var hasPoses = false
    /// Whether its date can be right.
    public var isDated = true
    /// Whether it was finished after a crash, so that its tally is not known.
    public var isRepaired = false
    /// When a server had received it, in seconds since 1970; nil if none has.
    public var sentAt: Int?
    /// Whether its owner wants to keep it.
    public var isKept = false

    /// Creates a record of which only the name is known.
    public init(_ name: ChunkName) { self.name = name }

    /// The longest line, in bytes.
    static let longest = 500
    /// The highest count and the highest number of a run that is read. Their sums and the next run still fit.
    private static let most = 1_000_000_000

    /// The line, without its end.
    public var line: String {
        var words = [name.file, "run=\(run)"]
        if let exposures { words.append("exposures=\(exposures.lowerBound)..\(exposures.upperBound)") }
        if let size { words.append("size=\(size.width)x\(size.height)") }
        for (key, path) in Self.counts where tally[keyPath: path] > 0 { words.append("\(key)=\(tally[keyPath: path])") }
        if hasSound { words.append("sound=yes") }
        if hasPoses { words.append("poses=yes") }
        if !isDated { words.append("dated=no") }
        if isRepaired { words.append("repaired=yes") }
        if let sentAt { words.append("sent=\(sentAt)") }
        if isKept { words.append("kept=yes") }
        return (words + [Self.end]).joined(separator: " ")
    }

    /// The last word of a line. A line that was cut by a power failure does not have it.
    private static let end = "."

    private static var counts: [(String, WritableKeyPath<ChunkTally, Int>)] {
        [("clear", \.clear), ("covered", \.covered), ("whole", \.whole), ("visible", \.visible), ("lost", \.lost)]
    }

    /// Reads a line. The result is nil if it names no chunk, or was cut; other damage costs only the damaged word.
    public init?(line: some StringProtocol) {
        guard line.utf8.count <= Self.longest else { return nil }
        let words = Substring(line).split(separator: " ")
        guard words.last?.elementsEqual(Self.end) == true, let first = words.first, let name = ChunkName(file: first)
        else { return nil }
        self.init(name)
        for word in words.dropFirst() {
            let parts = word.split(separator: "=", maxSplits: 1)
            if parts.count == 2 { read(parts[0], parts[1]) }
        }
    }

    private mutating func read(_ key: Substring, _ value: Substring) {
        let number = Int(value).flatMap { $0 >= 0 ? $0 : nil }
        if let path = Self.counts.first(where: { $0.0 == key })?.1 {
            tally[keyPath: path] = min(number ?? 0, Self.most)
            return
        }
        switch key {
        case "run": run = min(number ?? 0, Self.most)
        case "exposures": exposures = Self.range(value)
        case "size": size = Self.size(value)
        case "sound": hasSound = value == "yes"
        case "poses": hasPoses = value == "yes"
        case "dated": isDated = value != "no"
        case "repaired": isRepaired = value == "yes"
        case "sent": sentAt = number
        case "kept": isKept = value == "yes"
        default: break
        }
    }

    private static func range(_ text: Substring) -> ClosedRange<Seconds>? {
        // "1.5..2.25": the first two dots in a row.
        let bytes = Array(text.utf8)
        guard let place = bytes.indices.dropLast().first(where: { bytes[$0] == 0x2E && bytes[$0 + 1] == 0x2E }),
            let first = Seconds(String(decoding: bytes[..<place], as: UTF8.self)),
            let last = Seconds(String(decoding: bytes[(place + 2)...], as: UTF8.self)),
            first.isFinite, last.isFinite, first <= last
        else { return nil }
        return first...last
    }

    private static func size(_ text: Substring) -> PictureSize? {
        let numbers = text.split(separator: "x").compactMap { Int($0) }
        guard numbers.count == 2, numbers.allSatisfy({ (1...16_384).contains($0) }) else { return nil }
        return PictureSize(width: numbers[0], height: numbers[1])
    }
}

/// The lists of a folder: one record for each chunk that exists. Pure.
public struct ChunkBook: Sendable, Equatable {
    private var records: [Int: ChunkRecord] = [:]

    /// Creates an empty book.
    public init() {}

    /// The highest number of a run.
    public private(set) var lastRun = 0

    /// Takes the lines of a list. A later line about a chunk replaces an earlier one. Lines that are damaged are
    /// skipped.
    public mutating func read(_ text: some StringProtocol) {
        for line in text.split(separator: "\n") {
            guard let record = ChunkRecord(line: line) else { continue }
            put(record)
        }
    }

    /// Adds or replaces a record.
    public mutating func put(_ record: ChunkRecord) {
        records[record.name.start] = record
        lastRun = max(lastRun, record.run)
    }

    /// Removes the record of the chunk with this date.
    public mutating func remove(_ start: Int) { records[start] = nil }

    /// Returns the record of a chunk. If the lists have none, or one of another chunk with the same date, the name
    /// alone is known.
    public func record(of name: ChunkName) -> ChunkRecord {
        guard let record = records[name.start], record.name == name else { return ChunkRecord(name) }
        return record
    }
}
