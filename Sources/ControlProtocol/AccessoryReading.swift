public import DockTypes
public import Geometry

/// The identity of a dock.
public struct IdentityReading: Record, Equatable {
    /// The name of the rig, its model, its firmware, and its unique number.
    public var name = "", model = "", firmware = "", uid = ""

    /// Creates a reading in which nothing is known.
    public init() {}

    /// The members.
    public static let rows: [RecordRow<IdentityReading>] = [
        RecordRow("name", .anyText, get: { .string($0.name) }) { $0.name = $1.string ?? "" },
        RecordRow("model", .anyText, get: { .string($0.model) }) { $0.model = $1.string ?? "" },
        RecordRow("firmware", .anyText, get: { .string($0.firmware) }) { $0.firmware = $1.string ?? "" },
        RecordRow("uid", .anyText, get: { .string($0.uid) }) { $0.uid = $1.string ?? "" },
    ]
}

/// The range of an axis, in radians, and its greatest speed.
public struct LimitReading: Record, Equatable {
    /// The lowest and the highest angle, in radians.
    public var low = 0.0, high = 0.0
    /// The greatest speed, in rad/s, or nil for the rig's own.
    public var speed: Double?

    /// Creates a reading in which nothing is known.
    public init() {}

    /// The members.
    public static let rows: [RecordRow<LimitReading>] = [
        RecordRow("min", .anyNumber, get: { .number($0.low) }) { $0.low = $1.number ?? 0 },
        RecordRow("max", .anyNumber, get: { .number($0.high) }) { $0.high = $1.number ?? 0 },
        RecordRow("speed", .orNull(.anyNumber), get: { .number(orNull: $0.speed) }) { $0.speed = $1.number },
    ]
}

/// The limits of both axes.
public struct LimitsReading: Record, Equatable {
    /// The limits of each axis.
    public var pan = LimitReading(), tilt = LimitReading()

    /// Creates a reading in which nothing is known.
    public init() {}

    /// The members.
    public static let rows: [RecordRow<LimitsReading>] = [
        RecordRow("pan", .named("limit"), get: { $0.pan.json }) { $0.pan = LimitReading(json: $1) ?? LimitReading() },
        RecordRow("tilt", .named("limit"), get: { $0.tilt.json }) {
            $0.tilt = LimitReading(json: $1) ?? LimitReading()
        },
    ]
}

/// The data of topic `accessory`: whether a dock is connected, and its settings.
public struct AccessoryReading: Record, Equatable {
    /// Whether a dock is connected.
    public var isDocked = false
    /// "ready", "greeting", "detached" or "faulted".
    public var dock = ""
    /// Why it is detached or faulted, or nil.
    public var reason: String?
    /// The dock, or nil if it is unknown.
    public var identity: IdentityReading?
    /// What the last press of the dock's tracking button selected.
    public var isTrackingButtonOn = true
    /// Which source steers.
    public var mode = TrackingMode.manual
    /// Where in the frame the face is placed.
    public var framing = FramingMode.automatic
    /// The part of the frame that counts.
    public var region = Rect.full
    /// The selected subjects; empty if the selection is automatic.
    public var selected: [Int] = []
    /// The limits, or nil if they are unknown.
    public var limits: LimitsReading?
    /// Whether the torque is on.
    public var hasTorque = true
    /// What controls the dock: "keys", "words" or "lease"; nil if nothing does.
    public var control: String?
    /// Whose stop holds the dock: "person" or "program"; nil if none does.
    public var stoppedBy: String?

    /// The reasons why a dock is detached or faulted.
    public static let reasons = [
        "noPort", "notFound", "unplugged", "otherDevice", "noAnswer", "portBusy", "emergencyStop", "stall",
        "overTemperature", "device", "versionMismatch", "followingError", "signSuspect", "pictureDoesNotFollow",
    ]

    /// Creates a reading in which nothing is known.
    public init() {}

    /// The members.
    public static let rows: [RecordRow<AccessoryReading>] = [
        RecordRow(
            "state", .word(["docked", "undocked"]), get: { .string($0.isDocked ? "docked" : "undocked") }
        ) { $0.isDocked = $1.string == "docked" },
        RecordRow("dock", .word(["ready", "greeting", "detached", "faulted"]), get: { .string($0.dock) }) {
            $0.dock = $1.string ?? ""
        },
        RecordRow("reason", .orNull(.word(reasons)), get: { .string(orNull: $0.reason) }) { $0.reason = $1.string },
        RecordRow("identity", .orNull(.named("identity")), get: { $0.identity?.json ?? .null }) {
            $0.identity = IdentityReading(json: $1)
        },
        RecordRow("trackingButtonEnabled", .flag, get: { .bool($0.isTrackingButtonOn) }) {
            $0.isTrackingButtonOn = $1.bool ?? true
        },
        RecordRow("mode", .named("mode"), get: { .string($0.mode.rawValue) }) {
            $0.mode = $1.string.flatMap(TrackingMode.init(rawValue:)) ?? .manual
        },
        RecordRow("framing", .named("framing"), get: { .string($0.framing.rawValue) }) {
            $0.framing = $1.string.flatMap(FramingMode.init(rawValue:)) ?? .automatic
        },
        RecordRow("region", .named("rect"), get: { .rect($0.region) }) { $0.region = $1.rect ?? .full },
        RecordRow(
            "selected", .list(of: .named("subjectID"), 0...APITypes.mostSelected),
            get: { .array($0.selected.map { .number($0) }) }
        ) { $0.selected = ($1.array ?? []).compactMap(\.integer) },
        RecordRow("limits", .orNull(.named("limits")), get: { $0.limits?.json ?? .null }) {
            $0.limits = LimitsReading(json: $1)
        },
        RecordRow("torque", .flag, get: { .bool($0.hasTorque) }) { $0.hasTorque = $1.bool ?? true },
        RecordRow("control", .orNull(.word(["keys", "words", "lease"])), get: { .string(orNull: $0.control) }) {
            $0.control = $1.string
        },
        RecordRow("stoppedBy", .orNull(.word(["person", "program"])), get: { .string(orNull: $0.stoppedBy) }) {
            $0.stoppedBy = $1.string
        },
    ]
}
