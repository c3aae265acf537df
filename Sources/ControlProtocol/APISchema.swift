/// The contents of docs/control-api.schema.json, generated from the table.
public enum APISchema {
    /// The whole schema.
    public static var json: JSONValue {
        .object([
            "$schema": .string("http://json-schema.org/draft-07/schema#"),
            "title": .string("The control API of dockface, protocol 1"),
            "description": .string(
                "A line from the daemon is one of these. Parts by name: #/definitions/requests/METHOD (a whole request), "
                    + "results/METHOD (the member `result`), errors/NAME (the member `error`), events/TOPIC (a whole line). "
                    + "Meanings and units: CONTROL-API.md."),
            "oneOf": .array([
                ref("greeting"), ref("answer"),
                .object([
                    "type": .string("array"), "items": ref("answer"), "minItems": .number(1),
                    "maxItems": .number(32),
                ]), ref("event"),
            ]),
            "definitions": definitions,
        ])
    }

    private static var definitions: JSONValue {
        let methods = MethodTable.rows
        return .object([
            "greeting": object([
                "name": const("dockface"), "version": Shape.anyText.schema, "protocol": one,
                "features": Shape.list(of: .someText, 0...Int.max, isUnique: true).schema,
            ]),
            "request": .object(["oneOf": .array(methods.map { ref("requests/\($0.name)") })]),
            "answer": answer,
            "event": .object(["oneOf": .array(Topic.allCases.map { ref("events/\($0.rawValue)") })]),
            "requests": byName(methods.map { ($0.name, request($0)) }),
            "results": byName(methods.map { ($0.name, $0.result.schema) }),
            "errors": byName(APIErrorCode.allCases.map { ($0.rawValue, error($0)) }),
            "events": byName(Topic.allCases.map { ($0.rawValue, event($0)) }),
            "types": byName(APITypes.rows.map(type) + [("id", id)]),
        ])
    }

    private static func type(_ row: APITypes.Row) -> (String, JSONValue) {
        guard case .object(let fields) = row.shape, APITypes.given.contains(where: { $0.name == row.name }) else {
            return (row.name, row.shape.schema)
        }
        return (row.name, Shape.schema(of: fields, isGiven: true))
    }

    // MARK: lines

    private static func request(_ method: MethodRow) -> JSONValue {
        let params: JSONValue =
            method.isChoice
            ? .object([
                "oneOf": .array(
                    method.parameters.map { Shape.schema(of: [.required($0.name, $0.shape)], isGiven: true) })
            ]) : Shape.schema(of: method.parameters, isGiven: true)
        return object(
            ["jsonrpc": version, "id": ref("types/id"), "method": const(method.name), "params": params],
            optional: method.needsParameters ? ["id"] : ["id", "params"])
    }

    private static var answer: JSONValue {
        let results = MethodTable.rows.map { ref("results/\($0.name)") }
        let errors = APIErrorCode.allCases.map { ref("errors/\($0.rawValue)") }
        let head = ["jsonrpc": version, "id": ref("types/id")]
        return .object([
            "oneOf": .array([
                object(head.merging(["result": .object(["anyOf": .array(results)])]) { $1 }),
                object(head.merging(["error": .object(["oneOf": .array(errors)])]) { $1 }),
            ])
        ])
    }

    private static func error(_ code: APIErrorCode) -> JSONValue {
        object([
            "code": .object(["const": .number(code.number)]),
            "message": .object(["type": .string("string"), "pattern": .string("^\(code.rawValue): .")]),
            "data": object(["name": const(code.rawValue), "hint": Shape.anyText.schema]),
        ])
    }

    private static func event(_ topic: Topic) -> JSONValue {
        let params: JSONValue
        if topic.isQueue {
            let recent = Shape.object([.required("recent", .list(of: topic.shape, 0...Int.max))])
            params = .object([
                "oneOf": .array([
                    parameters(topic, const("change"), topic.shape), parameters(topic, const("snapshot"), recent),
                ])
            ])
        } else {
            params = parameters(topic, Shape.word(["snapshot", "change"]).schema, topic.shape)
        }
        return object(["jsonrpc": version, "method": const("event"), "params": params])
    }

    private static func parameters(_ topic: Topic, _ kind: JSONValue, _ data: Shape) -> JSONValue {
        object(
            [
                "topic": const(topic.rawValue), "seq": Shape.count.schema, "kind": kind, "data": data.schema,
                "lost": Shape.whole(1...Int.max).schema,
            ], optional: ["lost"])
    }

    // MARK: parts

    private static let version = const("2.0"), one = JSONValue.object(["const": .number(1)])
    private static let id = JSONValue.object([
        "type": .array([.string("string"), .string("number"), .string("null")])
    ])

    private static func ref(_ place: String) -> JSONValue { .object(["$ref": .string("#/definitions/\(place)")]) }

    private static func const(_ text: String) -> JSONValue { .object(["const": .string(text)]) }

    private static func byName(_ members: [(String, JSONValue)]) -> JSONValue {
        .object(Dictionary(uniqueKeysWithValues: members))
    }

    private static func object(_ members: [String: JSONValue], optional: Set<String> = []) -> JSONValue {
        .object([
            "type": .string("object"), "properties": .object(members), "additionalProperties": .bool(false),
            "required": .array(members.keys.filter { !optional.contains($0) }.sorted().map(JSONValue.string)),
        ])
    }
}
