internal import DockTypes

/// The types that several methods and topics share, by name. They are `types` in the schema.
public enum APITypes {
    /// A type of the table.
    public typealias Row = (name: String, shape: Shape)

    /// All types.
    public static let rows: [Row] = values + given + drawing + dock + sight + topics

    /// The same types by name.
    static let byName = Dictionary(uniqueKeysWithValues: rows.map { ($0.name, $0.shape) })

    /// The names of the expressions that every face has.
    public static let expressions = [
        "normal", "happy", "sad", "excited", "sleepy", "anger", "disgust", "fear", "surprise", "trust",
        "anticipation", "joy", "sadness", "curiosity", "acceptance", "contempt", "pride", "shame", "love", "guilt",
        "envy",
    ]

    /// What this protocol has gained, by name, as the greeting lists it. A program asks for what it needs.
    public static let featureNames = [
        "pictures", "detections", "layers", "indicators", "cues", "extensions", "distances", "expect",
    ]
    /// The member of the greeting.
    public static let features = JSONValue.array(featureNames.map(JSONValue.string))
    /// The maximum number of subjects that a program can select.
    public static let mostSelected = 16
    /// The maximum number of subjects in one call of `track`.
    public static let mostObservations = 100
    /// The maximum number of items in a layer.
    public static let mostItems = 512
    /// The maximum number of points of a path.
    public static let mostPoints = 32
    /// The maximum number of subjects in one call of `setDistances`.
    public static let mostDistances = 32
    /// The longest text of an item or an indicator, in bytes.
    public static let longestNote = 80
    /// Integers that a double represents exactly.
    public static let exact = 0...(1 << 53)
    /// Wider (rad) and faster (rad/s) than any dock. The dock applies its own limits.
    static let angle = Shape.number(-1000...1000)
    private static let pixels = Shape.positive(upTo: 1e6)

    private static let values: [Row] = [
        ("name", .name), ("expression", .expression),
        ("panTilt", .object([.required("pan", .anyNumber), .required("tilt", .anyNumber)])),
        ("rect", .list(of: .anyNumber, 4...4)), ("point", .list(of: .anyNumber, 2...2)), ("givenRect", .rect),
        ("subjectID", .whole(exact)), ("motionID", .whole(1...Int(Int32.max))),
        ("mode", .word(TrackingMode.allCases.map(\.rawValue))),
        ("framing", .word(FramingMode.allCases.map(\.rawValue))), ("kind", .word(["person", "object"])),
        ("processState", .word(["starting", "running", "stalled", "restarting", "failed", "over"])),
        ("topic", .word(Topic.allCases.map(\.rawValue))),
        (
            "reason",
            .word([
                "moving", "nothingToDo", "deadZone", "noSubject", "limit", "detectorStale", "notConnected", "arming",
                "faulted", "poseUnknown", "batteryCritical", "torqueOff", "lensMoving",
            ])
        ),
    ]

    /// What a program sends. Null means the same as a missing member.
    static let given: [Row] = [
        (
            "observation",
            .object([
                .required("id", .named("subjectID")), .required("rect", .named("givenRect")),
                .optional("kind", .named("kind")),
                .optional("yaw", .number(-.pi ... .pi)), .optional("score", .share), .optional("speaking", .share),
                .optional("looking", .share), .optional("distance", .positive(upTo: 100)),
            ])
        ),
        (
            "givenCamera",
            .object([
                .optional("hfov", .positive(upTo: .pi)), .optional("width", pixels, with: ["height"]),
                .optional("height", pixels, with: ["width"]),
                .optional("fx", pixels, with: ["fy", "cx", "cy", "width"]),
                .optional("fy", pixels, with: ["fx", "cx", "cy", "width"]),
                .optional("cx", pixels, with: ["fx", "fy", "cy", "width"]),
                .optional("cy", pixels, with: ["fx", "fy", "cx", "width"]),
                .optional("rotate", .multiple(of: 90, 0...270)),
                .optional("mirrored", .flag),
            ])
        ),
        (
            "givenDistance",
            .object([
                .required("id", .named("subjectID")), .required("distance", .positive(upTo: 100)),
                .optional("error", .number(0...100)),
            ])
        ),
        (
            "item",
            .object([
                .required("kind", .word(LayerItem.Kind.allCases.map(\.rawValue))),
                .optional("rect", .named("givenRect")), .optional("points", .list(of: .named("place"), 1...mostPoints)),
                .optional("text", .text(1...longestNote)), .optional("mark", .text(1...16)),
                .optional("colour", .named("colour")),
            ])
        ),
        (
            "givenLimit",
            .object([.required("min", angle), .required("max", angle), .optional("speed", .positive(upTo: 1000))])
        ),
    ]

