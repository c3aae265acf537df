internal import Files
internal import Glibc

/// The origin of a value.
public enum SettingOrigin: Sendable, Equatable, CustomStringConvertible {
    /// An environment variable.
    case environment(String)
    /// A file and the line of the key (counted from 1). The line is nil if unknown.
    case file(String, line: Int?)

    /// The origin in words.
    public var description: String {
        switch self {
        case .environment(let name): "environment, \(name)"
        case .file(let path, let line): path + (line.map { ":\($0)" } ?? "")
        }
    }
}

/// The values from one place: the environment, or a file.
struct SettingsLayer: Sendable, Equatable {
    struct Entry: Sendable, Equatable {
        var value: FileValue
        var origin: SettingOrigin
    }

    var entries: [String: Entry] = [:]

    /// The values of a file by key, for `FileWalk`.
    private struct Values: Equatable { var byKey: [String: FileValue] = [:] }

    private static let rows: [FileRow<Values>] = Setting.all.map { setting in
        FileRow(setting.key, setting.kind, get: { $0.byKey[setting.key] }) { $0.byKey[setting.key] = $1 }
    }

    /// Reads the text of a `dockface.toml`; `file` is its name for messages.
    /// - Throws: `FileError` with all mistakes.
    init(text: String, file: String) throws(FileError) {
        var walk = try FileWalk(text, file: file), values = Values()
        walk.read(Self.rows, into: &values)
        walk.checkKeys(Self.rows)
        for (key, value) in values.byKey {
            let path = key.split(separator: ".").map(String.init)
            if let flaw = Setting.named(key)?.flaw(value) { walk.add(path, "\"\(key)\" is wrong: \(flaw)") }
            entries[key] = Entry(value: value, origin: .file(file, line: walk.line(of: path)))
        }
        try walk.end()
    }

    /// Reads a file. The result is nil if it does not exist.
    /// - Throws: `FileError`, including when it cannot be read.
    init?(file: String) throws(FileError) {
        if access(file, F_OK) != 0, errno == ENOENT || errno == ENOTDIR { return nil }
        try self.init(text: try UserFile.text(of: file), file: file)
    }

    /// Reads the environment: `DOCKFACE_PORT` and the others. An empty variable counts as not set.
    /// - Throws: `FileError` with the variables that have invalid values.
    init(environment: (String) -> String?) throws(FileError) {
        var problems: [FileProblem] = []
        for setting in Setting.all {
            guard let text = environment(setting.variable), !text.isEmpty else { continue }
            guard let value = Self.value(text, setting.kind) else {
                problems.append(FileProblem(file: setting.variable, text: "is wrong: \(setting.kind.expectation)"))
                continue
            }
            if let flaw = setting.flaw(value) { problems.append(FileProblem(file: setting.variable, text: flaw)) }
            entries[setting.key] = Entry(value: value, origin: .environment(setting.variable))
        }
        if !problems.isEmpty { throw FileError(problems: problems) }
    }

    /// Reads the value of a variable, which has no quotes. A list has one value on each line.
    private static func value(_ text: String, _ kind: FileKind) -> FileValue? {
        switch kind {
        case .text: return .text(text)
        case .oneOf(let words): return words.contains(text) ? .text(text) : nil
        case .texts(let most):
            let texts = text.split(whereSeparator: \.isNewline).map(String.init)
            return texts.count <= most ? .texts(texts) : nil
        case .flag:
            switch text.lowercased() {
            case "1", "true", "yes", "on": return .flag(true)
            case "0", "false", "no", "off": return .flag(false)
            default: return nil
            }
        case .number(let range): return Double(text).flatMap { range.contains($0) ? .number($0) : nil }
        case .whole(let range):
            return Int(text).flatMap { range.contains(Double($0)) ? .number(Double($0)) : nil }
        case .colour, .curve: return nil
        }
    }
}
