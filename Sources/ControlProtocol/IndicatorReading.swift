/// What a program says about one of its activities, such as a recording or a connection.
public enum IndicatorState: String, Sendable, CaseIterable {
    /// Nothing happens; the indicator is not shown.
    case off
    /// The activity is about to begin, or the connection is being made.
    case trying
    /// The activity is in progress.
    case on
    /// It is in progress, and what is sent is encrypted for a verified peer.
    case secure
    /// The activity has failed.
    case fault
}

/// An element of topic `indicators`.
public struct IndicatorReading: Record, Equatable {
    /// Its name: "record", "live", "link" or another one.
    public var name = ""
    /// The number of the connection to which it belongs.
    public var client = 0
    /// Its state.
    public var state = IndicatorState.off
    /// A text for people; empty if there is none. At most 80 bytes.
    public var text = ""
    /// Whether it is the one that is shown of all with this name.
    public var isShown = false

    /// Whether it concerns the people nearby: a recording or a broadcast.
    public var isPublic: Bool { name == "record" || name == "live" }

    /// How grave it is: of several indicators with one name, the gravest is shown. Usually that is a failure. But a
    /// recording or a broadcast that is in progress is graver, because no other program's failure may hide it. What is
    /// sent openly is graver than what is encrypted, and what is in progress is graver than an attempt.
    public var gravity: Int {
        switch state {
        case .off: 0
        case .trying: 1
        case .fault: isPublic ? 2 : 5
        case .secure: 3
        case .on: 4
        }
    }

    /// Creates a reading in which nothing is known.
    public init() {}

    /// The members.
    public static let rows: [RecordRow<IndicatorReading>] = [
        RecordRow("name", .name, get: { .string($0.name) }) { $0.name = $1.string ?? "" },
        RecordRow("client", .whole(-1...Int.max), get: { .number($0.client) }) { $0.client = $1.integer ?? 0 },
        RecordRow(
            "state", .word(IndicatorState.allCases.map(\.rawValue)), get: { .string($0.state.rawValue) }
        ) { $0.state = $1.string.flatMap(IndicatorState.init(rawValue:)) ?? .off },
        RecordRow("text", .anyText, get: { .string($0.text) }) { $0.text = $1.string ?? "" },
        RecordRow("shown", .flag, get: { .bool($0.isShown) }) { $0.isShown = $1.bool ?? false },
    ]
}

/// How urgent a sentence is. A program that speaks decides what it means; `high` may interrupt.
public enum CueUrgency: String, Sendable, CaseIterable {
    case low, normal, high
}
