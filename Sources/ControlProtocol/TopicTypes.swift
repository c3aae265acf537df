extension APITypes {
    /// The data of the topics, by the topic's name.
    static let topics: [Row] = [
        ("accessory", accessory), ("motion", motion), ("tracking", tracking), ("battery", BatteryReading.shape),
        ("events", .oneOf(events)), ("face", FaceReading.shape), ("log", LogReading.shape),
    ]

    private static let accessory = Shape.object([
        .required("state", .word(["docked", "undocked"])),
        .required("dock", .word(["ready", "greeting", "detached", "faulted"])),
        .required(
            "reason",
            .orNull(
                .word([
                    "noPort", "notFound", "unplugged", "otherDevice", "noAnswer", "portBusy", "emergencyStop", "stall",
                    "overTemperature", "device", "versionMismatch", "followingError", "signSuspect",
                    "pictureDoesNotFollow",
                ]))),
        .required("identity", .orNull(.named("identity"))), .required("trackingButtonEnabled", .flag),
        .required("mode", .named("mode")), .required("framing", .named("framing")), .required("region", .named("rect")),
        .required("selected", .list(of: .named("subjectID"), 0...mostSelected)),
        .required("limits", .orNull(.named("limits"))), .required("torque", .flag),
        .required("control", .orNull(.word(["keys", "words", "lease"]))),
        .required("stoppedBy", .orNull(.word(["person", "program"]))),
    ])

    private static let motion = Shape.object([
        .required("t", .anyNumber), .required("position", .orNull(.named("panTilt"))),
        .required("velocity", .named("panTilt")), .required("commanded", .named("panTilt")),
        .required("source", .word(["measured", "commanded"])),
        .required(
            "owner", .word(["emergencyStop", "stop", "manual", "animation", "tracking", "gesture", "none"])),
        .required("reason", .named("reasons")), .required("motion", .orNull(.named("running"))),
        .required("ended", .orNull(.named("ending"))), .required("endings", .list(of: .named("ending"), 0...8)),
    ])

    private static let tracking = Shape.object([
        .required("t", .orNull(.anyNumber)),
        .required("phase", .word(["idle", "following", "coasting", "searching", "homing", "detectorStale"])),
        .required("followed", .orNull(.named("subjectID"))), .required("setPoint", .named("point")),
        .required("subjects", .list(of: .named("subject"), 0...Int.max)),
    ])

    private static let events: [Shape] = [
        event("button", [.required("id", .whole(Int.min...Int.max)), .required("pressed", .flag)]),
        event("cameraShutter"), event("cameraFlip"), event("cameraZoom", [.required("factor", .anyNumber)]),
        event("trackingButton", [.required("enabled", .flag)]), event("camera", CameraReading.rows.map(\.field)),
    ]

    private static func event(_ name: String, _ fields: [Field] = []) -> Shape {
        .object([.required("event", .word([name]))] + fields)
    }
}
