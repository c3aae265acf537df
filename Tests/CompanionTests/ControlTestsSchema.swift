import ControlProtocol
import DockControl
import DockTypes
import Geometry
import Glibc
import PictureShare
import RobotFace
import TestSupport
import Testing

@testable import Companion

/// Code, schema and contract agree.
@Suite struct ControlTestsSchema {
    private static func schema() throws -> JSONValue {
        let text = try #require(TemporaryFile.text(of: Place.file("docs/control-api.schema.json")))
        return try JSONReader.value(of: Array(text.utf8))["definitions"] ?? .null
    }

    @Test func `schema and code know the same methods, parameters, errors and topics`() throws {
        let schema = try Self.schema(), methods = Set(ControlMethods.rows.map(\.name))
        #expect(ControlMethods.rows.count == methods.count)
        #expect(Set(schema["requests"]?.object?.keys.map { $0 } ?? []) == methods)
        #expect(Set(schema["results"]?.object?.keys.map { $0 } ?? []) == methods)
        #expect(Set(schema["events"]?.object?.keys.map { $0 } ?? []) == Set(Topic.allCases.map(\.rawValue)))
        let others = ["parseError", "invalidRequest", "methodNotFound"]
        let names = Set(ControlSamples.codes.map { ControlError(DockError($0, "", hint: "")).name } + others)
        #expect(Set(schema["errors"]?.object?.keys.map { $0 } ?? []) == names)
        #expect(schema["types"]?["expression"]?["examples"]?.array?.compactMap(\.string) == Expression.all.map(\.name))
        for row in ControlMethods.rows {
            let params = schema["requests"]?[row.name]?["properties"]?["params"]
            let kinds = params?["oneOf"]?.array ?? [params ?? .null]
            let known = Set(kinds.flatMap { $0["properties"]?.object?.keys.map { $0 } ?? [] })
            #expect(known == Set(row.parameters.map(\.name)), "\(row.name)")
            guard kinds.count == 1 else { continue }
            let required = Set(kinds[0]["required"]?.array?.compactMap(\.string) ?? [])
            #expect(required == Set(row.parameters.filter(\.isRequired).map(\.name)), "\(row.name)")
        }
    }

