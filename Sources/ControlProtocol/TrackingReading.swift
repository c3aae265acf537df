public import Geometry

/// A subject that the tracker follows or could follow.
public struct SubjectReading: Record, Equatable {
    /// Its number, which is never used again.
    public var id = 0
    /// "person" or "object".
    public var kind = ""
    /// Its rectangle, normalised.
    public var rect = Rect.full
    /// Its rank among all subjects, 1 for the first, or nil if it has none.
    public var salienceRank: Int?
    /// How long it has been tracked, in seconds.
    public var age = 0.0
    /// Whether no detection matched it in this frame, so that the rectangle is predicted.
    public var isCoasting = false
    /// What is known of the face. The direction of the face is not reported, and its distance may be an estimate: see
    /// `distanceSource`.
    public var attributes = FaceAttributes()
    /// The standard deviation of the distance, in metres, or nil if it is unknown.
    public var distanceError: Double?
    /// What the distance was found with: a word of `SubjectDistance.Source`, or nil if there is none.
    public var distanceSource: String?
    /// Whether it was selected.
    public var isSelected = false

    /// Creates a reading in which nothing is known.
    public init() {}

    /// The earlier name of `salienceRank`.
    @available(*, deprecated, renamed: "salienceRank")
    public var saliency: Int? {
        get { salienceRank }
        set { salienceRank = newValue }
    }

    /// The members.
    public static let rows: [RecordRow<SubjectReading>] =
        [
            RecordRow("id", .named("subjectID"), get: { .number($0.id) }) { $0.id = $1.integer ?? 0 },
            RecordRow("kind", .named("kind"), get: { .string($0.kind) }) { $0.kind = $1.string ?? "" },
            RecordRow("rect", .named("rect"), get: { .rect($0.rect) }) { $0.rect = $1.rect ?? .full },
            RecordRow(
                "saliency", .orNull(.whole(Int.min...Int.max)), get: { $0.salienceRank.map { .number($0) } ?? .null }
            ) { $0.salienceRank = $1.integer },
            RecordRow("age", .amount, get: { .number($0.age) }) { $0.age = $1.number ?? 0 },
            RecordRow("coasting", .flag, get: { .bool($0.isCoasting) }) { $0.isCoasting = $1.bool ?? false },
            RecordRow("selected", .flag, get: { .bool($0.isSelected) }) { $0.isSelected = $1.bool ?? false },
        ]
        + FaceAttribute.all.filter(\.coding.isInTopic).map { attribute in
            RecordRow(
                attribute.coding.name.description, .orNull(attribute.coding.range.shape),
                get: { .number(orNull: $0.attributes[attribute]) }
            ) { $0.attributes[attribute] = $1.number }
        } + distanceRows
}

extension SubjectReading: DistanceCarrier {}

extension FaceCoding.Range {
    /// The form of a value.
    var shape: Shape {
        switch self {
        case .share: .share
        case .angle: .number(-.pi ... .pi)
        case .positive(let most): .positive(upTo: most)
        }
    }
}

/// The data of topic `tracking`: the subjects, and the one that the head follows.
public struct TrackingReading: Record, Equatable {
    /// When the frame was taken, CLOCK_MONOTONIC, or nil before the first frame.
    public var time: Double?
    /// The detector's number of the frame, or nil if it gives none.
    public var sequence: Int?
    /// "idle", "following", "coasting", "searching", "homing", "expecting" or "detectorStale".
    public var phase = ""
    /// The number of the followed subject, or nil if there is none.
    public var followed: Int?
    /// Where in the frame the followed face is placed, normalised.
    public var setPoint = Point(x: 0.5, y: 0.5)
    /// How the camera of the frame sees the room, or nil before the first frame.
    public var lens: LensReading?
    /// All subjects, by number.
    public var subjects: [SubjectReading] = []

    /// Creates a reading in which nothing is known.
    public init() {}

    /// The members.
    public static let rows: [RecordRow<TrackingReading>] = [
        RecordRow("t", .orNull(.anyNumber), get: { .number(orNull: $0.time) }) { $0.time = $1.number },
        RecordRow("sequence", .orNull(.whole(Int.min...Int.max)), get: { $0.sequence.map { .number($0) } ?? .null }) {
            $0.sequence = $1.integer
        },
        RecordRow(
            "phase", .word(["idle", "following", "coasting", "searching", "homing", "expecting", "detectorStale"]),
            get: { .string($0.phase) }
        ) { $0.phase = $1.string ?? "" },
        RecordRow("followed", .orNull(.named("subjectID")), get: { $0.followed.map { .number($0) } ?? .null }) {
            $0.followed = $1.integer
        },
        RecordRow("setPoint", .named("point"), get: { .point($0.setPoint) }) {
            $0.setPoint = $1.point ?? Point(x: 0.5, y: 0.5)
        },
        RecordRow("lens", .orNull(.named("lens")), get: { $0.lens?.json ?? .null }) {
            $0.lens = LensReading(json: $1)
        },
        RecordRow("subjects", .list(of: .named("subject"), 0...Int.max), get: { .array($0.subjects.map(\.json)) }) {
            $0.subjects = ($1.array ?? []).compactMap(SubjectReading.init(json:))
        },
    ]
}
