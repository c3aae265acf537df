public import ControlProtocol
public import Geometry

/// How to record and what to send, as the owner and the server have agreed. It takes effect with the next chunk.
public struct RecordingConfig: Sendable, Equatable {
    /// A megabyte as the protocol counts it, in bytes.
    public static let megabyte = 1_048_576
    /// The permitted lengths of a chunk, in seconds.
    public static let lengths: ClosedRange<Seconds> = 2...600

    /// The container of chunks, or nil if none are wanted.
    public internal(set) var video: VideoFormat?
    /// The length of a chunk.
    public internal(set) var chunkLength: Seconds
    /// The room for chunks, in bytes.
    public internal(set) var budget: Int
    /// Frames per second.
    public internal(set) var rate: Double
    /// The format in which the server wants the sound as a file of its own, or nil if it does not.
    public internal(set) var sound: SoundFormat?
    /// Whether the server wants the times of frames.
    public internal(set) var wantsTimestamps = false
    /// Whether the server wants the poses.
    public internal(set) var wantsPoses = false
    /// The media over which the server wants no files.
    public internal(set) var forbidden: Set<Medium> = []

    /// The owner's own settings, without a server.
    public init(_ terms: OwnerTerms) {
        (video, budget, rate) = (terms.video, terms.budget, terms.rate)
        chunkLength = terms.chunkLength.clamped(to: Self.lengths)
    }

    /// The companions of a chunk that the server wants, in the order in which they are sent.
    public func companions(of chunk: ChunkReference) -> [FileRole] {
        var roles: [FileRole] = []
        if let sound, chunk.hasSound { roles.append(.sound(sound)) }
        if wantsTimestamps { roles.append(.timestamps) }
        if wantsPoses, chunk.hasPoses { roles.append(.poses) }
        return roles
    }

    /// Reads a server's requests. Each of them can only narrow the owner's terms. A member of the wrong type is ignored.
    /// - Returns: the result, and a line for the log for each member that was ignored or limited.
    public static func merge(
        _ members: [String: JSONValue], into terms: OwnerTerms
    ) -> (config: RecordingConfig, complaints: [String]) {
        var reader = ConfigReader(members)
        var config = RecordingConfig(terms)
        if let word = reader.word("videoFormat", ["mp4", "mov", "none"]), terms.video != nil {
            config.video = VideoFormat(rawValue: word)
        }
        if let milliseconds = reader.number("videoChunkDurationMs") {
            config.chunkLength = reader.limit("videoChunkDurationMs", milliseconds / 1000, to: lengths)
        }
        if let megabytes = reader.number("videoBufferMaxMB") {
            let least = Double(min(terms.leastBudget, terms.budget)), most = Double(terms.budget)
            let bytes = reader.limit("videoBufferMaxMB", megabytes * Double(megabyte), to: least...most)
            config.budget = min(terms.budget, Int(exactly: bytes.rounded(.down)) ?? terms.budget)
        }
        if let rate = reader.number("fps") {
            config.rate = reader.limit("fps", rate, to: min(1, terms.rate)...terms.rate)
        }
        if let word = reader.word("audioFormat", ["wav", "m4a", "none"]), terms.keepsSound {
            config.sound = SoundFormat(rawValue: word)
        }
        config.wantsTimestamps = reader.word("timestampFormat", ["txt", "none"]) == "txt"
        let wantsPoses = reader.word("poseFormat", ["json", "none"]) == "json"
        config.wantsPoses = terms.keepsPoses && wantsPoses
        config.forbidden = reader.forbiddenMedia("communicationsPolicy")
        return (config, reader.complaints)
    }

    /// What the members say about the server: only the Python server names formats beside the video's.
    static func variant(of members: [String: JSONValue]) -> ServerVariant {
        ["audioFormat", "poseFormat", "timestampFormat"].contains { members[$0] != nil } ? .python : .unknown
    }
}

/// Reads the members of a server's configuration one by one, and collects what is wrong with them.
struct ConfigReader {
    private let members: [String: JSONValue]
    private(set) var complaints: [String] = []

    init(_ members: [String: JSONValue]) { self.members = members }

    /// One of these words, or nil if the member is missing or something else.
    mutating func word(_ name: String, _ words: [String]) -> String? {
        guard let value = members[name] else { return nil }
        guard let word = value.string, words.contains(word) else {
            return complain(name, "is not one of \(words.joined(separator: ", "))")
        }
        return word
    }

    /// A positive number, or nil if the member is missing or something else.
    mutating func number(_ name: String) -> Double? {
        guard let value = members[name] else { return nil }
        guard let number = value.number, number.isFinite, number > 0 else {
            return complain(name, "is not a positive number")
        }
        return number
    }

    /// The value, or the nearest permitted one.
    mutating func limit(_ name: String, _ value: Double, to range: ClosedRange<Double>) -> Double {
        let limited = value.clamped(to: range)
        if limited != value { complaints.append("\(name) is limited to what the owner allows") }
        return limited
    }

    /// The media whose member is false.
    mutating func forbiddenMedia(_ name: String) -> Set<Medium> {
        guard let value = members[name] else { return [] }
        guard let policy = value.object else { return complain(name, "is not an object") ?? [] }
        var forbidden: Set<Medium> = []
        for medium in Medium.allCases {
            guard let value = policy[medium.rawValue] else { continue }
            guard let isAllowed = value.bool else {
                complaints.append("\(name).\(medium.rawValue) is ignored, because it is neither true nor false")
                continue
            }
            if !isAllowed { forbidden.insert(medium) }
        }
        return forbidden
    }

    private mutating func complain<Value>(_ name: String, _ what: String) -> Value? {
        complaints.append("\(name) is ignored, because it \(what)")
        return nil
    }
}

extension Comparable {
    func clamped(to range: ClosedRange<Self>) -> Self { min(max(self, range.lowerBound), range.upperBound) }
}
