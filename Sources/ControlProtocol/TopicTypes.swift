extension APITypes {
    /// The data of the topics, by the topic's name.
    static let topics: [Row] = [
        ("accessory", accessory), ("motion", motion), ("tracking", tracking), ("battery", BatteryReading.shape),
        ("events", .oneOf(events)), ("face", FaceReading.shape), ("log", LogReading.shape),
    ]

    private static let accessory = Shape.object([
        .needs("state", .word(["docked", "undocked"])),
        .needs("dock", .word(["ready", "greeting", "detached", "faulted"])),
        .needs(
            "reason",
            .orNull(
                .word([
                    "notFound", "unplugged", "otherDevice", "noAnswer", "portBusy", "emergencyStop", "stall",
                    "overTemperature", "device", "versionMismatch", "followingError", "signSuspect",
                    "pictureDoesNotFollow",
                ]))),
        .needs("identity", .orNull(.named("identity"))), .needs("trackingButtonEnabled", .flag),
        .needs("mode", .named("mode")), .needs("framing", .named("framing")), .needs("region", .named("rect")),
        .needs("selected", .list(of: .named("subjectID"), 0...mostSelected)),
        .needs("limits", .orNull(.named("limits"))), .needs("torque", .flag),
        .needs("control", .orNull(.word(["keys", "words", "lease"]))),
        .needs("stoppedBy", .orNull(.word(["person", "program"]))),
    ])

    private static let motion = Shape.object([
        .needs("t", .anyNumber), .needs("position", .orNull(.named("panTilt"))),
        .needs("velocity", .named("panTilt")), .needs("commanded", .named("panTilt")),
        .needs("source", .word(["measured", "commanded"])),
        .needs(
            "owner", .word(["emergencyStop", "stop", "manual", "animation", "tracking", "gesture", "none"])),
        .needs("reason", .named("reasons")), .needs("motion", .orNull(.named("running"))),
        .needs("ended", .orNull(.named("ending"))), .needs("endings", .list(of: .named("ending"), 0...8)),
    ])

    private static let tracking = Shape.object([
        .needs("t", .orNull(.anyNumber)),
        .needs("phase", .word(["idle", "following", "coasting", "searching", "homing", "detectorStale"])),
        .needs("followed", .orNull(.named("subjectID"))), .needs("setPoint", .named("point")),
        .needs("subjects", .list(of: .named("subject"), 0...Int.max)),
    ])

    private static let events: [Shape] = [
        event("button", [.needs("id", .whole(Int.min...Int.max)), .needs("pressed", .flag)]),
        event("cameraShutter"), event("cameraFlip"), event("cameraZoom", [.needs("factor", .anyNumber)]),
        event("trackingButton", [.needs("enabled", .flag)]), event("camera", CameraReading.rows.map(\.field)),
    ]

    private static func event(_ name: String, _ fields: [Field] = []) -> Shape {
        .object([.needs("event", .word([name]))] + fields)
    }
}