    private static let drawing: [Row] = [
        ("space", .word(LayerSpace.allCases.map(\.rawValue))),
        ("colour", .word(LayerColour.allCases.map(\.rawValue))),
        // Two numbers in the picture, three in the room.
        ("place", .list(of: .number(-1000...1000), 2...3)),
        (
            "layer",
            .object([
                .required("name", .name), .required("client", .whole(-1...Int.max)),
                .required("space", .named("space")),
                .required("items", .list(of: .named("item"), 0...mostItems)),
            ])
        ),
        (
            "layerSummary",
            .object([
                .required("name", .name), .required("client", .whole(-1...Int.max)),
                .required("space", .named("space")),
                .required("items", .count),
            ])
        ),
        ("indicator", IndicatorReading.shape),
        ("extension", ExtensionReading.shape),
    ]

    private static let dock: [Row] = [
        ("limit", LimitReading.shape),
        ("limits", LimitsReading.shape),
        ("begun", .object([.required("motion", .named("motionID")), .required("duration", .amount)])),
        ("identity", IdentityReading.shape),
        ("running", RunningReading.shape),
        ("ending", EndingReading.shape),
        ("reasons", .object([.required("pan", .named("reason")), .required("tilt", .named("reason"))])),
        ("why", .object([.required("state", .named("reason")), .required("text", .someText)])),
        ("whyAxes", .object([.required("pan", .named("why")), .required("tilt", .named("why"))])),
        ("camera", CameraReading.shape),
        ("rigCamera", RigCameraReading.shape), ("stand", StandReading.shape), ("rig", RigReading.shape),
        (
            "counters",
            .object(
                [
                    "frames", "droppedFrames", "setpoints", "droppedSetpoints", "faults", "losses", "invalidBytes",
                    "lateWakes", "guardStops",
                ].map { .required($0, .count) })
        ),
        (
            "spread",
            .object([
                .required("count", .count), .required("p50", .orNull(.amount)), .required("p99", .orNull(.amount)),
            ])
        ),
        (
            "stage",
            .object([
                .required(
                    "stage",
                    .word([
                        "delivered", "tracked", "decided", "written", "drained", "moved", "pictured", "answered",
                        "seen",
                    ])), .required("from", .someText), .required("to", .someText), .required("all", .named("spread")),
                .required("recent", .named("spread")), .required("why", .orNull(.anyText)),
            ])
        ),
        (
            "pictureLag",
            .object([
                .required("seconds", .anyNumber), .required("deviation", .amount), .required("corrected", .anyNumber),
            ])
        ),
    ]

    private static let sight: [Row] = [
        ("detectedFace", DetectedFaceReading.shape),
        ("detectedHand", DetectedHandReading.shape),
        ("subject", SubjectReading.shape),
        ("lens", LensReading.shape),
        (
            "detectorCamera",
            .object([
                .required("name", .anyText), .required("state", .named("processState")), .required("restarts", .count),
                .required("problem", .orNull(.anyText)), .required("width", .orNull(.whole(1...Int.max))),
                .required("height", .orNull(.whole(1...Int.max))), .required("rate", .orNull(.anyNumber)),
                .required("estimated", .orNull(.flag)), .required("readers", .count),
            ])
        ),
        (
            "detectorSource",
            .object([
                .required("name", .anyText), .required("state", .named("processState")), .required("active", .flag),
                .required("detector", .orNull(.anyText)), .required("restarts", .count),
                .required("problem", .orNull(.anyText)), .required("latency", .orNull(.amount)),
            ])
        ),
        (
            "detector",
            .object([
                .required("source", .anyText), .required("frames", .count), .required("dropped", .count),
                .required("rate", .orNull(.anyNumber)), .required("camera", .orNull(.named("detectorCamera"))),
                .required("sources", .list(of: .named("detectorSource"), 0...Int.max)),
            ])
        ),
    ]
}
