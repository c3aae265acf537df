internal import DockTypes

/// The types that several methods and topics share, by name. They are `types` in the schema.
public enum APITypes {
    /// A type of the table.
    public typealias Row = (name: String, shape: Shape)

    /// All types.
    public static let rows: [Row] = values + given + dock + sight + topics

    /// The same types by name.
    static let byName = Dictionary(uniqueKeysWithValues: rows.map { ($0.name, $0.shape) })

    /// The names of the expressions that every face has.
    public static let expressions = [
        "normal", "happy", "sad", "excited", "sleepy", "anger", "disgust", "fear", "surprise", "trust",
        "anticipation", "joy", "sadness", "curiosity", "acceptance", "contempt", "pride", "shame", "love", "guilt",
        "envy",
    ]

    /// The maximum number of subjects that a program can select.
    public static let mostSelected = 16
    /// The maximum number of subjects in one call of `track`.
    public static let mostObservations = 100
    /// Integers that a double represents exactly.
    public static let exact = 0...(1 << 53)
    /// Wider (rad) and faster (rad/s) than any dock. The dock applies its own limits.
    static let angle = Shape.number(-1000...1000)
    private static let pixels = Shape.positive(upTo: 1e6)

    private static let values: [Row] = [
        ("name", .name), ("expression", .expression),
        ("panTilt", .object([.needs("pan", .anyNumber), .needs("tilt", .anyNumber)])),
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
                "faulted", "poseUnknown", "batteryCritical", "torqueOff",
            ])
        ),
    ]

    /// What a program sends. Null means the same as a missing member.
    static let given: [Row] = [
        (
            "observation",
            .object([
                .needs("id", .named("subjectID")), .needs("rect", .named("givenRect")), .may("kind", .named("kind")),
                .may("yaw", .number(-.pi ... .pi)), .may("score", .share), .may("speaking", .share),
                .may("looking", .share), .may("distance", .positive(upTo: 100)),
            ])
        ),
        (
            "givenCamera",
            .object([
                .may("hfov", .positive(upTo: .pi)), .may("width", pixels, with: ["height"]),
                .may("height", pixels, with: ["width"]), .may("fx", pixels, with: ["fy", "cx", "cy", "width"]),
                .may("fy", pixels, with: ["fx", "cx", "cy", "width"]),
                .may("cx", pixels, with: ["fx", "fy", "cy", "width"]),
                .may("cy", pixels, with: ["fx", "fy", "cx", "width"]), .may("rotate", .multiple(of: 90, 0...270)),
                .may("mirrored", .flag),
            ])
        ),
        (
            "givenLimit",
            .object([.needs("min", angle), .needs("max", angle), .may("speed", .positive(upTo: 1000))])
        ),
    ]

    private static let dock: [Row] = [
        (
            "limit",
            .object([
                .needs("min", .anyNumber), .needs("max", .anyNumber), .needs("speed", .orNull(.anyNumber)),
            ])
        ),
        ("limits", .object([.needs("pan", .named("limit")), .needs("tilt", .named("limit"))])),
        ("begun", .object([.needs("motion", .named("motionID")), .needs("duration", .amount)])),
        (
            "identity",
            .object([
                .needs("name", .anyText), .needs("model", .anyText), .needs("firmware", .anyText),
                .needs("uid", .anyText),
            ])
        ),
        (
            "running",
            .object([
                .needs("id", .named("motionID")), .needs("name", .anyText), .needs("fraction", .share),
                .needs("duration", .amount),
            ])
        ),
        (
            "ending",
            .object([
                .needs("id", .named("motionID")), .needs("name", .anyText),
                .needs(
                    "outcome",
                    .word([
                        "completed", "cancelled", "superseded", "takenOver", "stopped", "emergencyStopped", "faulted",
                        "unplugged", "limited", "modeChanged", "leaseLost",
                    ])),
            ])
        ),
        ("reasons", .object([.needs("pan", .named("reason")), .needs("tilt", .named("reason"))])),
        ("why", .object([.needs("state", .named("reason")), .needs("text", .someText)])),
        ("whyAxes", .object([.needs("pan", .named("why")), .needs("tilt", .named("why"))])),
        ("camera", CameraReading.shape),
        (
            "counters",
            .object(
                [
                    "frames", "droppedFrames", "setpoints", "droppedSetpoints", "faults", "losses", "invalidBytes",
                    "lateWakes", "guardStops",
                ].map { .needs($0, .count) })
        ),
        (
            "spread",
            .object([.needs("count", .count), .needs("p50", .orNull(.amount)), .needs("p99", .orNull(.amount))])
        ),
        (
            "stage",
            .object([
                .needs(
                    "stage",
                    .word([
                        "delivered", "tracked", "decided", "written", "drained", "moved", "pictured", "answered",
                        "seen",
                    ])), .needs("from", .someText), .needs("to", .someText), .needs("all", .named("spread")),
                .needs("recent", .named("spread")), .needs("why", .orNull(.anyText)),
            ])
        ),
        (
            "pictureLag",
            .object([
                .needs("seconds", .anyNumber), .needs("deviation", .amount), .needs("corrected", .anyNumber),
            ])
        ),
    ]

    private static let sight: [Row] = [
        (
            "subject",
            .object([
                .needs("id", .named("subjectID")), .needs("kind", .named("kind")), .needs("rect", .named("rect")),
                .needs("saliency", .orNull(.whole(Int.min...Int.max))), .needs("age", .amount),
                .needs("coasting", .flag), .needs("speaking", .orNull(.share)), .needs("looking", .orNull(.share)),
                .needs("distance", .orNull(.positive(upTo: 100))), .needs("selected", .flag),
            ])
        ),
        (
            "detectorCamera",
            .object([
                .needs("name", .anyText), .needs("state", .named("processState")), .needs("restarts", .count),
                .needs("problem", .orNull(.anyText)), .needs("width", .orNull(.whole(1...Int.max))),
                .needs("height", .orNull(.whole(1...Int.max))), .needs("rate", .orNull(.anyNumber)),
                .needs("estimated", .orNull(.flag)),
            ])
        ),
        (
            "detectorSource",
            .object([
                .needs("name", .anyText), .needs("state", .named("processState")), .needs("active", .flag),
                .needs("detector", .orNull(.anyText)), .needs("restarts", .count),
                .needs("problem", .orNull(.anyText)), .needs("latency", .orNull(.amount)),
            ])
        ),
        (
            "detector",
            .object([
                .needs("source", .anyText), .needs("frames", .count), .needs("dropped", .count),
                .needs("rate", .orNull(.anyNumber)), .needs("camera", .orNull(.named("detectorCamera"))),
                .needs("sources", .list(of: .named("detectorSource"), 0...Int.max)),
            ])
        ),
    ]
}
