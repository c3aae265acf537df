internal import Files
internal import Glibc
internal import PlainText

/// The log of an extension: single lines on standard error, "log: text", or with journald's levels if journald reads
/// them. A line may be written from any task.
public struct ExtensionLog: Sendable {
    /// How serious a line is, with journald's number.
    enum Level: Int, Sendable {
        case error = 3, warning = 4, note = 6
    }

    private let name: String
    private let isJournal: Bool
    private let put: @Sendable (String) -> Void

    /// Creates the log of an extension with this name.
    public init(_ name: String) { self.init(name, isJournal: Self.goesToJournal, put: Self.write) }

    /// Creates a log whose lines go elsewhere, for tests.
    public init(_ name: String, isJournal: Bool = false, put: @escaping @Sendable (String) -> Void) {
        (self.name, self.isJournal, self.put) = (name, isJournal, put)
    }

    /// Writes that something happened.
    public func note(_ text: String) { put(line(text, .note)) }

    /// Writes that something is wrong, although the program continues.
    public func warning(_ text: String) { put(line(text, .warning)) }

    /// Writes why the program, or a part of it, cannot do its work.
    public func error(_ text: String) { put(line(text, .error)) }

    /// Returns the line without its end. Several lines of a text become several entries.
    func line(_ text: String, _ level: Level) -> String {
        let parts = text.split(separator: "\n", omittingEmptySubsequences: false).map { ForeignText.line(String($0)) }
        // The journal knows the unit's name.
        if isJournal { return parts.map { "<\(level.rawValue)>\($0)" }.joined(separator: "\n") }
        let prefix =
            switch level {
            case .error: "error: "
            case .warning: "warning: "
            case .note: ""
            }
        return parts.map { "\(name): \(prefix)\($0)" }.joined(separator: "\n")
    }

    /// Whether standard error goes to journald: a variable identifies the file (systemd.exec(5)). A child of a service
    /// also has the variable, but another file.
    private static var goesToJournal: Bool {
        var file = stat()
        guard let named = ProcessEnvironment.value("JOURNAL_STREAM"), fstat(2, &file) == 0 else { return false }
        return named == "\(file.st_dev):\(file.st_ino)"
    }

    private static func write(_ line: String) { TextOutput.put(line + "\n", to: 2) }
}
