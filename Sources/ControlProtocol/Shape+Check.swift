public import Geometry

extension Shape {
    /// The accepted values, in words.
    public var words: String {
        switch self {
        case .flag: "true or false"
        case .yes: "true"
        case .number(let range): "a number from \(Self.short(range.lowerBound)) to \(Self.short(range.upperBound))"
        case .positive(let most): "a number above 0, at most \(Self.short(most))"
        case .whole(let range), .multiple(_, let range):
            "a whole number from \(range.lowerBound) to \(range.upperBound)"
        case .word(let all): "one of " + all.map { "\"\($0)\"" }.joined(separator: ", ")
        case .name: "1 to 32 of a-z 0-9 _ -"
        case .expression: "a letter and at most 23 of a-z 0-9 -"
        case .text(let range): "a string of \(range.lowerBound) to \(range.upperBound) bytes"
        case .rect: "[x, y, width, height], from -1 to 2, with a size"
        case .list(_, let range, _): "an array of at most \(range.upperBound)"
        case .object(let fields): "an object of " + Field.usage(fields)
        case .map: "an object"
        case .oneOf(let shapes): shapes.map(\.words).joined(separator: ", or ")
        case .named: resolved.words
        case .orNull(let shape): shape.words + ", or null"
        case .anything: "any value"
        }
    }

    /// Returns whether a value is of this form and in its range. The parts of an array or object are not examined:
    /// their errors are reported separately.
    public func accepts(_ value: JSONValue) -> Bool {
        switch self {
        case .flag: value.bool != nil
        case .yes: value.bool == true
        case .number(let range): value.number.map { $0.isFinite && range.contains($0) } ?? false
        case .positive(let most): value.number.map { $0.isFinite && $0 > 0 && $0 <= most } ?? false
        case .whole(let range), .multiple(_, let range): value.integer.map { range.contains($0) } ?? false
        case .word(let all): value.string.map { all.contains($0) } ?? false
        case .name: value.string.map { (1...32).contains($0.utf8.count) && $0.utf8.allSatisfy(Self.isOfName) } ?? false
        case .expression: value.string.map(Self.isExpression) ?? false
        case .text(let range): value.string.map { range.contains($0.utf8.count) } ?? false
        case .rect: Rect(json: value) != nil
        case .list(_, let range, _): value.array.map { $0.count <= range.upperBound } ?? false
        case .object, .map: value.object != nil
        case .oneOf(let shapes): shapes.contains { $0.accepts(value) }
        case .named: resolved.accepts(value)
        case .orNull(let shape): value.isNull || shape.accepts(value)
        case .anything: true
        }
    }

    /// Returns whether a value from a daemon of another version can be read as this form: as `accepts`, but any string
    /// is a word. Its parts are read on their own.
    func reads(_ value: JSONValue) -> Bool {
        switch self {
        case .word: value.string != nil
        case .named: resolved.reads(value)
        case .orNull(let shape): value.isNull || shape.reads(value)
        default: accepts(value)
        }
    }

    /// Returns whether a value and all its parts are of this form.
    public func fits(_ value: JSONValue) -> Bool {
        switch self {
        case .list(let part, let range, let isUnique):
            guard let parts = value.array, range.contains(parts.count), parts.allSatisfy(part.fits) else {
                return false
            }
            return !isUnique || Set(parts.map(\.bytes)).count == parts.count
        case .object(let fields): return value.object.map { Self.fits($0, fields) } ?? false
        case .map(let part):
            return value.object.map { $0.allSatisfy { Shape.name.accepts(.string($0)) && part.fits($1) } } ?? false
        case .multiple(let step, _): return accepts(value) && value.integer.map { $0 % step == 0 } ?? false
        case .oneOf(let shapes): return shapes.count { $0.fits(value) } == 1
        case .named: return resolved.fits(value)
        case .orNull(let shape): return value.isNull || shape.fits(value)
        default: return accepts(value)
        }
    }

    private static func fits(_ members: [String: JSONValue], _ fields: [Field]) -> Bool {
        guard members.keys.allSatisfy({ name in fields.contains { $0.name == name } }) else { return false }
        return fields.allSatisfy { field in
            guard let value = members[field.name] else { return !field.isRequired }
            return field.shape.fits(value) && field.partners.allSatisfy { members[$0] != nil }
        }
    }

    /// Whether null is a value of this form and not the same as a missing one.
    public var allowsNull: Bool { if case .orNull = self { true } else { false } }

    /// The form to which a name of the table refers.
    public var resolved: Shape {
        guard case .named(let name) = self else { return self }
        return APITypes.byName[name] ?? .oneOf([])
    }

    private static func isOfName(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: "_") || isOfWord(byte)
    }

    private static func isOfWord(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"): true
        default: false
        }
    }

    private static func isExpression(_ text: String) -> Bool {
        guard let first = text.utf8.first, text.utf8.count <= 24 else { return false }
        return (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(first) && text.utf8.allSatisfy(isOfWord)
    }

    private static func short(_ value: Double) -> String { Int(exactly: value).map(String.init) ?? "\(value)" }
}

extension Rect {
    /// Reads a rectangle [x, y, w, h], normalised. Edges may lie slightly outside the frame. Pixel values are rejected.
    public init?(json value: JSONValue) {
        guard let sides = value.array?.compactMap(\.number), sides.count == 4, value.array?.count == 4,
            sides[0...1].allSatisfy({ (-1...2).contains($0) }), sides[2...3].allSatisfy({ $0 > 0 && $0 <= 2 })
        else { return nil }
        self.init(x: sides[0], y: sides[1], width: sides[2], height: sides[3])
    }
}
