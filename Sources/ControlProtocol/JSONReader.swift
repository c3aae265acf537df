/// An error in JSON text: what is wrong, and where.
public struct JSONProblem: Error, Equatable {
    /// What is wrong, and at which byte.
    public let message: String
}

/// Reads one JSON text from UTF-8 bytes, strictly and with bounded nesting. It records the position of the value of
/// `id`, because a reply must return those bytes exactly.
public struct JSONReader {
    /// The deepest permitted nesting of arrays and objects. Deeper input is rejected before it is decoded.
    public static let deepest = 64

    /// The members of an object, and the position of the value of `id`.
    public typealias Members = (all: [String: JSONValue], id: Range<Int>?)

    private let bytes: [UInt8]
    private var at = 0
    /// Whether of two members with one name the later one counts. Otherwise they are an error.
    private var lastCounts = false

    /// Creates a reader of these bytes.
    public init(_ bytes: [UInt8]) { self.bytes = bytes }

    /// Reads a text that is a single value.
    public static func value(of bytes: [UInt8]) throws(JSONProblem) -> JSONValue {
        var reader = JSONReader(bytes)
        let value = try reader.value(depth: 0)
        try reader.finish()
        return value
    }

    /// Reads a text that is an object, in which of two members with one name the later one counts; nil if it is not one.
    static func lastMembers(of bytes: [UInt8]) -> [String: JSONValue]? {
        var reader = JSONReader(bytes)
        reader.lastCounts = true
        guard let members = try? reader.object(depth: 0), (try? reader.finish()) != nil else { return nil }
        return members.all
    }

    // MARK: structure

    /// Skips white space and returns the next byte without consuming it, or nil at the end.
    public mutating func peek() -> UInt8? {
        while at < bytes.count, [0x20, 0x09, 0x0D, 0x0A].contains(bytes[at]) { at += 1 }
        return at < bytes.count ? bytes[at] : nil
    }

    /// Consumes this byte if it is the next that is not white space.
    private mutating func consume(_ byte: Character) -> Bool {
        guard let ascii = byte.asciiValue, peek() == ascii else { return false }
        at += 1
        return true
    }

    /// Checks that nothing follows.
    public mutating func finish() throws(JSONProblem) {
        guard peek() == nil else { throw problem("unexpected text after the value") }
    }

    /// Reads any value; `depth` containers are open.
    public mutating func value(depth: Int) throws(JSONProblem) -> JSONValue {
        switch peek() {
        case nil: throw problem("a value is missing")
        case UInt8(ascii: "{"): return .object(try object(depth: depth).all)
        case UInt8(ascii: "["):
            var values: [JSONValue] = []
            try array(depth: depth) { reader throws(JSONProblem) in
                values.append(try reader.value(depth: depth + 1))
            }
            return .array(values)
        case UInt8(ascii: "\""): return .string(try string())
        case UInt8(ascii: "t"): return try word("true", .bool(true))
        case UInt8(ascii: "f"): return try word("false", .bool(false))
        case UInt8(ascii: "n"): return try word("null", .null)
        default: return .number(try number())
        }
    }

    /// Reads an array; `element` reads each element.
    public mutating func array(
        depth: Int, _ element: (inout JSONReader) throws(JSONProblem) -> Void
    ) throws(JSONProblem) {
        guard consume("[") else { throw problem("\"[\" is missing") }
        guard depth < Self.deepest else { throw problem("nested deeper than \(Self.deepest)") }
        if consume("]") { return }
        repeat { try element(&self) } while consume(",")
        guard consume("]") else { throw problem("\",\" or \"]\" is missing") }
    }

    /// Reads an object. A duplicate member is an error, because either value could be intended.
    public mutating func object(depth: Int) throws(JSONProblem) -> Members {
        guard consume("{") else { throw problem("\"{\" is missing") }
        guard depth < Self.deepest else { throw problem("nested deeper than \(Self.deepest)") }
        var members: Members = ([:], nil)
        if consume("}") { return members }
        repeat {
            guard peek() == UInt8(ascii: "\"") else { throw problem("a member's name is missing") }
            let name = try string()
            guard consume(":") else { throw problem("\":\" is missing") }
            _ = peek()
            let start = at
            let value = try value(depth: depth + 1)
            guard members.all.updateValue(value, forKey: name) == nil || lastCounts else {
                throw problem("\"\(name.prefix(40))\" appears twice")
            }
            if name == "id" { members.id = start..<at }
        } while consume(",")
        guard consume("}") else { throw problem("\",\" or \"}\" is missing") }
        return members
    }

