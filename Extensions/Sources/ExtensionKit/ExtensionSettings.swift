public import Files
internal import Glibc
internal import PlainText

/// The settings of an extension: `NAME.toml` in the user's folder and in `/etc/dockface`, and variables.
///
/// For each key the first source that sets it applies: the command line (which the caller applies afterwards),
/// `DOCKFACE_NAME_KEY`, the user's file, the system's file.
public struct ExtensionSettings: Sendable {
    private let name: String
    private let files: [String]
    private let environment: [String: String]

    /// Creates the settings of an extension with this name.
    public init(_ name: String) {
        let user = UserFolder.configuration + "/\(name).toml", system = "/etc/dockface/\(name).toml"
        self.init(name, files: user == system ? [system] : [user, system], environment: Self.variables)
    }

    /// Creates settings from these files, in order of precedence, and these variables.
    public init(_ name: String, files: [String], environment: [String: String]) {
        (self.name, self.files, self.environment) = (name, files, environment)
    }

    /// Sets the values that are set anywhere. A row's path may have dots; its variable then has underscores.
    /// - Throws: `FileError` with all mistakes of the first source that has any: file, line, and the nearest known key.
    public func read<Subject>(_ rows: [FileRow<Subject>], into subject: inout Subject) throws(FileError) {
        for file in files.reversed() {
            if access(file, F_OK) != 0, errno == ENOENT || errno == ENOTDIR { continue }
            var walk = try FileWalk(try UserFile.text(of: file), file: file)
            walk.read(rows, into: &subject)
            walk.checkKeys(rows)
            try walk.end()
        }
        try readVariables(rows, into: &subject)
    }

    private func readVariables<Subject>(_ rows: [FileRow<Subject>], into subject: inout Subject) throws(FileError) {
        let prefix = "DOCKFACE_\(Self.variablePart(name))_"
        var problems: [FileProblem] = []
        let known = rows.map { prefix + Self.variablePart($0.name) }
        for (row, variable) in zip(rows, known) {
            guard let text = environment[variable], !text.isEmpty else { continue }
            if let value = Self.value(text, row.kind) {
                row.set(&subject, value)
            } else {
                problems.append(FileProblem(file: variable, text: "is wrong: \(row.kind.expectation)"))
            }
        }
        for variable in environment.keys.sorted() where variable.hasPrefix(prefix) && !known.contains(variable) {
            // Others may be the daemon's, such as DOCKFACE_LOG_LEVEL.
            guard let near = Spelling.nearest(to: variable, among: known) else { continue }
            problems.append(FileProblem(file: variable, text: "is unknown; did you mean \(near)?"))
        }
        if !problems.isEmpty { throw FileError(problems: problems) }
    }

    private static func variablePart(_ text: String) -> String {
        String(text.uppercased().map { $0.isLetter || $0.isNumber ? $0 : "_" })
    }

    /// Reads the value of a variable, which has no quotes. A list has one value on each line.
    private static func value(_ text: String, _ kind: FileKind) -> FileValue? {
        switch kind {
        case .text: return ForeignText.line(text) == text ? .text(text) : nil
        case .oneOf(let words): return words.contains(text) ? .text(text) : nil
        case .texts(let most):
            let texts = text.split(whereSeparator: \.isNewline).map(String.init)
            return texts.count <= most && texts.allSatisfy { ForeignText.line($0) == $0 } ? .texts(texts) : nil
        case .flag:
            switch text.lowercased() {
            case "1", "true", "yes", "on": return .flag(true)
            case "0", "false", "no", "off": return .flag(false)
            default: return nil
            }
        case .number(let range): return Double(text).flatMap { range.contains($0) ? .number($0) : nil }
        case .whole(let range): return Int(text).flatMap { range.contains(Double($0)) ? .number(Double($0)) : nil }
        case .colour, .curve: return nil
        }
    }

    /// The variables with which this process was started.
    private static var variables: [String: String] {
        // `environ` is a variable that other threads may change; this file is not.
        guard let file = fopen("/proc/self/environ", "re") else { return [:] }
        defer { fclose(file) }
        var bytes: [UInt8] = [], chunk = [UInt8](repeating: 0, count: 65_536)
        while bytes.count < 4 << 20, case let count = fread(&chunk, 1, chunk.count, file), count > 0 {
            bytes += chunk[..<count]
        }
        return parsed(bytes)
    }

    /// Reads the form of that file: NAME=VALUE, each ended by a zero byte.
    static func parsed(_ bytes: [UInt8]) -> [String: String] {
        bytes.split(separator: 0).reduce(into: [:]) { variables, entry in
            let parts = entry.split(separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
            guard parts.count == 2 else { return }
            variables[String(decoding: parts[0], as: UTF8.self)] = String(decoding: parts[1], as: UTF8.self)
        }
    }
}
