public import ControlProtocol

/// What a folder has, for `status`.
public struct LogSummary: Sendable, Equatable {
    /// The path of the folder.
    public var folder: String
    /// The days with files, and their sizes in bytes.
    public var days: [Day: Int]
    /// The room for all files, in bytes.
    public var budget: Int
    /// Whether a program records there now.
    public var isRecording: Bool

    /// Creates a summary.
    public init(folder: String, days: [Day: Int], budget: Int, isRecording: Bool) {
        (self.folder, self.days, self.budget, self.isRecording) = (folder, days, budget, isRecording)
    }

    /// The size of all files, in bytes.
    public var bytes: Int { days.values.reduce(0, +) }

    /// The lines for people.
    public var text: String {
        let count = "\(days.count) day" + (days.count == 1 ? "" : "s")
        let range = days.keys.min().map { "\(count), the first \($0.text)" } ?? "none yet"
        return """
            folder     \(folder)
            records    \(range)
            size       \(Self.size(bytes)) of \(Self.size(budget))
            recording  \(isRecording ? "yes" : "no; `dockface log` starts it")
            """
    }

    /// The members for programs.
    public var json: JSONValue {
        .object([
            "folder": .string(folder), "days": .number(days.count), "bytes": .number(bytes),
            "budget": .number(budget), "recording": .bool(isRecording),
            "first": .string(orNull: days.keys.min()?.text), "last": .string(orNull: days.keys.max()?.text),
        ])
    }

    /// Returns a size in words: "640 kB", "12.5 MB".
    public static func size(_ bytes: Int) -> String {
        if bytes < 1_000_000 { return bytes < 1000 ? "\(bytes) bytes" : "\(bytes / 1000) kB" }
        let tenths = bytes / 100_000
        return tenths % 10 == 0 ? "\(tenths / 10) MB" : "\(tenths / 10).\(tenths % 10) MB"
    }
}
