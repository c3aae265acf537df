internal import ControlProtocol
internal import DockControl
internal import DockTypes
internal import Files
internal import Geometry
internal import PictureShare
internal import RobotFace

/// The daemon's implementation of a row of `MethodTable`.
struct ControlMethod: Sendable {
    let name: String
    /// The parameters of the row.
    let parameters: [Field]
    let decode: @Sendable (ControlParams) throws(DockError) -> ControlCall

    init(_ name: String, decode: @escaping @Sendable (ControlParams) throws(DockError) -> ControlCall) {
        self.name = name
        parameters = MethodTable.row(name)?.parameters ?? []
        self.decode = decode
    }

    /// Returns a method that corresponds to a command.
    static func command(
        _ name: String, _ decode: @escaping @Sendable (ControlParams) throws(DockError) -> Command
    ) -> ControlMethod {
        ControlMethod(name) { params throws(DockError) in .command(try decode(params)) }
    }
}

/// The bindings of `MethodTable`, in its order.
enum ControlMethods {
    /// Reads a call.
    /// - Throws: an error with the nearest name if the method does not exist, or with the accepted values if a
    ///   parameter is wrong.
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

    static let rows: [ControlMethod] = steering + motion + limits + face + names + camera + show + talk

    private static let steering: [ControlMethod] = [
        .command("setTrackingMode") { params throws(DockError) in
            .motion(.setMode(try params.choice("mode")))
        },
        .command("setSystemTrackingEnabled") { params throws(DockError) in
            .setSystemTracking(try params.flag("enabled"))
        },
        .command("setFramingMode") { params throws(DockError) in
            let mode = try params.text("mode")
            return .motion(.setFraming(FramingMode(rawValue: mode) ?? .automatic))
        },
        .command("setRegionOfInterest") { params throws(DockError) in
            guard let rect = params.optionalRect("rect") else { return .motion(.setRegion(.full)) }
            guard rect.isInPicture else {
                throw params.refusal("\"rect\" must lie inside the frame", "null is the whole frame")
            }
            return .motion(.setRegion(rect))
        },
        .command("selectSubject") { params throws(DockError) in
            .tap(Point(x: try params.number("x"), y: try params.number("y")))
        },
        .command("selectSubjects") { params throws(DockError) in
            .select(try ControlTrack.identifiers(params))
        },
        .command("expect") { params throws(DockError) in
            .motion(.expect(try pose(params), duration: params.optionalNumber("for") ?? Expectation.usual))
        },
        .command("selectSource") { params throws(DockError) in
            .source(try params.text("name"))
        },
        .command("track") { params throws(DockError) in
            .track(try ControlTrack.frame(params))
        },
    ]

    private static let motion: [ControlMethod] = [
        .command("setAngularVelocity") { params throws(DockError) in
            .motion(
                .velocity(
                    try pose(params), duration: params.optionalNumber("for") ?? CommandWords.velocityTime))
        },
        .command("setOrientation") { params throws(DockError) in
            .motion(
                .orient(
                    try pose(params), duration: params.optionalNumber("duration") ?? 0,
                    relative: params.optionalFlag("relative") ?? false))
        },
        .command("home") { _ throws(DockError) in .motion(.home) },
        .command("animate") { params throws(DockError) in
            let name = try params.text("motion")
            return .animate(MotionScript.Name(word: name)?.rawValue ?? name)
        },
        .command("cancelMotion") { params throws(DockError) in
            .motion(.cancel(MotionID(try params.whole("motion")), .cancelled))
        },
        .command("stop") { _ throws(DockError) in .motion(.stop) },
        .command("emergencyStop") { _ throws(DockError) in .motion(.emergencyStop) },
        .command("clearFault") { _ throws(DockError) in .motion(.clear) },
        .command("setTorqueEnabled") { params throws(DockError) in
            .motion(.torque(try params.flag("enabled")))
        },
    ]

    private static let limits: [ControlMethod] = [
        .command("setLimits") { params throws(DockError) in
            guard params.has("pan") || params.has("tilt") else { return .motion(.setLimits(pan: .own, tilt: .own)) }
            return .motion(.setLimits(pan: try change(params, "pan"), tilt: try change(params, "tilt")))
        },
        .command("setSpeed") { params throws(DockError) in
            .motion(.setSpeed(try params.number("share")))
        },
    ]