    // MARK: single values

    private mutating func word(_ word: StaticString, _ value: JSONValue) throws(JSONProblem) -> JSONValue {
        let end = at + word.utf8CodeUnitCount
        guard end <= bytes.count, word.withUTF8Buffer({ $0.elementsEqual(bytes[at..<end]) }) else {
            throw problem("invalid JSON value")
        }
        at = end
        return value
    }

    /// Returns a number by JSON's grammar. One that exceeds a double becomes infinite; callers that need a finite
    /// number reject it.
    private mutating func number() throws(JSONProblem) -> Double {
        let start = at
        if next("-") {}
        if !next("0") { try digits() }
        if next(".") { try digits() }
        if next("e") || next("E") {
            if !next("+") { _ = next("-") }
            try digits()
        }
        guard let value = Double(String(decoding: bytes[start..<at], as: UTF8.self)) else {
            throw problem("invalid JSON value")
        }
        return value
    }

    private mutating func next(_ byte: Character) -> Bool {
        guard at < bytes.count, bytes[at] == byte.asciiValue else { return false }
        at += 1
        return true
    }

    private mutating func digits() throws(JSONProblem) {
        let start = at
        while at < bytes.count, (0x30...0x39).contains(bytes[at]) { at += 1 }
        guard at > start else { throw problem("invalid JSON value") }
    }

    private mutating func string() throws(JSONProblem) -> String {
        at += 1
        let start = at
        while at < bytes.count, bytes[at] != UInt8(ascii: "\""), bytes[at] != UInt8(ascii: "\\"), bytes[at] >= 0x20 {
            at += 1
        }
        var text: [UInt8] = []
        if at < bytes.count, bytes[at] == UInt8(ascii: "\"") {
            defer { at += 1 }
            return try utf8(bytes[start..<at])
        }
        text += bytes[start..<at]
        while at < bytes.count {
            let byte = bytes[at]
            at += 1
            switch byte {
            case UInt8(ascii: "\""): return try utf8(text[...])
            case UInt8(ascii: "\\"): try escape(into: &text)
            case 0..<0x20: throw problem("a control character in a string")
            default: text.append(byte)
            }
        }
        throw problem("a string does not end")
    }

    private func utf8(_ bytes: ArraySlice<UInt8>) throws(JSONProblem) -> String {
        guard let text = String(validating: bytes, as: UTF8.self) else { throw problem("a string is not UTF-8") }
        return text
    }

    private mutating func escape(into text: inout [UInt8]) throws(JSONProblem) {
        guard at < bytes.count else { throw problem("a string does not end") }
        let byte = bytes[at]
        at += 1
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): text.append(byte)
        case UInt8(ascii: "b"): text.append(0x08)
        case UInt8(ascii: "f"): text.append(0x0C)
        case UInt8(ascii: "n"): text.append(0x0A)
        case UInt8(ascii: "r"): text.append(0x0D)
        case UInt8(ascii: "t"): text.append(0x09)
        case UInt8(ascii: "u"):
            var code = try hex()
            if (0xD800..<0xDC00).contains(code), next("\\"), next("u") {
                let low = try hex()
                guard (0xDC00..<0xE000).contains(low) else { throw problem("half a surrogate pair") }
                code = 0x10000 + (code - 0xD800) << 10 + (low - 0xDC00)
            }
            guard let scalar = Unicode.Scalar(code) else { throw problem("half a surrogate pair") }
            text += Character(scalar).utf8
        default: throw problem("an unknown escape")
        }
    }

    private mutating func hex() throws(JSONProblem) -> UInt32 {
        let digits = bytes[at..<min(at + 4, bytes.count)]
        guard digits.count == 4, digits.allSatisfy({ Character(Unicode.Scalar($0)).isHexDigit }),
            let code = UInt32(String(decoding: digits, as: UTF8.self), radix: 16)
        else { throw problem("\\u needs four hexadecimal digits") }
        at += 4
        return code
    }

    private func problem(_ what: String) -> JSONProblem { JSONProblem(message: "\(what), at byte \(at)") }
}
