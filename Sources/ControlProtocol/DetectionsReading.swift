public import Geometry

/// A face in a detector's answer.
public struct DetectedFaceReading: Record, Equatable {
    /// Its rectangle, normalised.
    public var rect = Rect.full
    /// The detector's confidence, 0...1.
    public var score = 1.0
    /// "person" or "object".
    public var kind = "person"
    /// Points of the face, normalised, in the detector's own order.
    public var landmarks: [Point] = []
    /// What is known of the face. Its distance may be an estimate: see `distanceSource`.
    public var attributes = FaceAttributes()
    /// The standard deviation of the distance, in metres, or nil if it is unknown.
    public var distanceError: Double?
    /// What the distance was found with: a word of `SubjectDistance.Source`, or nil if there is none.
    public var distanceSource: String?

    /// Creates a reading in which nothing is known.
    public init() {}

    /// The members.
    public static let rows: [RecordRow<DetectedFaceReading>] =
        [
            RecordRow("rect", .named("rect"), get: { .rect($0.rect) }) { $0.rect = $1.rect ?? .full },
            RecordRow("score", .share, get: { .number($0.score) }) { $0.score = $1.number ?? 1 },
            RecordRow("kind", .named("kind"), get: { .string($0.kind) }) { $0.kind = $1.string ?? "" },
            RecordRow(
                "landmarks", .list(of: .named("point"), 0...8), get: { .array($0.landmarks.map(JSONValue.point)) }
            ) { $0.landmarks = ($1.array ?? []).compactMap(\.point) },
        ]
        + FaceAttribute.all.map { attribute in
            RecordRow(
                attribute.coding.name.description, .orNull(.anyNumber),
                get: { .number(orNull: $0.attributes[attribute]) }
            ) { $0.attributes[attribute] = $1.number }
        } + distanceRows
}

extension DetectedFaceReading: DistanceCarrier {}

/// The data of topic `detections`: one answer of one detector, whether tracking uses it or not.
public struct DetectionsReading: Record, Equatable {
    /// The detector's number of the frame, or nil if it gives none.
    public var sequence: Int?
    /// When the frame was taken, CLOCK_MONOTONIC, or nil if it is unknown.
    public var time: Double?
    /// When the answer was read, CLOCK_MONOTONIC.
    public var arrival = 0.0
    /// The name of the detector's source.
    public var source = ""
    /// Whether this source steers.
    public var isActive = false
    /// Why tracking does not use the answer: "repeated", "outOfOrder", "tooOld" or "future"; nil if it may.
    public var dropped: String?
    /// The frame's width and height in pixels, or nil if they are unknown.
    public var size: (width: Double, height: Double)?
    /// The faces, low scores included.
    public var faces: [DetectedFaceReading] = []
    /// Rectangles that may be faces. They do not steer; a program that hides faces should hide them, too.
    public var maybe: [DetectedFaceReading] = []
    /// The number of rectangles in the detector's line that could not be read.
    public var unread = 0
    /// The number of entries of `faces` and `maybe` that this program could not read. They are missing there, so a
    /// program that hides faces must not trust the rest.
    public private(set) var misread = 0
    /// How much the picture is magnified, >= 1.
    public var zoom = 1.0
    /// Which of the rig's cameras took it, from 0.
    public var camera = 0
    /// Other things, as the detector wrote them.
    public var objects: [JSONValue] = []
    /// Whole people, as the detector wrote them.
    public var people: [JSONValue] = []
    /// Hands, at most `DetectedHandReading.most`. Each has all its joints.
    public var hands: [DetectedHandReading] = []

    /// Creates a reading in which nothing is known.
    public init() {}

