internal import DockControl
internal import DockTypes
internal import Files
internal import Geometry
internal import RobotFace

/// A method of the control API: its name, its parameters, and its command.
struct ControlMethod: Sendable {
    let name: String
    let parameters: [ControlParameter]
    let decode: @Sendable (ControlParams) throws(DockError) -> ControlCall

    init(
        _ name: String, _ parameters: [ControlParameter] = [],
        decode: @escaping @Sendable (ControlParams) throws(DockError) -> ControlCall
    ) {
        self.name = name
        self.parameters = parameters
        self.decode = decode
    }

    /// A method that corresponds to a command.
    static func command(
        _ name: String, _ parameters: [ControlParameter] = [],
        _ decode: @escaping @Sendable (ControlParams) throws(DockError) -> Command
    ) -> ControlMethod {
        ControlMethod(name, parameters) { params throws(DockError) in .command(try decode(params)) }
    }
}

/// The methods of docs/CONTROL-API.md, in its order.
enum ControlMethods {
    /// Reads a call.
    /// - Throws: an error with the nearest name if the method does not exist, or with the accepted values if a parameter is
    ///   wrong.
    static func call(_ name: String, _ params: JSONValue?) throws(ControlError) -> ControlCall {
        guard let row = byName[name] else { throw .unknownMethod(name) }
        let members: [String: JSONValue]
        switch params {
        case nil, .null, .array([]): members = [:]
        case .object(let given): members = given
        default:
            throw ControlError(
                DockError(
                    .invalidParameter, "\(name): parameters are given by name",
                    hint: #"send "params":{"NAME":VALUE}"#))
        }
        do throws(DockError) {
            return try row.decode(ControlParams(members, of: name, row.parameters))
        } catch {
            throw ControlError(error)
        }
    }

    private static let byName = Dictionary(uniqueKeysWithValues: rows.map { ($0.name, $0) })

    static let rows: [ControlMethod] = steering + motion + limits + face + names + camera + talk

    private static let steering: [ControlMethod] = [
        .command("setTrackingMode", [.needs("mode", .word(TrackingMode.allCases.map(\.rawValue)))]) {
            params throws(DockError) in
            .motion(.setMode(try params.choice("mode")))
        },
        .command("setSystemTrackingEnabled", [.needs("enabled", .flag)]) { params throws(DockError) in
            .setSystemTracking(try params.flag("enabled"))
        },
        .command(
            "setFramingMode", [.needs("mode", .word(FramingMode.allCases.map(\.rawValue) + ["automatic"]))]
        ) { params throws(DockError) in
            let mode = try params.text("mode")
            return .motion(.setFraming(FramingMode(rawValue: mode) ?? .automatic))
        },
        .command("setRegionOfInterest", [.needs("rect", .orNull(.rect))]) { params throws(DockError) in
            guard let rect = params.optionalRect("rect") else { return .motion(.setRegion(.full)) }
            guard rect.isInPicture else {
                throw params.refusal("\"rect\" must lie inside the frame", "null is the whole frame")
            }
            return .motion(.setRegion(rect))
        },
        .command("selectSubject", [.needs("x", .number(0...1)), .needs("y", .number(0...1))]) {
            params throws(DockError) in
            .tap(Point(x: try params.number("x"), y: try params.number("y")))
        },
        .command("selectSubjects", [.needs("ids", .list(upTo: 16))]) { params throws(DockError) in
            .select(try ControlTrack.identifiers(params))
        },
        .command("selectSource", [.needs("name", .name)]) { params throws(DockError) in
            .source(try params.text("name"))
        },
        .command("track", ControlTrack.parameters) { params throws(DockError) in
            .track(try ControlTrack.frame(params))
        },
    ]

    /// Farther (rad) and faster (rad/s) than any dock; the dock applies its own limits.
    private static let angle = ControlParameter.Kind.number(-1000...1000)

    private static let motion: [ControlMethod] = [
        .command(
            "setAngularVelocity",
            [.needs("pan", angle), .needs("tilt", angle), .may("for", .positive(upTo: CommandWords.longestTime))]
        ) { params throws(DockError) in
            .motion(
                .velocity(
                    try pose(params), duration: params.optionalNumber("for") ?? CommandWords.velocityTime))
        },
        .command(
            "setOrientation",
            [
                .needs("pan", angle), .needs("tilt", angle), .may("duration", .number(0...CommandWords.longestTime)),
                .may("relative", .flag),
            ]
        ) { params throws(DockError) in
            .motion(
                .orient(
                    try pose(params), duration: params.optionalNumber("duration") ?? 0,
                    relative: params.optionalFlag("relative") ?? false))
        },
        .command("home") { _ throws(DockError) in .motion(.home) },
        .command("animate", [.needs("motion", .name)]) { params throws(DockError) in
            let name = try params.text("motion")
            return .animate(MotionScript.Name(word: name)?.rawValue ?? name)
        },
        .command("cancelMotion", [.needs("motion", .whole(1...Int(Int32.max)))]) { params throws(DockError) in
            .motion(.cancel(MotionID(try params.whole("motion")), .cancelled))
        },
        .command("stop") { _ throws(DockError) in .motion(.stop) },
        .command("emergencyStop") { _ throws(DockError) in .motion(.emergencyStop) },
        .command("clearFault") { _ throws(DockError) in .motion(.clear) },
        .command("setTorqueEnabled", [.needs("enabled", .flag)]) { params throws(DockError) in
            .motion(.torque(try params.flag("enabled")))
        },
    ]

    private static let limit = ControlParameter.Kind.orNull(
        .object([.needs("min", angle), .needs("max", angle), .may("speed", .positive(upTo: 1000))]))

    private static let limits: [ControlMethod] = [
        .command("setLimits", [.may("pan", limit), .may("tilt", limit)]) { params throws(DockError) in
            guard params.has("pan") || params.has("tilt") else { return .motion(.setLimits(pan: .own, tilt: .own)) }
            return .motion(.setLimits(pan: try change(params, "pan"), tilt: try change(params, "tilt")))
        },
        .command("setSpeed", [.needs("share", .number(0.01...1))]) { params throws(DockError) in
            .motion(.setSpeed(try params.number("share")))
        },
    ]

    private static let face: [ControlMethod] = [
        .command("setExpression", [.may("name", .text(upTo: 40)), .may("next", .flag), .may("random", .flag)]) {
            params throws(DockError) in
            try params.exactlyOne(of: ["name", "next", "random"])
            if let isRandom = params.optionalFlag("random") { return .randomFaces(isRandom) }
            guard let name = params.optionalText("name") else {
                guard try params.flag("next") else { throw params.refusal("\"next\" must be true") }
                return .nextFace
            }
            return .face(name)
        },
        .command("setGesturesEnabled", [.needs("enabled", .flag)]) { params throws(DockError) in
            .gestures(try params.flag("enabled"))
        },
    ]

    private static let names: [ControlMethod] = [
        .command("savePreset", [.needs("name", .name)]) { params throws(DockError) in
            .preset(.save(try params.text("name")))
        },
        .command("goToPreset", [.needs("name", .name)]) { params throws(DockError) in
            .preset(.go(try params.text("name")))
        },
        .command("deletePreset", [.needs("name", .name)]) { params throws(DockError) in
            .preset(.delete(try params.text("name")))
        },
        .command("presets") { _ throws(DockError) in .preset(.list) },
        .command("recordMotion", [.needs("name", .name)]) { params throws(DockError) in
            .teach(.record(try params.text("name")))
        },
        .command("finishRecording", [.may("keep", .flag)]) { params throws(DockError) in
            .teach(.finish(keep: params.optionalFlag("keep") ?? true))
        },
        .command("motions") { _ throws(DockError) in .teach(.list) },
        .command("deleteMotion", [.needs("name", .name)]) { params throws(DockError) in
            .teach(.delete(try params.text("name")))
        },
    ]

    private static let camera: [ControlMethod] = [
        .command("setZoom", [.may("factor", .number(1...8)), .may("steps", .whole(-100...100))]) {
            params throws(DockError) in
            try params.exactlyOne(of: ["factor", "steps"])
            if let steps = params.optionalWhole("steps") { return .camera(.zoom(steps: steps)) }
            return .camera(.magnify(try params.number("factor")))
        },
        .command("setShutter", [.may("open", .flag)]) { params throws(DockError) in
            .camera(.shutter(params.optionalFlag("open")))
        },
        .command("flipCamera") { _ throws(DockError) in .camera(.flip) },
    ]

    /// Longest line of words, bytes.
    private static let longestWords = 4096

    private static let topicList = ControlParameter.Kind.list(upTo: Topic.allCases.count)

    private static let talk: [ControlMethod] = [
        .command("status", [.may("why", .flag)]) { params throws(DockError) in
            .status(why: params.optionalFlag("why") ?? false)
        },
        .command("latency") { _ throws(DockError) in .latency },
        .command("metrics") { _ throws(DockError) in .metrics },
        .command("trace") { _ throws(DockError) in .trace },
        ControlMethod("subscribe", [.needs("topics", topicList)]) { params throws(DockError) in
            .subscribe(try topics(params) ?? [])
        },
        ControlMethod("unsubscribe", [.may("topics", topicList)]) { params throws(DockError) in
            .unsubscribe(try topics(params))
        },
        .command("acquireControl") { _ throws(DockError) in .acquireControl },
        .command("releaseControl") { _ throws(DockError) in .releaseControl },
        ControlMethod("command", [.needs("line", .text(upTo: longestWords))]) {
            params throws(DockError) in
            let line = try params.text("line")
            guard !line.contains(where: \.isNewline) else { throw params.refusal("\"line\" must be one line") }
            return .words(line)
        },
    ]

    // MARK: values for several methods

    private static func pose(_ params: ControlParams) throws(DockError) -> PanTilt {
        PanTilt(pan: try params.number("pan"), tilt: try params.number("tilt"))
    }

    private static func change(_ params: ControlParams, _ axis: String) throws(DockError) -> LimitChange {
        guard let limit = try params.object(axis) else { return params.has(axis) ? .own : .keep }
        let low = try limit.number("min"), high = try limit.number("max")
        guard low < high else { throw limit.refusal("\"min\" must be below \"max\"", "swap them") }
        return .set(low: low, high: high, speed: limit.optionalNumber("speed"))
    }

    private static func topics(_ params: ControlParams) throws(DockError) -> [Topic]? {
        guard let names = params.list("topics") else { return nil }
        var topics: [Topic] = []
        for name in names {
            guard let topic = name.string.flatMap(Topic.init(rawValue:)) else {
                let all = Topic.allCases.map(\.rawValue)
                let near = name.string.flatMap { Spelling.nearest(to: $0, among: all) }
                throw params.refusal(
                    "unknown topic \(String(decoding: name.bytes.prefix(40), as: UTF8.self))",
                    near.map { "did you mean \"\($0)\"?" } ?? "one of: " + all.joined(separator: " "))
            }
            if !topics.contains(topic) { topics.append(topic) }
        }
        guard !topics.isEmpty else { throw params.refusal("\"topics\" is empty", "name at least one") }
        return topics
    }
}
