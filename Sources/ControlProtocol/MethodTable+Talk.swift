internal import Geometry

extension MethodTable {
    private static let name = Field.required("name", .name), named = Shape.object([.required("name", .name)])

    static let names: [MethodRow] = [
        MethodRow("savePreset", [name], gives: named, .write, word: "preset", "Names the present pose."),
        MethodRow(
            "goToPreset", [name], gives: .named("begun"), .motion, topic: .motion, word: "preset",
            "Goes to a named pose."),
        MethodRow("deletePreset", [name], gives: named, .write, word: "preset", "Forgets a named pose."),
        MethodRow(
            "presets", gives: .object([.required("presets", .map(.named("panTilt")))]), .read, word: "preset",
            "Lists the named poses."),
        MethodRow(
            "recordMotion", [name], gives: named, .write, topic: .accessory, word: "motion",
            "Begins to teach a motion by hand."),
        MethodRow(
            "finishRecording", [.optional("keep", .flag)],
            gives: .object([.required("name", .name), .required("duration", .amount)]), .write, topic: .accessory,
            word: "motion", "Ends the teaching, and keeps the motion or not."),
        MethodRow(
            "motions", gives: .object([.required("motions", .map(.object([.required("duration", .amount)])))]), .read,
            word: "motion", "Lists the taught and built-in motions."),
        MethodRow("deleteMotion", [name], gives: named, .write, word: "motion", "Forgets a taught motion."),
    ]

    static let camera: [MethodRow] = [
        MethodRow(
            "setZoom", [.optional("factor", .number(1...8)), .optional("steps", .whole(-100...100))], isChoice: true,
            gives: .object([.required("magnification", .anyNumber)]), .write, topic: .events, word: "zoom",
            "Sets the camera's zoom factor, or changes it by steps."),
        MethodRow(
            "setShutter", [.optional("open", .flag)], gives: .object([.required("recording", .flag)]), .write,
            topic: .events, word: "shutter", "Begins or ends the camera's recording."),
        MethodRow(
            "flipCamera", gives: .object([.required("device", .count)]), .write, topic: .events, word: "flip",
            "Selects the next camera."),
        MethodRow(
            "openPictures",
            [.optional("maximumWidth", .whole(1...16_384)), .optional("format", .word(["rgb24", "yuv420p"]))],
            gives: .object([
                .required("width", .whole(1...Int.max)), .required("height", .whole(1...Int.max)),
                .required("format", .word(["rgb24", "yuv420p"])), .required("slots", .whole(1...Int.max)),
                .required("size", .whole(1...Int.max)),
            ]), .pictures, "Opens the camera's pictures; two descriptors come with the answer."),
        MethodRow("closePictures", gives: .object([]), .pictures, "Closes the pictures."),
    ]

    /// The longest sentence of `say`, in bytes.
    public static let longestSentence = 500
    /// The longest life of a layer, in seconds.
    public static let longestLayer = 2.0
    /// The longest time until an extension must report again, in seconds.
    public static let longestReport = 60.0

    /// The longest time for which measured distances count, in seconds.
    public static let longestDistances = 2.0
    /// Where the thing is that a sentence or a sound is about.
    private static let direction = Field.optional("direction", .named("panTilt"))