    private static let face: [ControlMethod] = [
        .command("setExpression") { params throws(DockError) in
            try params.exactlyOne(of: ["name", "next", "random"])
            if let isRandom = params.optionalFlag("random") { return .randomFaces(isRandom) }
            guard let name = params.optionalText("name") else {
                guard try params.flag("next") else { throw params.refusal("\"next\" must be true") }
                return .nextFace
            }
            return .face(name)
        },
        .command("setGesturesEnabled") { params throws(DockError) in
            .gestures(try params.flag("enabled"))
        },
    ]

    private static let names: [ControlMethod] = [
        .command("savePreset") { params throws(DockError) in
            .preset(.save(try params.text("name")))
        },
        .command("goToPreset") { params throws(DockError) in
            .preset(.go(try params.text("name")))
        },
        .command("deletePreset") { params throws(DockError) in
            .preset(.delete(try params.text("name")))
        },
        .command("presets") { _ throws(DockError) in .preset(.list) },
        .command("recordMotion") { params throws(DockError) in
            .teach(.record(try params.text("name")))
        },
        .command("finishRecording") { params throws(DockError) in
            .teach(.finish(keep: params.optionalFlag("keep") ?? true))
        },
        .command("motions") { _ throws(DockError) in .teach(.list) },
        .command("deleteMotion") { params throws(DockError) in
            .teach(.delete(try params.text("name")))
        },
    ]

    private static let camera: [ControlMethod] = [
        .command("setZoom") { params throws(DockError) in
            try params.exactlyOne(of: ["factor", "steps"])
            if let steps = params.optionalWhole("steps") { return .camera(.zoom(steps: steps)) }
            return .camera(.magnify(try params.number("factor")))
        },
        .command("setShutter") { params throws(DockError) in
            .camera(.shutter(params.optionalFlag("open")))
        },
        .command("flipCamera") { _ throws(DockError) in .camera(.flip) },
        ControlMethod("openPictures") { params throws(DockError) in
            .openPictures(
                PictureRequest(
                    maximumWidth: params.optionalWhole("maximumWidth"),
                    format: params.optionalText("format").flatMap(PictureFormat.init(rawValue:))))
        },
        ControlMethod("closePictures") { _ throws(DockError) in .closePictures },
    ]

    private static let show: [ControlMethod] = [
        .command("setLayer") { params throws(DockError) in .show(try ControlShow.layer(params)) },
        .command("setIndicator") { params throws(DockError) in .show(try ControlShow.indicator(params)) },
        .command("setExtension") { params throws(DockError) in .show(try ControlShow.report(params)) },
        .command("say") { params throws(DockError) in .show(try ControlShow.sentence(params)) },
        .command("cue") { params throws(DockError) in .show(try ControlShow.sound(params)) },
        .command("setDistances") { params throws(DockError) in .show(try ControlShow.distances(params)) },
    ]

    private static let talk: [ControlMethod] = [
        .command("status") { params throws(DockError) in
            .status(why: params.optionalFlag("why") ?? false)
        },
        .command("latency") { _ throws(DockError) in .latency },
        .command("metrics") { _ throws(DockError) in .metrics },
        .command("trace") { _ throws(DockError) in .trace },
        ControlMethod("subscribe") { params throws(DockError) in
            let topics = try topics(params) ?? []
            guard let rate = params.optionalText("rate") else { return .subscribe(topics) }
            guard topics.contains(.tracking) else {
                throw params.refusal("\"rate\" concerns topic \"tracking\"", "add it to the topics, or omit the rate")
            }
            return .subscribe(topics, everyFrame: rate == "all")
        },
        ControlMethod("unsubscribe") { params throws(DockError) in
            .unsubscribe(try topics(params))
        },
        .command("acquireControl") { _ throws(DockError) in .acquireControl },
        .command("releaseControl") { _ throws(DockError) in .releaseControl },
        ControlMethod("command") { params throws(DockError) in
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