    @Test func `the contract names every method with its parameters, every topic and every error`() throws {
        let text = try #require(TemporaryFile.text(of: Place.file("docs/CONTROL-API.md")))
        let rows = text.split(separator: "\n").filter { $0.hasPrefix("| `") }.map { $0.split(separator: "|") }
        func row(_ name: String) -> [Substring]? { rows.first { $0[0].contains("`\(name)`") } }
        for method in ControlMethods.rows {
            let columns = try #require(row(method.name), "\(method.name) is not in the contract")
            for parameter in method.parameters {
                let name = parameter.name + (parameter.isRequired || method.name == "setExpression" ? "`" : "")
                #expect(columns[1].contains("`" + name), "\(method.name): \(parameter.name)")
            }
        }
        for topic in Topic.allCases { #expect(row(topic.rawValue) != nil, "\(topic)") }
        for code in ControlSamples.codes {
            let error = ControlError(DockError(code, "", hint: ""))
            #expect(row(error.name).map { $0[1].contains("\(error.code)") } == true, "\(error.name)")
        }
    }

    // MARK: messages against the schema

    /// One line for scripts/check-schema.
    private static func entry(_ place: String, _ message: JSONValue, fits: Bool = true) -> String {
        var members: [String: JSONValue] = ["schema": .string(place), "message": message]
        if !fits { members["fits"] = .bool(false) }
        return String(decoding: JSONValue.object(members).bytes, as: UTF8.self)
    }

    /// A whole line from the daemon: as any message, as its kind, and its inner part.
    private static func entries(_ line: [UInt8], _ place: String, part: String?) throws -> [String] {
        let message = try JSONReader.value(of: line)
        return [entry("", message), entry(place, try #require(part.map { message[$0] } ?? message, "\(place)"))]
    }

    private static func results() throws -> [String] {
        var all: [String] = []
        func add(_ method: String, _ params: String, _ reply: ControlReply?) throws {
            let asked = ControlLine(request(method, params))
            let part = RequestQueue.Part(request: asked.requests[0], reply: reply, isLocal: reply == nil)
            let line = try #require(
                ControlAnswer.line(.init(parts: [part], isBatch: false, deadline: 0), version: "1.2.3", now: 2304) {
                    _ in
                    .success(ControlResults.topics([.motion, .log]))
                })
            let result = try #require(JSONValue(json: line)?["result"])
            let text = String(decoding: line, as: UTF8.self)
            #expect(MethodTable.row(method)?.result.fits(result) == true, "\(method): \(text)")
            all += try entries(line, "results/\(method)", part: "result")
        }
        for sample in ControlSamples.results {
            try add(sample.method, sample.params, .answer(.success(Outcome("", sample.value))))
        }
        for status in ControlSamples.statuses {
            try add("status", "{}", .answer(.success(Outcome("", .status(status)))))
            try add("status", #"{"why":true}"#, .answer(.success(Outcome("", .status(status)))))
        }
        try add("command", #"{"line":"help"}"#, .said("ok"))
        try add("command", #"{"line":"home"}"#, .words(.success(Outcome("ok", .motion(MotionID(1), duration: 1)))))
        try add("subscribe", #"{"topics":["log"]}"#, nil)
        try add("unsubscribe", "{}", nil)
        let layout = try #require(ShareLayout(format: .rgb24, width: 640, height: 480))
        try add(
            "openPictures", "{}", .pictures(.success(PictureOpening(memory: -1, bell: -1, layout: layout))))
        try add("closePictures", "{}", .done)
        let sampled = Set(ControlSamples.results.map(\.method)).union([
            "status", "command", "subscribe", "unsubscribe", "openPictures", "closePictures",
        ])
        #expect(sampled == Set(ControlMethods.rows.map(\.name)))
        return all
    }

    private static func errors() throws -> [String] {
        let refusals =
            ControlSamples.codes.map { ControlError(DockError($0, "what happened", hint: "what to do")) }
            + [.parse("a value is missing, at 0"), .invalidRequest("a request is an object"), .unknownMethod("statsu")]
        return try refusals.flatMap { error in
            try entries(
                ControlAnswer.answer(ControlRequest.null, .failure(error)), "errors/\(error.name)", part: "error")
        }
    }

    private static func events() throws -> [String] {
        var all: [String] = []
        func add(_ topic: Topic, _ data: JSONValue, _ kind: ControlEvent.Kind, lost: Int = 0) throws {
            let event = ControlEvent(topic: topic, sequence: 41, data: data.bytes)
            let recent = Shape.object([.required("recent", .list(of: topic.shape, 0...Int.max))])
            let shape = topic.isQueue && kind == .snapshot ? recent : topic.shape
            // As a client reads it: numbers have seven decimals.
            let read = try JSONReader.value(of: data.bytes)
            #expect(shape.fits(read), "\(topic): \(String(decoding: data.bytes, as: UTF8.self))")
            all += try entries(event.line(kind, lost: lost), "events/\(topic.rawValue)", part: nil)
        }
        for status in ControlSamples.statuses {
            for topic in Topic.allCases where !topic.isQueue {
                let data = TopicEncoder.data(of: topic, status, now: 2304)
                try add(topic, data, .snapshot)
                try add(topic, data, .change)
            }
        }
        for (topic, samples) in [
            (Topic.events, ControlSamples.notices), (.log, ControlSamples.lines), (.cues, ControlSamples.cues),
            (.detections, ControlSamples.answers),
        ] {
            for sample in samples { try add(topic, sample, .change, lost: 3) }
            try add(topic, EventEncoder.recent(samples), .snapshot)
            try add(topic, EventEncoder.recent([]), .snapshot)
        }
        return all
    }

    /// What the schema cannot express: sums, orders, and names that only the program knows.
    private static let beyond = [
        "inside the frame", "appears twice", "must be below", "no face", "one line", "1e", "concerns topic", "needs \"",
        "from -1 to 2",
        "in metres", "belongs to the picture", "one printable",
        "no \"points\"", "an array of 2",
    ]

    private static func requests() throws -> [String] {
        var all: [String] = []
        for (method, params, _) in ControlTestsMethods.good {
            all.append(entry("requests/\(method)", try JSONReader.value(of: request(method, params))))
        }
        for (method, params, says) in ControlTestsMethods.bad {
            guard !beyond.contains(where: { says.contains($0) || params.contains($0) }) else { continue }
            all.append(entry("requests/\(method)", try JSONReader.value(of: request(method, params)), fits: false))
        }
        return all
    }

    private static func python() -> String? {
        let python = getenv("DOCKFACE_PYTHON").map { String(cString: $0) } ?? "python3"
        return system("'\(python)' -c 'import fastjsonschema' >/dev/null 2>&1") == 0 ? python : nil
    }

    @Test func `every message fits the schema, and refused ones do not`() throws {
        let own: [JSONValue] = [
            .object([
                "name": .string("dockface"), "version": .string("1.2.3"), "protocol": .number(1),
                "features": APITypes.features,
            ])
        ]
        let lines =
            try own.flatMap { [Self.entry("greeting", $0), Self.entry("", $0)] } + Self.requests()
            + Self.results() + Self.errors() + Self.events() + [
                Self.entry("", .object(["name": .string("dockface")]), fits: false),
                Self.entry("results/stop", .object([:]), fits: false),
                Self.entry("results/stop", .object(["mode": .string("manual"), "extra": .null]), fits: false),
            ]
        #expect(lines.count > 1000)
        let file = try TemporaryFile(lines.joined(separator: "\n") + "\n", ".jsonl")
        // The validator is optional: without it the messages are only built.
        guard let python = Self.python() else { return }
        let said = file.path + ".out"
        defer { unlink(said) }
        let status = system("'\(python)' '\(Place.file("scripts/check-schema"))' '\(file.path)' >'\(said)' 2>&1")
        #expect(status == 0, "\(TemporaryFile.text(of: said) ?? "")")
    }
}
