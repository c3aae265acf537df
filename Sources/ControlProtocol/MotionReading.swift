public import Geometry

/// A motion that is being carried out.
public struct RunningReading: Record, Equatable {
    /// Its number.
    public var id = 0
    /// What it is: "orient", "home", an animation's name, ...
    public var name = ""
    /// The elapsed part of its planned duration, 0...1.
    public var fraction = 0.0
    /// Its planned duration, in seconds.
    public var duration = 0.0

    /// Creates a reading in which nothing is known.
    public init() {}

    /// The members.
    public static let rows: [RecordRow<RunningReading>] = [
        RecordRow("id", .named("motionID"), get: { .number($0.id) }) { $0.id = $1.integer ?? 0 },
        RecordRow("name", .anyText, get: { .string($0.name) }) { $0.name = $1.string ?? "" },
        RecordRow("fraction", .share, get: { .number($0.fraction) }) { $0.fraction = $1.number ?? 0 },
        RecordRow("duration", .amount, get: { .number($0.duration) }) { $0.duration = $1.number ?? 0 },
    ]
}

/// A motion that has ended.
public struct EndingReading: Record, Equatable {
    /// Its number.
    public var id = 0
    /// What it was.
    public var name = ""
    /// How it ended: "completed", "cancelled", "superseded", ... (docs/CONTROL-API.md).
    public var outcome = ""

    /// The outcomes.
    public static let outcomes = [
        "completed", "cancelled", "superseded", "takenOver", "stopped", "emergencyStopped", "faulted", "unplugged",
        "limited", "modeChanged", "leaseLost",
    ]

    /// Creates a reading in which nothing is known.
    public init() {}

    /// The members.
    public static let rows: [RecordRow<EndingReading>] = [
        RecordRow("id", .named("motionID"), get: { .number($0.id) }) { $0.id = $1.integer ?? 0 },
        RecordRow("name", .anyText, get: { .string($0.name) }) { $0.name = $1.string ?? "" },
        RecordRow("outcome", .word(outcomes), get: { .string($0.outcome) }) { $0.outcome = $1.string ?? "" },
    ]
}

/// The data of topic `motion`: where the head is, and what moves it.
public struct MotionReading: Record, Equatable {
    /// When this was the case, CLOCK_MONOTONIC.
    public var time = 0.0
    /// The pose, in radians, or nil if it is unknown.
    public var position: PanTilt?
    /// The velocity, in rad/s.
    public var velocity = PanTilt.zero
    /// The commanded velocity, in rad/s.
    public var commanded = PanTilt.zero
    /// Whether the dock measures its pose. Otherwise it follows from the commands.
    public var isMeasured = false
    /// What moves the head: "tracking", "manual", "animation", "gesture", "stop", "emergencyStop" or "none".
    public var owner = ""
    /// Why each axis moves or does not: "moving", "noSubject", ... (docs/CONTROL-API.md).
    public var reasons = (pan: "", tilt: "")
    /// The motion that is being carried out, or nil if there is none.
    public var running: RunningReading?
    /// The last motion that ended, or nil if none has.
    public var ended: EndingReading?
    /// The last eight motions that ended, newest last.
    public var endings: [EndingReading] = []

    /// Creates a reading in which nothing is known.
    public init() {}

    /// The members.
    public static let rows: [RecordRow<MotionReading>] = [
        RecordRow("t", .anyNumber, get: { .number($0.time) }) { $0.time = $1.number ?? 0 },
        RecordRow("position", .orNull(.named("panTilt")), get: { $0.position.map(JSONValue.panTilt) ?? .null }) {
            $0.position = $1.panTilt
        },
        RecordRow("velocity", .named("panTilt"), get: { .panTilt($0.velocity) }) { $0.velocity = $1.panTilt ?? .zero },
        RecordRow("commanded", .named("panTilt"), get: { .panTilt($0.commanded) }) {
            $0.commanded = $1.panTilt ?? .zero
        },
        RecordRow(
            "source", .word(["measured", "commanded"]), get: { .string($0.isMeasured ? "measured" : "commanded") }
        ) { $0.isMeasured = $1.string == "measured" },
        RecordRow(
            "owner", .word(["emergencyStop", "stop", "manual", "animation", "tracking", "gesture", "none"]),
            get: { .string($0.owner) }
        ) { $0.owner = $1.string ?? "" },
        RecordRow(
            "reason", .named("reasons"),
            get: { .object(["pan": .string($0.reasons.pan), "tilt": .string($0.reasons.tilt)]) }
        ) { $0.reasons = ($1["pan"]?.string ?? "", $1["tilt"]?.string ?? "") },
        RecordRow("motion", .orNull(.named("running")), get: { $0.running?.json ?? .null }) {
            $0.running = RunningReading(json: $1)
        },
        RecordRow("ended", .orNull(.named("ending")), get: { $0.ended?.json ?? .null }) {
            $0.ended = EndingReading(json: $1)
        },
        RecordRow("endings", .list(of: .named("ending"), 0...8), get: { .array($0.endings.map(\.json)) }) {
            $0.endings = ($1.array ?? []).compactMap(EndingReading.init(json:))
        },
    ]

    /// Whether both say the same.
    public static func == (a: MotionReading, b: MotionReading) -> Bool { a.json == b.json }
}
