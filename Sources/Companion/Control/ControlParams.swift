internal import ControlProtocol
internal import DockControl
internal import DockTypes
internal import Files
internal import Geometry

extension Rect {
    /// Whether the rectangle lies inside the frame, apart from rounding errors.
    var isInPicture: Bool { x >= 0 && y >= 0 && maxX <= 1.000_001 && maxY <= 1.000_001 }
}

/// The parameters of one call, checked against the method's table: known, of their kind, in their range.
struct ControlParams: Sendable {
    /// The method, or method and path, for messages.
    let place: String
    private let rows: [Field]
    private let members: [String: JSONValue]

    /// Checks the parameters.
    /// - Throws: `invalidParameter`, which names the unknown, missing or wrong parameter and the accepted values.
    init(_ members: [String: JSONValue], of place: String, _ rows: [Field]) throws(DockError) {
        self.place = place
        self.rows = rows
        // Null means the same as a missing parameter, unless the parameter accepts null.
        self.members = members.filter { member in
            !member.value.isNull || rows.contains { $0.name == member.key && ($0.shape.allowsNull || $0.isRequired) }
        }
        for name in members.keys.sorted() where !rows.contains(where: { $0.name == name }) {
            let near = Spelling.nearest(to: name, among: rows.map(\.name))
            throw refusal("unknown parameter \"\(name.prefix(40))\"", near.map { "did you mean \"\($0)\"?" })
        }
        for row in rows {
            guard let value = self.members[row.name] else {
                if row.isRequired { throw refusal("\"\(row.name)\" is missing", "it is \(row.shape.words)") }
                continue
            }
            guard row.shape.accepts(value) else {
                let given = String(decoding: value.bytes.prefix(40), as: UTF8.self)
                throw refusal("\"\(row.name)\" must be \(row.shape.words), not \(given)")
            }
        }
    }

    /// Returns whether the parameter was given, possibly as null.
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

    /// Returns one of the cases.
    func choice<Choice: RawRepresentable<String>>(_ name: String) throws(DockError) -> Choice {
        try given(optionalText(name).flatMap(Choice.init(rawValue:)), name)
    }

    /// Returns a parameter with parts, or nil if it was not given or is null.
    func object(_ name: String) throws(DockError) -> ControlParams? {
        guard let parts = members[name]?.object, let row = rows.first(where: { $0.name == name }) else { return nil }
        var shape = row.shape.resolved
        if case .orNull(let inner) = shape { shape = inner.resolved }
        guard case .object(let rows) = shape else { return nil }
        return try ControlParams(parts, of: "\(place): \(name)", rows)
    }

    /// Checks that exactly one of these is given.
    func exactlyOne(of names: [String]) throws(DockError) {
        guard names.count(where: { members[$0] != nil }) == 1 else {
            throw refusal("give one of " + names.map { "\"\($0)\"" }.joined(separator: ", "))
        }
    }

    /// Returns an error for this call.
    func refusal(_ what: String, _ hint: String? = nil) -> DockError {
        DockError(
            .invalidParameter, "\(place): \(what)",
            hint: hint ?? (rows.isEmpty ? "it takes no parameters" : "it takes " + Field.usage(rows)))
    }

    private func given<Value>(_ value: Value?, _ name: String) throws(DockError) -> Value {
        guard let value else { throw refusal("\"\(name)\" is missing") }
        return value
    }
}
