extension APITypes {
    /// The data of the topics, by the topic's name.
    static let topics: [Row] = [
        ("accessory", AccessoryReading.shape), ("motion", MotionReading.shape), ("tracking", TrackingReading.shape),
        ("battery", BatteryReading.shape), ("events", .oneOf(events)), ("face", FaceReading.shape),
        ("log", LogReading.shape), ("detections", DetectionsReading.shape), ("layers", LayersReading.shape),
        ("indicators", IndicatorsReading.shape), ("cues", .oneOf(cues)),
    ]

    private static let events: [Shape] = [
        event("button", [.required("id", .whole(Int.min...Int.max)), .required("pressed", .flag)]),
        event("cameraShutter"), event("cameraFlip"), event("cameraZoom", [.required("factor", .anyNumber)]),
        event("trackingButton", [.required("enabled", .flag)]), event("camera", CameraReading.rows.map(\.field)),
        event("recording", [.required("wanted", .flag)]), event("near", [.required("near", .flag)]),
    ]

    private static let cues: [Shape] = [
        event(
            "say",
            [
                .required("text", .someText), .required("urgency", .word(CueUrgency.allCases.map(\.rawValue))),
                direction,
            ]),
        event("cue", [.required("name", .name), direction]),
    ]

    private static let direction = Field.required("direction", .orNull(.named("panTilt")))

    private static func event(_ name: String, _ fields: [Field] = []) -> Shape {
        .object([.required("event", .word([name]))] + fields)
    }
}
