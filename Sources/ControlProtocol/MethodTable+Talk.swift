extension MethodTable {
    private static let name = Field.needs("name", .name), named = Shape.object([.needs("name", .name)])

    static let names: [MethodRow] = [
        MethodRow("savePreset", [name], gives: named, .write, word: "preset", "Names the present pose."),
        MethodRow(
            "goToPreset", [name], gives: .named("begun"), .motion, topic: .motion, word: "preset",
            "Goes to a named pose."),
        MethodRow("deletePreset", [name], gives: named, .write, word: "preset", "Forgets a named pose."),
        MethodRow(
            "presets", gives: .object([.needs("presets", .map(.named("panTilt")))]), .read, word: "preset",
            "Lists the named poses."),
        MethodRow(
            "recordMotion", [name], gives: named, .write, topic: .accessory, word: "motion",
            "Begins to teach a motion by hand."),
        MethodRow(
            "finishRecording", [.may("keep", .flag)],
            gives: .object([.needs("name", .name), .needs("duration", .amount)]), .write, topic: .accessory,
            word: "motion", "Ends the teaching, and keeps the motion or not."),
        MethodRow(
            "motions", gives: .object([.needs("motions", .map(.object([.needs("duration", .amount)])))]), .read,
            word: "motion", "Lists the taught and built-in motions."),
        MethodRow("deleteMotion", [name], gives: named, .write, word: "motion", "Forgets a taught motion."),
    ]

    static let camera: [MethodRow] = [
        MethodRow(
            "setZoom", [.may("factor", .number(1...8)), .may("steps", .whole(-100...100))], isChoice: true,
            gives: .object([.needs("magnification", .anyNumber)]), .write, topic: .events, word: "zoom",
            "Sets the camera's zoom factor, or changes it by steps."),
        MethodRow(
            "setShutter", [.may("open", .flag)], gives: .object([.needs("recording", .flag)]), .write,
            topic: .events, word: "shutter", "Begins or ends the camera's recording."),
        MethodRow(
            "flipCamera", gives: .object([.needs("device", .count)]), .write, topic: .events, word: "flip",
            "Selects the next camera."),
    ]

    private static let topicNames = Shape.list(of: .named("topic"), 1...Topic.allCases.count)
    private static let subscribed = Shape.object([
        .needs("topics", .list(of: .named("topic"), 0...Topic.allCases.count, isUnique: true))
    ])

    static let talk: [MethodRow] = [
        MethodRow("status", [.may("why", .flag)], gives: .object(status), .read, word: "status", "Reads the state."),
        MethodRow(
            "latency",
            gives: .object([
                .needs("window", .whole(1...Int.max)), .needs("stages", .list(of: .named("stage"), 0...Int.max)),
                .needs("pictureLag", .orNull(.named("pictureLag"))),
            ]), .read, "Reads the duration of each stage from a frame to its effect."),
        MethodRow(
            "metrics", gives: .object([.needs("contentType", .someText), .needs("text", .someText)]), .read,
            "Reads the metrics in Prometheus' text format."),
        MethodRow(
            "trace",
            gives: .object([.needs("path", .someText), .needs("records", .count), .needs("duration", .amount)]),
            .read, "Writes the last half minute to a file."),
        MethodRow(
            "subscribe", [.needs("topics", topicNames)], gives: subscribed, .topics, word: "watch",
            "Reports these topics from now on."),
        MethodRow(
            "unsubscribe", [.may("topics", topicNames)], gives: subscribed, .topics, word: "watch",
            "Stops reporting these topics, or all."),
        MethodRow(
            "acquireControl",
            gives: .object([.needs("lease", .positive(upTo: .infinity)), .needs("renewed", .flag)]), .free,
            "Acquires or renews the lease."),
        MethodRow("releaseControl", gives: .object([]), .free, "Gives the lease back; it stops nothing."),
        MethodRow(
            "command", [.needs("line", .text(1...longestWords))],
            gives: .object([
                .needs("answer", .anyText), .may("motion", .named("motionID"), with: ["duration"]),
                .may("duration", .amount, with: ["motion"]),
            ]), .words, "Carries out a line of command words."),
    ]

    private static let status: [Field] = [
        .needs("version", .anyText), .needs("uptime", .amount), .needs("accessory", .named("accessory")),
        .needs("motion", .named("motion")), .needs("tracking", .named("tracking")),
        .needs("battery", .named("battery")), .needs("face", .named("face")),
        .needs("camera", .orNull(.named("camera"))), .needs("detector", .named("detector")), .needs("lease", .flag),
        .needs("guarded", .flag), .needs("counters", .named("counters")), .may("why", .named("whyAxes")),
    ]
}