    /// The members.
    public static let rows: [RecordRow<DetectionsReading>] = [
        RecordRow("sequence", .orNull(.whole(Int.min...Int.max)), get: { $0.sequence.map { .number($0) } ?? .null }) {
            $0.sequence = $1.integer
        },
        RecordRow("t", .orNull(.anyNumber), get: { .number(orNull: $0.time) }) { $0.time = $1.number },
        RecordRow("arrival", .anyNumber, get: { .number($0.arrival) }) { $0.arrival = $1.number ?? 0 },
        RecordRow("source", .anyText, get: { .string($0.source) }) { $0.source = $1.string ?? "" },
        RecordRow("active", .flag, get: { .bool($0.isActive) }) { $0.isActive = $1.bool ?? false },
        RecordRow(
            "dropped", .orNull(.word(["repeated", "outOfOrder", "tooOld", "future"])),
            get: { .string(orNull: $0.dropped) }
        ) { $0.dropped = $1.string },
        RecordRow(
            "size", .orNull(.list(of: .anyNumber, 2...2)),
            get: { $0.size.map { .array([.number($0.width), .number($0.height)]) } ?? .null }
        ) { $0.size = $1.point.map { ($0.x, $0.y) } },
        RecordRow("faces", .list(of: .named("detectedFace"), 0...Int.max), get: { .array($0.faces.map(\.json)) }) {
            $0.faces = $0.readFaces($1)
        },
        RecordRow("maybe", .list(of: .named("detectedFace"), 0...Int.max), get: { .array($0.maybe.map(\.json)) }) {
            $0.maybe = $0.readFaces($1)
        },
        RecordRow("unread", .count, get: { .number($0.unread) }) { $0.unread = $1.integer ?? 0 },
        RecordRow("zoom", .number(1...100), get: { .number($0.zoom) }) { $0.zoom = $1.number ?? 1 },
        RecordRow("camera", .whole(0...3), get: { .number($0.camera) }) { $0.camera = $1.integer ?? 0 },
        RecordRow("objects", .list(of: .anything, 0...Int.max), get: { .array($0.objects) }) {
            $0.objects = $1.array ?? []
        },
        RecordRow("people", .list(of: .anything, 0...Int.max), get: { .array($0.people) }) {
            $0.people = $1.array ?? []
        },
        RecordRow(
            "hands", .list(of: .named("detectedHand"), 0...DetectedHandReading.most),
            get: { .array($0.hands.map(\.json)) }
        ) { $0.hands = DetectedHandReading.list($1) },
    ]

    private mutating func readFaces(_ value: JSONValue) -> [DetectedFaceReading] {
        let entries = value.array ?? [], faces = entries.compactMap(DetectedFaceReading.init(json:))
        misread += entries.count - faces.count
        return faces
    }

    /// Whether both say the same.
    public static func == (a: DetectionsReading, b: DetectionsReading) -> Bool {
        a.json == b.json && a.misread == b.misread
    }
}

/// The data of topic `layers`.
public struct LayersReading: Record, Equatable {
    /// What all programs draw; later layers over earlier ones.
    public var layers: [Layer] = []

    /// Creates a reading without layers.
    public init() {}

    /// Creates a reading of these layers.
    public init(_ layers: [Layer]) { self.layers = layers }

    /// The members.
    public static let rows: [RecordRow<LayersReading>] = [
        RecordRow("layers", .list(of: .named("layer"), 0...Int.max), get: { .array($0.layers.map(\.json)) }) {
            $0.layers = ($1.array ?? []).compactMap(Layer.init(json:))
        }
    ]
}

/// The data of topic `indicators`.
public struct IndicatorsReading: Record, Equatable {
    /// What all programs report.
    public var indicators: [IndicatorReading] = []

    /// Creates a reading without indicators.
    public init() {}

    /// Creates a reading of these indicators.
    public init(_ indicators: [IndicatorReading]) { self.indicators = indicators }

    /// The members.
    public static let rows: [RecordRow<IndicatorsReading>] = [
        RecordRow(
            "indicators", .list(of: .named("indicator"), 0...Int.max), get: { .array($0.indicators.map(\.json)) }
        ) { $0.indicators = ($1.array ?? []).compactMap(IndicatorReading.init(json:)) }
    ]
}
