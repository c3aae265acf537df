internal import DockTypes
internal import EventDevice
internal import ExtensionKit
internal import Gamepad
internal import Geometry

/// What `--list` and `--map` show.
enum PadList {
    /// Returns the lines of `--list`.
    static func lines(_ folder: DeviceFolder, _ database: PadDatabase, path: String?) -> [String] {
        let pads = folder.gamepads(database)
        var lines = pads.flatMap { pad in
            let name = PlainLine.of(pad.profile.name)
            let head = "\(pad.path)  \(name.isEmpty ? "(no name)" : name)  \(PadGUID(pad.profile))"
            switch pad.device {
            case .success((_, let mapping)): return [head, "    " + origin(mapping)]
            case .failure(let error): return [head, "    \(error.message)", "    \(error.hint)"]
            }
        }
        if lines.isEmpty {
            lines = [
                folder.exists
                    ? "no gamepad is plugged in" : "this system has no input devices (\(folder.path) is missing)"
            ]
        }
        lines.append(path.map { "mapping database: \($0), \(database.count) rows for Linux" } ?? noDatabase)
        return lines
    }

    private static let noDatabase =
        "no mapping database: pads whose driver follows the kernel's specification work without one; see docs/PAD.md"

    private static func origin(_ mapping: PadMapping) -> String {
        switch mapping.origin {
        case .kernel: "mapping: the kernel's gamepad specification"
        case .database(let isOtherVersion):
            "mapping: the database" + (isOtherVersion ? ", from another version of this pad" : "")
        }
    }

    /// Returns the table of `--map`: what each button does, and where it is on this pad.
    static func table(_ settings: PadSettings, _ mapping: PadMapping?) -> [String] {
        var rows: [(String, String, String)] = [
            ("left stick", "turn, \(percent(settings.speed)) of the rig's speed", place(mapping, .leftX, .leftY)),
            (
                "right stick", "turn, \(percent(settings.speed * settings.fineSpeed)) of the rig's speed",
                place(mapping, .rightX, .rightY)
            ),
            (settings.deadMan.rawValue, "dead-man: nothing moves unless it is held", place(mapping, settings.deadMan)),
            ("start + back", "emergency stop", ""),
        ]
        for button in PadButton.allCases where button != settings.deadMan {
            let action = settings.actions[button] ?? .none
            guard action != .none else { continue }
            rows.append(
                (
                    button.rawValue, action.words + (action.needsDeadMan ? " (with the dead-man)" : ""),
                    place(mapping, button)
                ))
        }
        let widths = (rows.map(\.0.count).max() ?? 0, rows.map(\.1.count).max() ?? 0)
        return rows.map { row in
            let line = padded(row.0, widths.0) + "  " + padded(row.1, widths.1) + "  " + row.2
            return String(line.reversed().drop { $0 == " " }.reversed())
        }
    }

    private static func place(_ mapping: PadMapping?, _ button: PadButton) -> String {
        guard let mapping else { return "" }
        return mapping.buttons.contains(button) ? mapping.sources(of: button) : "(not on this pad)"
    }

    private static func place(_ mapping: PadMapping?, _ x: PadAxis, _ y: PadAxis) -> String {
        guard let mapping else { return "" }
        let sources = [mapping.sources(of: x), mapping.sources(of: y)]
        return sources.contains("") ? "(not on this pad)" : sources.joined(separator: ", ")
    }

    static func percent(_ share: Double) -> String { "\(Int((share * 100).rounded())) %" }

    private static func padded(_ text: String, _ width: Int) -> String {
        text + String(repeating: " ", count: max(0, width - text.count))
    }
}
