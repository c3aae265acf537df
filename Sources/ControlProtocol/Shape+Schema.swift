extension Shape {
    /// The form as JSON Schema (draft 7).
    public var schema: JSONValue {
        switch self {
        case .flag: return Self.type("boolean")
        case .yes: return .object(["const": .bool(true)])
        case .number(let range): return Self.numbers(range)
        case .positive(let most):
            return Self.type("number", ["exclusiveMinimum": .number(0), "maximum": Self.bound(most)])
        case .whole(let range): return Self.wholes(range)
        case .multiple(let step, let range): return Self.wholes(range, ["multipleOf": .number(step)])
        case .word(let all) where all.count == 1: return .object(["const": .string(all[0])])
        case .word(let all): return .object(["enum": .array(all.map(JSONValue.string))])
        case .name: return Self.type("string", ["pattern": .string("^[a-z0-9_-]{1,32}$")])
        case .expression:
            return Self.type(
                "string",
                [
                    "pattern": .string("^[a-z][a-z0-9-]{0,23}$"),
                    "description": .string("One of the examples, or one that was added: docs/FACE.md."),
                    "examples": .array(APITypes.expressions.map(JSONValue.string)),
                ])
        case .text(let range):
            return Self.type("string", Self.lengths(range, "minLength", "maxLength"))
        case .rect: return Self.givenRect
        case .list(let part, let range, let isUnique):
            var members = Self.lengths(range, "minItems", "maxItems")
            members["items"] = part.schema
            if isUnique { members["uniqueItems"] = .bool(true) }
            return Self.type("array", members)
        case .object(let fields): return Self.schema(of: fields)
        case .map(let part):
            return Self.type("object", ["propertyNames": Shape.name.schema, "additionalProperties": part.schema])
        case .oneOf(let shapes): return .object(["oneOf": .array(shapes.map(\.schema))])
        case .named(let name): return .object(["$ref": .string("#/definitions/types/\(name)")])
        case .anything: return .object([:])
        case .orNull(let shape): return .object(["anyOf": .array([shape.schema, Self.type("null")])])
        }
    }

    /// Returns an object of these members. `isGiven`: a program sends it, and null means the same as a missing member.
    static func schema(of fields: [Field], isGiven: Bool = false) -> JSONValue {
        let members = fields.map { field in
            let isOpen = isGiven && !field.isRequired && !field.shape.allowsNull
            return (field.name, (isOpen ? .orNull(field.shape) : field.shape).schema)
        }
        var schema: [String: JSONValue] = [
            "properties": .object(Dictionary(uniqueKeysWithValues: members)), "additionalProperties": .bool(false),
            "required": .array(fields.filter(\.isRequired).map { .string($0.name) }),
        ]
        let partners = fields.filter { !$0.partners.isEmpty }.map { ($0.name, $0.partners.map(JSONValue.string)) }
        if !partners.isEmpty {
            schema["dependencies"] = .object(
                Dictionary(uniqueKeysWithValues: partners.map { ($0, JSONValue.array($1)) }))
        }
        return type("object", schema)
    }

    private static func type(_ name: String, _ more: [String: JSONValue] = [:]) -> JSONValue {
        .object(more.filter { !$0.value.isNull }.merging(["type": .string(name)]) { $1 })
    }

    private static func numbers(_ range: ClosedRange<Double>) -> JSONValue {
        type("number", ["minimum": bound(range.lowerBound), "maximum": bound(range.upperBound)])
    }

    private static func wholes(_ range: ClosedRange<Int>, _ more: [String: JSONValue] = [:]) -> JSONValue {
        var members = more
        if range.lowerBound != .min { members["minimum"] = .number(range.lowerBound) }
        if range.upperBound != .max { members["maximum"] = .number(range.upperBound) }
        return type("integer", members)
    }

    private static func lengths(_ range: ClosedRange<Int>, _ least: String, _ most: String) -> [String: JSONValue] {
        var members: [String: JSONValue] = [:]
        if range.lowerBound > 0 { members[least] = .number(range.lowerBound) }
        if range.upperBound != .max { members[most] = .number(range.upperBound) }
        return members
    }

    private static func bound(_ value: Double) -> JSONValue { .number(orNull: value) }

    private static let givenRect: JSONValue = {
        let place = Shape.number(-1...2).schema, size = Shape.positive(upTo: 2).schema
        return type(
            "array", ["items": .array([place, place, size, size]), "minItems": .number(4), "maxItems": .number(4)])
    }()
}
