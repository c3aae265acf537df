internal import DockTypes

/// The methods of the control API, in the order of docs/CONTROL-API.md.
///
/// The daemon binds each row to a command; the schema, the page, the Python client, the command words and their help
/// are checked against it.
public enum MethodTable {
    /// All methods.
    public static let rows = steering + motion + limits + face + names + camera + show + talk

    /// Returns a method by its name.
    public static func row(_ name: String) -> MethodRow? { byName[name] }

    private static let byName = Dictionary(uniqueKeysWithValues: rows.map { ($0.name, $0) })

    /// The longest duration of a velocity or a move, in seconds.
    public static let longestTime = 60.0
    /// The longest duration of an expectation, in seconds.
    public static let longestExpectation = 2.0
    /// The longest line of command words, in bytes.
    public static let longestWords = 4096

    private static let begun = Shape.named("begun"), nothing = Shape.object([])
    private static let angle = APITypes.angle

    private static func gives(_ name: String, _ shape: Shape) -> Shape { .object([.required(name, shape)]) }

    private static let steering: [MethodRow] = [
        MethodRow(
            "setTrackingMode", [.required("mode", .word(TrackingMode.allCases.map(\.rawValue)))],
            gives: gives("mode", .named("mode")), .mode, topic: .accessory, word: "mode",
            "Selects which source steers."),
        MethodRow(
            "setSystemTrackingEnabled", [.required("enabled", .flag)], gives: gives("mode", .named("mode")), .mode,
            topic: .accessory, "Selects the mode `system`, or `manual`."),
        MethodRow(
            "setFramingMode", [.required("mode", .word(FramingMode.allCases.map(\.rawValue) + ["automatic"]))],
            gives: gives("framing", .named("framing")), .write, topic: .accessory, word: "framing",
            "Selects where in the frame the face is placed."),
        MethodRow(
            "setRegionOfInterest", [.required("rect", .orNull(.rect))], gives: gives("region", .named("rect")), .write,
            topic: .accessory, word: "region", "Sets the part of the frame that counts; null is the whole frame."),
        MethodRow(
            "selectSubject", [.required("x", .share), .required("y", .share)], gives: gives("id", .named("subjectID")),
            .write, topic: .accessory, word: "tap", "Follows the subject at a point."),
        MethodRow(
            "selectSubjects",
            [.required("ids", .list(of: .named("subjectID"), 0...APITypes.mostSelected, isUnique: true))],
            gives: gives("ids", .list(of: .named("subjectID"), 0...APITypes.mostSelected)), .write,
            topic: .accessory, word: "select", "Follows these subjects; none selects automatically."),
        MethodRow(
            "expect",
            [.required("pan", angle), .required("tilt", angle), .optional("for", .positive(upTo: longestExpectation))],
            gives: nothing, .write, topic: .tracking, word: "expect",
            "Looks in a direction while no person is in the frames."),
        MethodRow(
            "selectSource", [.required("name", .name)], gives: gives("source", .anyText), .write, word: "source",
            "Selects the detector that steers."),
        MethodRow(
            "track",
            [
                .required("observations", .list(of: .named("observation"), 0...APITypes.mostObservations)),
                .optional("camera", .named("givenCamera")), .optional("t", .number(0...1e9)),
            ], gives: .object([.required("subjects", .count), .required("rate", .orNull(.anyNumber))]), .motion,
            topic: .tracking, "Steers by the caller's own observations."),
    ]

    private static let motion: [MethodRow] = [
        MethodRow(
            "setAngularVelocity",
            [.required("pan", angle), .required("tilt", angle), .optional("for", .positive(upTo: longestTime))],
            gives: begun,
            .motion, topic: .motion, word: "velocity", "Turns for a short time."),
        MethodRow(
            "setOrientation",
            [
                .required("pan", angle), .required("tilt", angle), .optional("duration", .number(0...longestTime)),
                .optional("relative", .flag),
            ], gives: begun, .motion, topic: .motion, word: "orient", "Goes to a pose."),
        MethodRow("home", gives: begun, .motion, topic: .motion, word: "home", "Goes to the home pose."),
        MethodRow(
            "animate", [.required("motion", .name)], gives: begun, .motion, topic: .motion, word: "animate",
            "Plays a built-in or taught motion."),
        MethodRow(
            "cancelMotion", [.required("motion", .named("motionID"))], gives: nothing, .free, topic: .motion,
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
            "setTorqueEnabled", [.required("enabled", .flag)], gives: gives("torque", .flag), .torque,
            topic: .accessory, word: "torque", "Switches the torque; without torque, the head can be turned by hand."),
    ]

    private static let limits: [MethodRow] = [
        MethodRow(
            "setLimits",
            [.optional("pan", .orNull(.named("givenLimit"))), .optional("tilt", .orNull(.named("givenLimit")))],
            gives: gives("limits", .named("limits")), .tuning, topic: .accessory, word: "limits",
            "Narrows range and speed until the daemon ends."),
        MethodRow(
            "setSpeed", [.required("share", .number(0.01...1))], gives: gives("share", .share), .tuning, word: "speed",
            "Sets the speed of manual motion."),
    ]

    private static let face: [MethodRow] = [
        MethodRow(
            "setExpression", [.optional("name", .text(1...40)), .optional("next", .yes), .optional("random", .flag)],
            isChoice: true,
            gives: .object([.required("expression", .named("expression")), .required("random", .flag)]),
            .write, topic: .face, word: "face", "Shows an expression."),
        MethodRow(
            "setGesturesEnabled", [.required("enabled", .flag)], gives: gives("gestures", .flag), .write, topic: .face,
            word: "gestures", "Lets the head move a little with expressions."),
    ]
}
