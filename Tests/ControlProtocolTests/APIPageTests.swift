import ControlProtocol
import Foundation
import Testing

/// The schema, the page and the Python client say what the table says.
@Suite struct APIPageTests {
    private static let root = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    private static func text(_ path: String) throws -> String {
        try String(contentsOf: root.appendingPathComponent(path), encoding: .utf8)
    }

    // MARK: schema

    @Test func `the schema is the table's`() throws {
        // Numbers of the table have seven decimals in JSON.
        let wanted = try JSONReader.value(of: APISchema.json.bytes), path = "docs/control-api.schema.json"
        if ProcessInfo.processInfo.environment["DOCKFACE_WRITE_SCHEMA"] != nil {
            var text: [String] = []
            Self.lines(of: wanted, "", "", &text)
            try (text.joined(separator: "\n") + "\n").write(
                to: Self.root.appendingPathComponent(path), atomically: true, encoding: .utf8)
        }
        let found = try JSONReader.value(of: Array(Self.text(path).utf8))
        #expect(
            found == wanted,
            "run DOCKFACE_WRITE_SCHEMA=1 swift test --filter APIPageTests, which writes it, and read the difference")
    }

    /// A value in lines of at most 120 columns where that is possible.
    private static func lines(of value: JSONValue, _ indent: String, _ name: String, _ text: inout [String]) {
        let short = String(decoding: value.bytes, as: UTF8.self)
        guard indent.count + name.count + short.count > 118 else { return text.append(indent + name + short) }
        switch value {
        case .object(let members):
            text.append(indent + name + "{")
            for (key, part) in members.sorted(by: { $0.key < $1.key }) {
                lines(of: part, indent + "  ", "\"\(key)\": ", &text)
                text[text.count - 1] += ","
            }
            text[text.count - 1].removeLast()
            text.append(indent + "}")
        case .array(let parts):
            text.append(indent + name + "[")
            for part in parts {
                lines(of: part, indent + "  ", "", &text)
                text[text.count - 1] += ","
            }
            text[text.count - 1].removeLast()
            text.append(indent + "]")
        default: text.append(indent + name + short)
        }
    }

    // MARK: page

    /// The names of all members of a form, those of its parts too.
    private static func members(_ shape: Shape) -> Set<String> {
        switch shape {
        case .object(let fields): Set(fields.flatMap { [$0.name] + members($0.shape) })
        case .list(let part, _, _), .map(let part), .orNull(let part): members(part)
        case .oneOf(let shapes): Set(shapes.flatMap(members))
        case .named: members(shape.resolved)
        default: []
        }
    }

    /// All strings that a form permits where it permits only some.
    private static func words(_ shape: Shape) -> [String] {
        switch shape {
        case .word(let words): words
        case .object(let fields): fields.flatMap { words($0.shape) }
        case .list(let part, _, _), .map(let part), .orNull(let part): words(part)
        case .oneOf(let shapes): shapes.flatMap(words)
        case .named: words(shape.resolved)
        default: []
        }
    }

    private static func fields(_ shape: Shape) -> [Field] {
        switch shape.resolved {
        case .object(let fields): fields
        case .oneOf(let shapes): shapes.flatMap(fields)
        default: []
        }
    }

    /// The columns of the page's table rows, by each name in the first column.
    private static func page() throws -> [String: [String]] {
        var rows: [String: [String]] = [:]
        for line in try text("docs/CONTROL-API.md").split(separator: "\n") where line.hasPrefix("| `") {
            let columns = line.replacing("\\|", with: "/").split(separator: "|").map(String.init)
            for name in columns[0].split(separator: "`").map(String.init) where rows[name] == nil {
                rows[name] = columns
            }
        }
        return rows
    }

    private static func says(_ text: String, _ name: String) -> Bool {
        text.split { !$0.isLetter && !$0.isNumber }.contains { $0 == name }
    }

    @Test func `the page has each method with its parameters and its result`() throws {
        let page = try Self.page()
        for method in MethodTable.rows {
            let columns = try #require(page[method.name], "\(method.name) is not on the page")
            for field in method.parameters {
                let name = field.name + (field.isRequired || method.isChoice ? "`" : "?`")
                #expect(columns[1].contains("`" + name), "\(method.name): \(name)")
            }
            for name in Self.members(.object(method.parameters)) {
                #expect(Self.says(columns[1], name), "\(method.name): \(name)")
            }
            // Their results are described below the table, or with topic `accessory`.
            guard !["status", "latency", "setLimits"].contains(method.name) else { continue }
            for name in Self.members(method.result) {
                #expect(Self.says(columns[2], name), "\(method.name): \(name)")
            }
        }
    }

    @Test func `the page has each topic with all its members, each error with its code, and each word`() throws {
        let page = try Self.page(), whole = try Self.text("docs/CONTROL-API.md")
        for topic in Topic.allCases {
            let columns = try #require(page[topic.rawValue], "\(topic)")
            for name in Self.members(topic.shape) {
                #expect(Self.says(columns[1], name), "\(topic): \(name)")
            }
        }
        for topic in Topic.allCases {
            for word in Self.words(topic.shape) { #expect(Self.says(whole, word), "\(topic): \(word)") }
        }
        for code in APIErrorCode.allCases {
            #expect(try #require(page[code.rawValue], "\(code)")[1].contains("\(code.number)"), "\(code)")
        }
        for method in ["status", "latency"] {
            for name in Self.members(try #require(MethodTable.row(method)).result) where name != "counters" {
                let isCounter = Self.members(.named("counters")).contains(name)
                #expect(isCounter || Self.says(whole, name), "\(method): \(name)")
            }
        }
    }

    // MARK: Python

    private static func python(_ file: String) throws -> String { try text("clients/python/dockface/\(file).py") }

    /// The names of a dataclass' fields, as the API spells them.
    private static func fields(ofClass name: String, in text: String) throws -> Set<String> {
        let start = try #require(text.range(of: "\nclass \(name):"), "there is no class \(name)").upperBound
        let rest = text[start...], end = rest.range(of: "\n\n\n")?.lowerBound ?? rest.endIndex
        let names = rest[..<end].matches(of: /\n {4}([a-z0-9_]+): [A-Za-z]/).map { String($0.1) }
        return Set(
            names.map { name in
                let words = name.split(separator: "_")
                return words[0] + words.dropFirst().map(\.capitalized).joined()
            })
    }

    @Test func `the Python client's values have the members of the table`() throws {
        let text = try Self.python("topics") + Self.python("values")
        func result(_ method: String) throws -> Shape { try #require(MethodTable.row(method)).result }
        let classes: [(String, Shape)] = [
            ("StateChange", .named("accessory")), ("MotionState", .named("motion")),
            ("TrackingState", .named("tracking")), ("BatteryState", .named("battery")),
            ("Battery", SupplyReading.shape), ("AccessoryEvent", .named("events")), ("FaceState", .named("face")),
            ("LogEntry", .named("log")), ("Identity", .named("identity")), ("RunningMotion", .named("running")),
            ("EndedMotion", .named("ending")), ("Reasons", .named("reasons")), ("Subject", .named("subject")),
            ("Lens", .named("lens")), ("Rig", .named("rig")), ("RigCamera", .named("rigCamera")),
            ("Stand", .named("stand")),
            ("CameraState", .named("camera")), ("Status", try result("status")), ("Pose", .named("panTilt")),
            ("Velocity", .named("panTilt")), ("AxisLimits", .named("limit")), ("Limits", .named("limits")),
            ("Observation", .named("observation")), ("Camera", .named("givenCamera")),
            ("TrackResult", try result("track")), ("Recording", try result("finishRecording")),
            ("Expression", try result("setExpression")), ("Detector", .named("detector")),
            ("DetectorCamera", .named("detectorCamera")), ("DetectorSource", .named("detectorSource")),
            ("Why", .named("why")), ("WhyAxes", .named("whyAxes")), ("Latency", try result("latency")),
            ("LatencyStage", .named("stage")), ("Spread", .named("spread")), ("PictureLag", .named("pictureLag")),
            ("DetectedFace", .named("detectedFace")), ("DetectedHand", .named("detectedHand")),
            ("Detections", .named("detections")), ("Item", .named("item")),
            ("Layer", .named("layer")), ("Layers", .named("layers")), ("LayerSummary", .named("layerSummary")),
            ("Indicator", .named("indicator")), ("Indicators", .named("indicators")), ("Cue", .named("cues")),
        ]
        for (name, shape) in classes {
            let wanted = Set(Self.fields(shape).map(\.name))
            #expect(try Self.fields(ofClass: name, in: text) == wanted, "\(name)")
        }
    }

    @Test func `the Python client calls every method, and knows every error and outcome`() throws {
        let files = ["dock", "moves", "looks", "show", "tracking", "lease", "hub"]
        let calls = try files.map(Self.python).joined()
        for method in MethodTable.rows {
            #expect(calls.contains("\"\(method.name)\""), "\(method.name)")
        }
        let errors = try Self.python("errors")
        for code in APIErrorCode.allCases where code != .timeout {
            #expect(errors.contains("default_name, default_code = \"\(code.rawValue)\", \(code.number)"), "\(code)")
        }
        #expect(errors.contains("default_name = \"timeout\""))
        let outcomes = try Self.python("topics").matches(of: /\n {4}[A-Z_]+ = "([A-Za-z]+)"/).map { String($0.1) }
        let outcome = Self.fields(.named("ending")).first { $0.name == "outcome" }
        #expect(outcome?.shape == .word(outcomes.filter { $0 != "unknown" }))
        for topic in Topic.allCases { #expect(calls.contains("Literal[\"\(topic.rawValue)\"]"), "\(topic)") }
    }
}
