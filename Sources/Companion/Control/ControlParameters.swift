internal import DockControl
internal import DockTypes
internal import Files
internal import Geometry

/// One parameter of a method.
struct ControlParameter: Sendable {
    /// The accepted values.
    indirect enum Kind: Sendable {
        case flag
        case number(ClosedRange<Double>)
        case positive(upTo: Double)
        case whole(ClosedRange<Int>)
        case word([String])
        /// A name of a preset or motion.
        case name
        case text(upTo: Int)
        case rect
        case list(upTo: Int)
        case object([ControlParameter])
        case orNull(Kind)
    }

    let name: String
    let kind: Kind
    let isRequired: Bool

    static func needs(_ name: String, _ kind: Kind) -> ControlParameter {
        ControlParameter(name: name, kind: kind, isRequired: true)
    }

    static func may(_ name: String, _ kind: Kind) -> ControlParameter {
        ControlParameter(name: name, kind: kind, isRequired: false)
    }
}

extension ControlParameter.Kind {
    /// The accepted values, in words.
    var words: String {
        switch self {
        case .flag: "true or false"
        case .number(let range): "a number from \(Self.short(range.lowerBound)) to \(Self.short(range.upperBound))"
        case .positive(let most): "a number above 0, at most \(Self.short(most))"
        case .whole(let range): "a whole number from \(range.lowerBound) to \(range.upperBound)"
        case .word(let all): "one of " + all.map { "\"\($0)\"" }.joined(separator: ", ")
        case .name: "1 to 32 of a-z 0-9 _ -"
        case .text(let most): "a string of 1 to \(most) bytes"
        case .rect: "[x, y, width, height], from -1 to 2, with a size"
        case .list(let most): "an array of at most \(most)"
        case .object(let parts): "an object of " + ControlParams.usage(parts)
        case .orNull(let kind): kind.words + ", or null"
        }
    }

    /// Whether a value is of this kind, in its range and finite.
    func accepts(_ value: JSONValue) -> Bool {
        switch self {
        case .flag: value.bool != nil
        case .number(let range): value.number.map { range.contains($0) } ?? false
        case .positive(let most): value.number.map { $0 > 0 && $0 <= most } ?? false
        case .whole(let range): value.integer.map { range.contains($0) } ?? false
        case .word(let all): value.string.map { all.contains($0) } ?? false
        case .name: value.string.map(Self.isName) ?? false
        case .text(let most): value.string.map { (1...most).contains($0.utf8.count) } ?? false
        case .rect: Rect(json: value) != nil
        case .list(let most): value.array.map { $0.count <= most } ?? false
        case .object: value.object != nil
        case .orNull(let kind): value.isNull || kind.accepts(value)
        }
    }

    var allowsNull: Bool { if case .orNull = self { true } else { false } }

    private static func isName(_ text: String) -> Bool {
        (1...32).contains(text.utf8.count)
            && text.utf8.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"),
                    UInt8(ascii: "-"):
                    true
                default: false
                }
            }
    }

    private static func short(_ value: Double) -> String { Int(exactly: value).map(String.init) ?? "\(value)" }
}

extension Rect {
    /// [x, y, w, h], normalised; edges may lie a little outside the frame, pixel values are rejected.
    init?(json value: JSONValue) {
        guard let sides = value.array?.compactMap(\.number), sides.count == 4, value.array?.count == 4,
            sides[0...1].allSatisfy({ (-1...2).contains($0) }), sides[2...3].allSatisfy({ $0 > 0 && $0 <= 2 })
        else { return nil }
        self.init(x: sides[0], y: sides[1], width: sides[2], height: sides[3])
    }

    /// Whether it lies inside the frame, apart from rounding errors.
    var isInPicture: Bool { x >= 0 && y >= 0 && maxX <= 1.000_001 && maxY <= 1.000_001 }
}

/// The parameters of one call, checked against the method's table: known, of their kind, in their range.
struct ControlParams: Sendable {
    /// The method, or method and path, for messages.
    let place: String
    private let rows: [ControlParameter]
    private let members: [String: JSONValue]

