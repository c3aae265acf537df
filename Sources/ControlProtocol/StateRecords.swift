/// One supply of the dock.
public struct SupplyReading: Record, Equatable {
    /// Its name.
    public var name = ""
    /// The charge level, 0...1, or nil if unknown.
    public var level: Double?
    /// "charging", "notCharging" or "notChargeable".
    public var charge = ""
    /// Whether it should be charged soon.
    public var isLow = false
    /// Whether the dock must rest until it is charged.
    public var isCritical = false
    /// Volts, or nil if unknown.
    public var voltage: Double?

    /// Creates a reading in which nothing is known.
    public init() {}

    /// The members of an element of `batteries`.
    public static let rows: [RecordRow<SupplyReading>] = [
        RecordRow("name", .anyText, get: { .string($0.name) }) { $0.name = $1.string ?? "" },
        RecordRow("level", .orNull(.share), get: { .number(orNull: $0.level) }) { $0.level = $1.number },
        RecordRow(
            "charge", .word(["charging", "notCharging", "notChargeable"]), get: { .string($0.charge) }
        ) { $0.charge = $1.string ?? "" },
        RecordRow("low", .flag, get: { .bool($0.isLow) }) { $0.isLow = $1.bool ?? false },
        RecordRow("critical", .flag, get: { .bool($0.isCritical) }) { $0.isCritical = $1.bool ?? false },
        RecordRow("voltage", .orNull(.anyNumber), get: { .number(orNull: $0.voltage) }) { $0.voltage = $1.number },
    ]
}

/// The data of topic `battery`: the supplies of the dock.
public struct BatteryReading: Record, Equatable {
    /// The supplies; empty if none is known.
    public var supplies: [SupplyReading] = []

    /// Creates a reading without supplies.
    public init() {}

    /// Creates a reading of these supplies.
    public init(_ supplies: [SupplyReading]) { self.supplies = supplies }

    /// The members.
    public static let rows: [RecordRow<BatteryReading>] = [
        RecordRow(
            "batteries", .list(of: SupplyReading.shape, 0...8), get: { .array($0.supplies.map(\.json)) }
        ) { $0.supplies = ($1.array ?? []).compactMap(SupplyReading.init(json:)) }
    ]
}

/// The data of topic `face`: the face's expression.
public struct FaceReading: Record, Equatable {
    /// One of the 21 names, or one that was added.
    public var expression = ""
    /// Whether the face changes by itself.
    public var isRandom = false
    /// Whether the head moves a little with expressions.
    public var hasGestures = false

    /// Creates a reading in which nothing is known.
    public init() {}

    /// The members.
    public static let rows: [RecordRow<FaceReading>] = [
        RecordRow("expression", .named("expression"), get: { .string($0.expression) }) {
            $0.expression = $1.string ?? ""
        },
        RecordRow("random", .flag, get: { .bool($0.isRandom) }) { $0.isRandom = $1.bool ?? false },
        RecordRow("gestures", .flag, get: { .bool($0.hasGestures) }) { $0.hasGestures = $1.bool ?? false },
    ]
}

/// The camera that the dock's buttons control.
public struct CameraReading: Record, Equatable {
    /// The zoom factor.
    public var magnification = 1.0
    /// Whether it records.
    public var isRecording = false
    /// The number of the camera.
    public var device = 0

    /// Creates a reading of the first camera, not zoomed.
    public init() {}

    /// The members.
    public static let rows: [RecordRow<CameraReading>] = [
        RecordRow("magnification", .anyNumber, get: { .number($0.magnification) }) {
            $0.magnification = $1.number ?? 1
        },
        RecordRow("recording", .flag, get: { .bool($0.isRecording) }) { $0.isRecording = $1.bool ?? false },
        RecordRow("device", .count, get: { .number($0.device) }) { $0.device = $1.integer ?? 0 },
    ]
}

/// The data of topic `log`: a line of the log.
public struct LogReading: Record, Equatable {
    /// "info", "warning" or "error".
    public var level = ""
    /// The line, made safe to show.
    public var text = ""

    /// Creates an empty reading.
    public init() {}

    /// The members.
    public static let rows: [RecordRow<LogReading>] = [
        RecordRow("level", .word(["info", "warning", "error"]), get: { .string($0.level) }) {
            $0.level = $1.string ?? ""
        },
        RecordRow("text", .anyText, get: { .string($0.text) }) { $0.text = $1.string ?? "" },
    ]
}
