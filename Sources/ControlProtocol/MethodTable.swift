internal import DockTypes

/// The methods of the control API, in the order of docs/CONTROL-API.md.
///
/// The daemon binds each row to a command; the schema, the page, the Python client, the command words and their help
/// are checked against it.
public enum MethodTable {
    /// All methods.
    public static let rows = steering + motion + limits + face + names + camera + talk

    /// Returns a method by its name.
    public static func row(_ name: String) -> MethodRow? { byName[name] }

    private static let byName = Dictionary(uniqueKeysWithValues: rows.map { ($0.name, $0) })

    /// The longest duration of a velocity or a move, in seconds.
    public static let longestTime = 60.0
    /// The longest line of command words, in bytes.
    public static let longestWords = 4096

    private static let begun = Shape.named("begun"), nothing = Shape.object([])
    private static let angle = APITypes.angle

    private static func gives(_ name: String, _ shape: Shape) -> Shape { .object([.needs(name, shape)]) }

    private static let steering: [MethodRow] = [
        MethodRow(
            "setTrackingMode", [.needs("mode", .word(TrackingMode.allCases.map(\.rawValue)))],
            gives: gives("mode", .named("mode")), .mode, topic: .accessory, word: "mode",
            "Selects which source steers."),
        MethodRow(
            "setSystemTrackingEnabled", [.needs("enabled", .flag)], gives: gives("mode", .named("mode")), .mode,
            topic: .accessory, "Selects the mode `system`, or `manual`."),
        MethodRow(
            "setFramingMode", [.needs("mode", .word(FramingMode.allCases.map(\.rawValue) + ["automatic"]))],
            gives: gives("framing", .named("framing")), .write, topic: .accessory, word: "framing",
            "Selects where in the frame the face is placed."),
        MethodRow(
            "setRegionOfInterest", [.needs("rect", .orNull(.rect))], gives: gives("region", .named("rect")), .write,
            topic: .accessory, word: "region", "Sets the part of the frame that counts; null is the whole frame."),
        MethodRow(
            "selectSubject", [.needs("x", .share), .needs("y", .share)], gives: gives("id", .named("subjectID")),
            .write, topic: .accessory, word: "tap", "Follows the subject at a point."),
        MethodRow(
            "selectSubjects",
            [.needs("ids", .list(of: .named("subjectID"), 0...APITypes.mostSelected, isUnique: true))],
            gives: gives("ids", .list(of: .named("subjectID"), 0...APITypes.mostSelected)), .write,
            topic: .accessory, word: "select", "Follows these subjects; none selects automatically."),
        MethodRow(
            "selectSource", [.needs("name", .name)], gives: gives("source", .anyText), .write, word: "source",
            "Selects the detector that steers."),
        MethodRow(
            "track",
            [
                .needs("observations", .list(of: .named("observation"), 0...APITypes.mostObservations)),
                .may("camera", .named("givenCamera")), .may("t", .number(0...1e9)),
            ], gives: .object([.needs("subjects", .count), .needs("rate", .orNull(.anyNumber))]), .motion,
            topic: .tracking, "Steers by the caller's own observations."),
    ]

    private static let motion: [MethodRow] = [
        MethodRow(
            "setAngularVelocity",
            [.needs("pan", angle), .needs("tilt", angle), .may("for", .positive(upTo: longestTime))], gives: begun,
            .motion, topic: .motion, word: "velocity", "Turns for a short time."),
        MethodRow(
            "setOrientation",
            [
                .needs("pan", angle), .needs("tilt", angle), .may("duration", .number(0...longestTime)),
                .may("relative", .flag),
            ], gives: begun, .motion, topic: .motion, word: "orient", "Goes to a pose."),
        MethodRow("home", gives: begun, .motion, topic: .motion, word: "home", "Goes to the home pose."),
        MethodRow(
            "animate", [.needs("motion", .name)], gives: begun, .motion, topic: .motion, word: "animate",
            "Plays a built-in or taught motion."),
        MethodRow(
            "cancelMotion", [.needs("motion", .named("motionID"))], gives: nothing, .free, topic: .motion,
            "Ends one motion by its number."),
        MethodRow(
            "stop", gives: gives("mode", .named("mode")), .stop, topic: .motion, word: "stop",
            "Stops at once, holds, and selects `manual`."),
        MethodRow(
            "emergencyStop", gives: nothing, .stop, topic: .accessory, word: "estop",
            "Stops and latches until the latch is cleared."),
        MethodRow(
            "clearFault", gives: gives("mode", .named("mode")), .clear, topic: .accessory, word: "clear",
            "Clears a latched stop or fault."),
        MethodRow(
            "setTorqueEnabled", [.needs("enabled", .flag)], gives: gives("torque", .flag), .torque,
            topic: .accessory, word: "torque", "Switches the torque; without it a hand can turn the head."),
    ]

    private static let limits: [MethodRow] = [
        MethodRow(
            "setLimits", [.may("pan", .orNull(.named("givenLimit"))), .may("tilt", .orNull(.named("givenLimit")))],
            gives: gives("limits", .named("limits")), .tuning, topic: .accessory, word: "limits",
            "Narrows range and speed until the daemon ends."),
        MethodRow(
            "setSpeed", [.needs("share", .number(0.01...1))], gives: gives("share", .share), .tuning, word: "speed",
            "Sets the speed of manual motion."),
    ]

    private static let face: [MethodRow] = [
        MethodRow(
            "setExpression", [.may("name", .text(1...40)), .may("next", .yes), .may("random", .flag)],
            isChoice: true, gives: .object([.needs("expression", .named("expression")), .needs("random", .flag)]),
            .write, topic: .face, word: "face", "Shows an expression."),
        MethodRow(
            "setGesturesEnabled", [.needs("enabled", .flag)], gives: gives("gestures", .flag), .write, topic: .face,
            word: "gestures", "Lets the head move a little with expressions."),
    ]
}