    /// - Throws: `invalidParameter`, which names the unknown, missing or wrong parameter and the accepted values.
    init(_ members: [String: JSONValue], of place: String, _ rows: [ControlParameter]) throws(DockError) {
        self.place = place
        self.rows = rows
        // Null means the same as a missing parameter, unless the parameter accepts null.
        self.members = members.filter { member in
            !member.value.isNull || rows.contains { $0.name == member.key && ($0.kind.allowsNull || $0.isRequired) }
        }
        for name in members.keys.sorted() where !rows.contains(where: { $0.name == name }) {
            let near = Spelling.nearest(to: name, among: rows.map(\.name))
            throw refusal("unknown parameter \"\(name.prefix(40))\"", near.map { "did you mean \"\($0)\"?" })
        }
        for row in rows {
            guard let value = self.members[row.name] else {
                if row.isRequired { throw refusal("\"\(row.name)\" is missing", "it is \(row.kind.words)") }
                continue
            }
            guard row.kind.accepts(value) else {
                let given = String(decoding: value.bytes.prefix(40), as: UTF8.self)
                throw refusal("\"\(row.name)\" must be \(row.kind.words), not \(given)")
            }
        }
    }

    /// Whether it was given, possibly as null.
    func has(_ name: String) -> Bool { members[name] != nil }

    func optionalNumber(_ name: String) -> Double? { members[name]?.number }

    func optionalFlag(_ name: String) -> Bool? { members[name]?.bool }

    func optionalWhole(_ name: String) -> Int? { members[name]?.integer }

    func optionalText(_ name: String) -> String? { members[name]?.string }

    func optionalRect(_ name: String) -> Rect? { members[name].flatMap(Rect.init(json:)) }

    func list(_ name: String) -> [JSONValue]? { members[name]?.array }

    func number(_ name: String) throws(DockError) -> Double { try given(optionalNumber(name), name) }

    func flag(_ name: String) throws(DockError) -> Bool { try given(optionalFlag(name), name) }

    func whole(_ name: String) throws(DockError) -> Int { try given(optionalWhole(name), name) }

    func text(_ name: String) throws(DockError) -> String { try given(optionalText(name), name) }

    func rect(_ name: String) throws(DockError) -> Rect { try given(optionalRect(name), name) }

    /// One of the cases.
    func choice<Choice: RawRepresentable<String>>(_ name: String) throws(DockError) -> Choice {
        try given(optionalText(name).flatMap(Choice.init(rawValue:)), name)
    }

    /// A parameter with parts; nil: not given, or null.
    func object(_ name: String) throws(DockError) -> ControlParams? {
        guard let parts = members[name]?.object, let row = rows.first(where: { $0.name == name }) else { return nil }
        var kind = row.kind
        if case .orNull(let inner) = kind { kind = inner }
        guard case .object(let rows) = kind else { return nil }
        return try ControlParams(parts, of: "\(place): \(name)", rows)
    }

    /// Exactly one of these must be given.
    func exactlyOne(of names: [String]) throws(DockError) {
        guard names.count(where: { members[$0] != nil }) == 1 else {
            throw refusal("give one of " + names.map { "\"\($0)\"" }.joined(separator: ", "))
        }
    }

    /// An error for this call.
    func refusal(_ what: String, _ hint: String? = nil) -> DockError {
        DockError(
            .invalidParameter, "\(place): \(what)",
            hint: hint ?? (rows.isEmpty ? "it takes no parameters" : "it takes " + Self.usage(rows)))
    }

    /// The names of the parameters; a question mark follows optional ones.
    static func usage(_ rows: [ControlParameter]) -> String {
        rows.map { $0.name + ($0.isRequired ? "" : "?") }.joined(separator: ", ")
    }

    private func given<Value>(_ value: Value?, _ name: String) throws(DockError) -> Value {
        guard let value else { throw refusal("\"\(name)\" is missing") }
        return value
    }
}
