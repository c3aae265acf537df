/// Settings as text: for people, and as a file to begin with.
extension Settings {
    /// A `dockface.toml` with every key, its meaning and an example, all of it behind `#`.
    public static var example: String {
        var text = """
            # Settings of `dockface run`: every key is an option of it, and a variable of the environment (DOCKFACE_PORT, ...).
            # What is typed comes first, then variables, then ~/.config/dockface/dockface.toml, then /etc/dockface/dockface.toml.
            # `dockface config check` says what is wrong, `dockface config show --origin` what holds and why; dockface.toml(5).

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

    /// What is set, as TOML; `origin`: with who has set it. `isWhole`: with what nobody has set, too.
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

    /// Checks the text of a file alone.
    /// - Throws: `FileError` with all that is wrong.
    public static func check(file: String) throws(FileError) {
        guard try SettingsLayer(file: file) != nil else {
            throw FileError(problems: [FileProblem(file: file, text: "there is no such file")])
        }
    }
}
