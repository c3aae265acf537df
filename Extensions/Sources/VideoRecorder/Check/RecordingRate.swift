/// How fast a folder fills, and how long its room lasts. Pure.
public struct RecordingRate: Sendable, Equatable {
    /// The least recorded time from which a rate is known, in milliseconds (10 s).
    static let least = 10_000

    /// What an hour of recording takes, in bytes.
    public var bytesPerHour: Int
    /// The hours of recording that stay, because of the room or of the age. After that, the oldest files go.
    public var capacity: Double
    /// The hours of recording until then.
    public var left: Double

    /// Determines the rate of the newest chunks. The result is nil if too little is recorded, or if the space of the
    /// disk is not known.
    public init?(_ summary: FolderSummary, _ limits: RingLimits) {
        let newest = summary.chunks.suffix(120)
        let length = newest.reduce(0) { $0 + $1.record.name.duration }
        let bytes = newest.reduce(0) { $0 + $1.bytes + $1.poseBytes }
        guard length >= Self.least, bytes > 0, let space = summary.space else { return nil }
        let used = summary.bytes, spare = max(0, space.free - ChunkRing(limits, length: 30).reserve(of: space))
        let room = min(Double(limits.budget), Double(used) + Double(spare))
        let rate = Double(bytes) / Double(length) * Self.hour
        let age = limits.age.map { Double($0) / Self.hour } ?? .infinity
        bytesPerHour = Int(rate)
        capacity = min(room / rate, age)
        left = max(0, min((room - Double(used)) / rate, age - Double(summary.length) / Self.hour))
    }

    /// An hour, in milliseconds.
    private static let hour = 3_600_000.0

    /// "245 MB an hour; room for 42 hours more" or "245 MB an hour; the oldest go, and 65 hours stay".
    public var words: String {
        let room = left < 0.1 ? "the oldest go, and \(Self.time(capacity)) stay" : "room for \(Self.time(left)) more"
        return "\(ByteSize.words(bytesPerHour)) an hour; \(room)"
    }

    private static func time(_ hours: Double) -> String {
        switch hours {
        case ..<2: "\(Int((hours * 60).rounded())) minutes"
        case ..<72: "\(Int(hours)) hours"
        default: "\(Int(min(hours / 24, 99_999))) days"
        }
    }
}
