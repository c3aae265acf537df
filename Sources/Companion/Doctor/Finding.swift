internal import PlainText

/// One thing that the doctor has looked at: how it is, and what to do where it is not well.
public struct Finding: Sendable, Equatable {
    /// How bad it is.
    public enum Level: String, Sendable, Comparable, CaseIterable {
        /// All is well.
        case ok
        /// It works, and could be better, or something is not there that not everybody needs.
        case note
        /// It will give trouble.
        case warning
        /// It does not work.
        case bad

        /// From well to bad.
        public static func < (a: Level, b: Level) -> Bool {
            allCases.firstIndex(of: a) ?? 0 < allCases.firstIndex(of: b) ?? 0
        }
    }

    /// What was looked at, a word: "port", "clock".
    public var subject: String
    /// How it is.
    public var level: Level
    /// What was found.
    public var text: String
    /// What to do; nil: nothing.
    public var hint: String?

    /// What was found, and what to do.
    public init(_ subject: String, _ level: Level, _ text: String, hint: String? = nil) {
        self.subject = subject
        self.level = level
        self.text = ForeignText.line(text)
        self.hint = hint.map { ForeignText.line($0) }
    }
}
