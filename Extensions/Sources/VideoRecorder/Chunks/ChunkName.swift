/// The strongest thing that must be known of the faces in a chunk, as a word of its name.
public enum ChunkVerdict: String, Sendable, CaseIterable {
    /// A detector looked, and there was no face in any frame.
    case clear
    /// Faces were covered; frames of which that was not certain were covered as a whole.
    case covered
    /// Every frame was covered as a whole.
    case whole
    /// Nothing was covered, because the owner wanted that.
    case visible
}

/// The name of a finished chunk: `chunk_1795551979555_30010_covered.mp4`. Names are the index of a folder.
public struct ChunkName: Sendable, Hashable {
    /// The date of the first frame, in milliseconds since 1970, UTC.
    public var start: Int
    /// From the first frame to the first one of the next chunk, or to the end of the last frame, in milliseconds.
    public var duration: Int
    /// What must be known of its faces.
    public var verdict: ChunkVerdict

    /// The last date of a name: 9999-12-31, in milliseconds since 1970.
    public static let latest = 253_402_214_400_000
    /// The longest chunk, in milliseconds: a day. Settings allow much less.
    public static let longest = 86_400_000

    /// Creates a name. Numbers out of range become the nearest ones in it.
    public init(start: Int, duration: Int, verdict: ChunkVerdict) {
        self.start = min(max(start, 0), Self.latest)
        self.duration = min(max(duration, 0), Self.longest)
        self.verdict = verdict
    }

    /// The date of its end, in milliseconds since 1970.
    public var end: Int { start + duration }

    /// The name of the file.
    public var file: String { "chunk_\(start)_\(duration)_\(verdict.rawValue).mp4" }

    /// The name for a server, which knows chunks by their start.
    public var uploadName: String { "chunk_\(start).mp4" }

    /// Reads the name of a file. The result is nil if it is none of ours.
    public init?(file: some StringProtocol) {
        guard file.utf8.count <= 64, file.hasSuffix(".mp4") else { return nil }
        let parts = file.dropLast(4).split(separator: "_", omittingEmptySubsequences: false)
        guard parts.count == 4, parts[0] == "chunk", let start = Self.number(parts[1], most: Self.latest),
            let duration = Self.number(parts[2], most: Self.longest),
            let verdict = ChunkVerdict(rawValue: String(parts[3]))
        else { return nil }
        self.init(start: start, duration: duration, verdict: verdict)
        // One chunk must not have two names: "007" is not 7.
        guard self.file == file else { return nil }
    }

    static func number(_ text: some StringProtocol, most: Int) -> Int? {
        guard (1...15).contains(text.utf8.count), text.utf8.allSatisfy({ (0x30...0x39).contains($0) }),
            let number = Int(text), number <= most
        else { return nil }
        return number
    }
}

/// The name of a chunk while it is written: `chunk_1795551979555_covered.part`. If the program dies, the word says what
/// must be assumed of its faces.
public struct PartName: Sendable, Hashable {
    /// The date of the first frame, in milliseconds since 1970, UTC.
    public var start: Int
    /// What must be assumed of its faces.
    public var verdict: ChunkVerdict

    /// Creates a name. A date out of range becomes the nearest one in it.
    public init(start: Int, verdict: ChunkVerdict) {
        self.start = min(max(start, 0), ChunkName.latest)
        self.verdict = verdict
    }

    /// The name of the file.
    public var file: String { "chunk_\(start)_\(verdict.rawValue).part" }

    /// Reads the name of a file. The result is nil if it is none of ours.
    public init?(file: some StringProtocol) {
        guard file.utf8.count <= 64, file.hasSuffix(".part") else { return nil }
        let parts = file.dropLast(5).split(separator: "_", omittingEmptySubsequences: false)
        guard parts.count == 3, parts[0] == "chunk", let start = ChunkName.number(parts[1], most: ChunkName.latest),
            let verdict = ChunkVerdict(rawValue: String(parts[2]))
        else { return nil }
        self.init(start: start, verdict: verdict)
        guard self.file == file else { return nil }
    }
}

/// The dates that chunks of a folder begin with. A server and a person know a chunk by this date, so there is one chunk
/// for a date. Pure.
public struct ChunkDates: Sendable, Equatable {
    private var taken: Set<Int> = []

    /// Creates the dates of the chunks that exist.
    public init(_ taken: some Sequence<Int> = []) { self.taken = Set(taken) }

    /// Returns this date, or the next free one (each a millisecond later), and takes it.
    public mutating func take(_ date: Int) -> Int {
        var free = min(max(date, 0), ChunkName.latest)
        // A clock that is set back again and again fills some dates, never all of them.
        while taken.contains(free), free < ChunkName.latest { free += 1 }
        taken.insert(free)
        return free
    }

    /// Takes the date of a chunk that exists.
    public mutating func add(_ date: Int) { taken.insert(date) }

    /// Gives back the date of a chunk that is gone.
    public mutating func release(_ date: Int) { taken.remove(date) }
}
