internal import PlainText

/// A JSON value of the control API. Numbers are doubles: whole ones are exact up to 2^53.
public enum JSONValue: Sendable, Equatable {
    case null
    case bool(Bool)
    case number(Double)
    case string(String)
    case array([JSONValue])
    case object([String: JSONValue])

    /// Reads one value from UTF-8 bytes. The result is nil if they are not JSON (NaN and infinity are not).
    public init?(json bytes: some Sequence<UInt8>) {
        guard let value = try? JSONReader.value(of: Array(bytes)) else { return nil }
        self = value
    }

    /// Returns a whole number.
    public static func number(_ value: Int) -> JSONValue { .number(Double(value)) }

    /// Returns a number, or null for nil and non-finite numbers.
    public static func number(orNull value: Double?) -> JSONValue {
        guard let value, value.isFinite else { return .null }
        return .number(value)
    }

    /// Returns a string, or null.
    public static func string(orNull value: String?) -> JSONValue { value.map(JSONValue.string) ?? .null }

    /// The member of an object, or nil if there is none, or this is not an object.
    public subscript(key: String) -> JSONValue? {
        guard case .object(let members) = self else { return nil }
        return members[key]
    }

    /// The number, if it is one.
    public var number: Double? { if case .number(let value) = self { value } else { nil } }
    /// The value as an integer, if it is a whole number.
    public var integer: Int? { number.flatMap { Int(exactly: $0) } }
    /// The string, if it is one.
    public var string: String? { if case .string(let value) = self { value } else { nil } }
    /// The truth value, if it is one.
    public var bool: Bool? { if case .bool(let value) = self { value } else { nil } }
    /// The elements, if it is an array.
    public var array: [JSONValue]? { if case .array(let values) = self { values } else { nil } }
    /// The members, if it is an object.
    public var object: [String: JSONValue]? { if case .object(let members) = self { members } else { nil } }
    /// Whether it is null.
    public var isNull: Bool { self == .null }
}

extension JSONValue {
    /// The value as one line of UTF-8 without a line end; members in alphabetical order, numbers with at most seven
    /// decimals.
    public var bytes: [UInt8] {
        var output: [UInt8] = []
        write(to: &output)
        return output
    }

    private func write(to output: inout [UInt8]) {
        switch self {
        case .null: output += "null".utf8
        case .bool(let value): output += (value ? "true" : "false").utf8
        case .number(let value): Self.write(value, to: &output)
        case .string(let value): Self.write(value, to: &output)
        case .array(let values):
            output.append(UInt8(ascii: "["))
            for (index, value) in values.enumerated() {
                if index > 0 { output.append(UInt8(ascii: ",")) }
                value.write(to: &output)
            }
            output.append(UInt8(ascii: "]"))
        case .object(let members):
            output.append(UInt8(ascii: "{"))
            for (index, member) in members.sorted(by: { $0.key < $1.key }).enumerated() {
                if index > 0 { output.append(UInt8(ascii: ",")) }
                Self.write(member.key, to: &output)
                output.append(UInt8(ascii: ":"))
                member.value.write(to: &output)
            }
            output.append(UInt8(ascii: "}"))
        }
    }

    private static func write(_ value: Double, to output: inout [UInt8]) {
        guard value.isFinite else { return output += "null".utf8 }
        if let whole = Int(exactly: value) { return output += String(whole).utf8 }
        // A tenth of a microradian or microsecond is precise enough. Times since boot are written in full.
        let rounded = abs(value) < 1e8 ? (value * 1e7).rounded() / 1e7 : value
        if let whole = Int(exactly: rounded) { return output += String(whole).utf8 }
        output += "\(rounded)".utf8
    }

    private static func write(_ text: String, to output: inout [UInt8]) {
        let hex = Array("0123456789abcdef".utf8)
        output.append(UInt8(ascii: "\""))
        // People look at JSON in a terminal: characters that the terminal would interpret are also escaped.
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": output += "\\\"".utf8
            case "\\": output += "\\\\".utf8
            case "\n": output += "\\n".utf8
            case _ where ForeignText.commands(scalar):
                output += "\\u".utf8 + [12, 8, 4, 0].map { hex[Int(scalar.value >> $0 & 15)] }
            default: output += scalar.utf8
            }
        }
        output.append(UInt8(ascii: "\""))
    }
}
