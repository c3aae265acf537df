public import Files

/// The settings as text, for people and as a template for a file.
extension Settings {
    /// A `dockface.toml` with every key, its meaning and an example, all of them commented out.
    public static var example: String {
        var text = """
            # Settings of `dockface run`: every key is also an option and an environment variable (DOCKFACE_PORT, ...).
            # Options take precedence, then variables, ~/.config/dockface/dockface.toml, and /etc/dockface/dockface.toml.
            # `dockface config check` reports mistakes, `dockface config show --origin` the effective values. See dockface.toml(5).

            """
        var table = ""
        for setting in Setting.all {
            let parts = setting.key.split(separator: ".")
            if parts.count > 1, parts[0] != table {
                table = String(parts[0])
                text += "\n[\(table)]\n"
            }
            text +=
                "\n# \(setting.help)\n# Default: \(setting.fallback).\n#\(parts[parts.count - 1]) = \(setting.example)\n"
        }
        return text
    }

    /// Returns the settings as TOML. `origin`: with their origins. `isWhole`: including those that are not set.
    public func text(origin: Bool, isWhole: Bool) -> String {
        let entries = Dictionary(uniqueKeysWithValues: entries.map { ($0.key, $0) })
        var lines: [(text: String, note: String)] = [], table = ""
        for setting in Setting.all {
            let entry = entries[setting.key]
            guard entry != nil || isWhole else { continue }
            let parts = setting.key.split(separator: ".").map(String.init)
            if parts.count > 1, parts[0] != table {
                table = parts[0]
                if !lines.isEmpty { lines.append(("", "")) }
                lines.append(("[\(table)]", ""))
            }
            let name = parts[parts.count - 1]
            if let entry {
                lines.append(("\(name) = \(entry.text)", "\(entry.origin)"))
            } else {
                lines.append(("#\(name): \(setting.fallback)", "default"))
            }
        }
        let width = min(lines.lazy.filter { !$0.note.isEmpty }.map(\.text.count).max() ?? 0, 48)
        return lines.map { line in
            guard origin, !line.note.isEmpty else { return line.text + "\n" }
            let room = String(repeating: " ", count: max(0, width - line.text.count))
            return "\(line.text)\(room)  # \(line.note)\n"
        }.joined()
    }

    /// Checks the text of one file.
    /// - Throws: `FileError` with all mistakes.
    public static func check(file: String) throws(FileError) {
        guard try SettingsLayer(file: file) != nil else {
            throw FileError(problems: [FileProblem(file: file, text: "there is no such file")])
        }
    }
}