    static let show: [MethodRow] = [
        MethodRow(
            "setLayer",
            [
                .required("name", .name), .required("items", .list(of: .named("item"), 0...APITypes.mostItems)),
                .optional("space", .named("space")), .optional("ttl", .positive(upTo: longestLayer)),
            ], gives: .object([.required("items", .count)]), .free, topic: .layers,
            "Draws over the picture for a short time; without items, removes the layer."),
        MethodRow(
            "setIndicator",
            [
                .required("name", .name), .required("state", .word(IndicatorState.allCases.map(\.rawValue))),
                .optional("text", .text(0...APITypes.longestNote)),
            ], gives: .object([.required("shown", .flag)]), .free, topic: .indicators,
            "Shows what this program does, until its connection ends."),
        MethodRow(
            "setExtension",
            [
                .required("name", .name), .required("state", .word(ExtensionState.reported.map(\.rawValue))),
                .optional("version", .text(0...APITypes.longestNote)),
                .optional("text", .text(0...APITypes.longestNote)),
                .optional("ttl", .positive(upTo: longestReport)),
            ], gives: .object([]), .free, "Reports the state of an extension, until the next report is due."),
        MethodRow(
            "say",
            [
                .required("text", .text(1...longestSentence)),
                .optional("urgency", .word(CueUrgency.allCases.map(\.rawValue))), direction,
            ], gives: .object([.required("heard", .flag)]), .free, topic: .cues,
            "Offers a sentence to programs that speak."),
        MethodRow(
            "cue", [.required("name", .name), direction], gives: .object([.required("heard", .flag)]), .free,
            topic: .cues, "Offers a sound, by name, to programs that play sounds."),
        MethodRow(
            "setDistances",
            [
                .required("distances", .list(of: .named("givenDistance"), 0...APITypes.mostDistances)),
                .optional("nearest", .positive(upTo: SubjectDistance.farthest)),
                .optional("ttl", .positive(upTo: longestDistances)),
            ], gives: .object([.required("used", .count)]), .free, topic: .tracking,
            "Reports how far subjects are, as a depth camera measures it, for a short time."),
    ]

    private static let topicNames = Shape.list(of: .named("topic"), 1...Topic.allCases.count)
    private static let subscribed = Shape.object([
        .required("topics", .list(of: .named("topic"), 0...Topic.allCases.count, isUnique: true))
    ])

    static let talk: [MethodRow] = [
        MethodRow(
            "status", [.optional("why", .flag)], gives: .object(status), .read, word: "status", "Reads the state."),
        MethodRow(
            "latency",
            gives: .object([
                .required("window", .whole(1...Int.max)), .required("stages", .list(of: .named("stage"), 0...Int.max)),
                .required("pictureLag", .orNull(.named("pictureLag"))),
            ]), .read, "Reads the duration of each stage from a frame to its effect."),
        MethodRow(
            "metrics", gives: .object([.required("contentType", .someText), .required("text", .someText)]), .read,
            "Reads the metrics in Prometheus' text format."),
        MethodRow(
            "trace",
            gives: .object([.required("path", .someText), .required("records", .count), .required("duration", .amount)]
            ),
            .read, "Writes the last half minute to a file."),
        MethodRow(
            "subscribe", [.required("topics", topicNames), .optional("rate", .word(["normal", "all"]))],
            gives: subscribed, .topics, word: "watch", "Reports these topics from now on."),
        MethodRow(
            "unsubscribe", [.optional("topics", topicNames)], gives: subscribed, .topics, word: "watch",
            "Stops reporting these topics, or all."),
        MethodRow(
            "acquireControl",
            gives: .object([.required("lease", .positive(upTo: .infinity)), .required("renewed", .flag)]), .free,
            "Acquires or renews the lease."),
        MethodRow("releaseControl", gives: .object([]), .free, "Gives the lease back; it stops nothing."),
        MethodRow(
            "command", [.required("line", .text(1...longestWords))],
            gives: .object([
                .required("answer", .anyText), .optional("motion", .named("motionID"), with: ["duration"]),
                .optional("duration", .amount, with: ["motion"]),
            ]), .words, "Carries out a line of command words."),
    ]

    private static let status: [Field] = [
        .required("version", .anyText), .required("uptime", .amount), .required("accessory", .named("accessory")),
        .required("motion", .named("motion")), .required("tracking", .named("tracking")),
        .required("battery", .named("battery")), .required("face", .named("face")),
        .required("camera", .orNull(.named("camera"))), .required("detector", .named("detector")),
        .required("lease", .flag),
        .required("guarded", .flag), .required("findings", .list(of: .anyText, 0...Int.max)),
        .required("counters", .named("counters")), .required("layers", .list(of: .named("layerSummary"), 0...Int.max)),
        .required("indicators", .list(of: .named("indicator"), 0...Int.max)),
        .required("extensions", .list(of: .named("extension"), 0...Int.max)), .required("rig", .named("rig")),
        .optional("why", .named("whyAxes")),
    ]
}
