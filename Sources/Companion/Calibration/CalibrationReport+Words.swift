public import ControlProtocol
internal import DockControl

extension CalibrationReport {
    /// The rows as a table for people, then the notes.
    public var lines: [String] {
        let head = Row(name: "", old: "profile", measured: "measured", isChange: false), all = [head] + rows
        let name = all.map(\.name.count).max() ?? 0, old = all.map(\.old.count).max() ?? 0
        func pad(_ text: String, _ width: Int) -> String { text + String(repeating: " ", count: width - text.count) }
        return all.map { row in
            pad(row.name, name) + "  " + pad(row.old, old) + (row.isChange ? " -> " : "    ") + row.measured
        } + notes.map { "note: \($0)" }
    }

    /// The rows and notes for programs.
    public var json: [String: JSONValue] {
        [
            "values": .array(
                rows.map { row in
                    .object([
                        "name": .string(row.name), "profile": .string(row.old), "measured": .string(row.measured),
                        "changes": .bool(row.isChange),
                    ])
                }), "notes": .array(notes.map { .string($0) }), "verified": .bool(profile.verified),
        ]
    }
}
