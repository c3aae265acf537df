internal import PlainText

/// One finding of the doctor, with a remedy if there is a problem.
public struct Finding: Sendable, Equatable {
    /// The severity of a finding.
    public enum Level: String, Sendable, Comparable, CaseIterable {
        /// No problem.
        case ok
        /// It works but could be better, or something optional is missing.
        case note
        /// It works but could be improved, or something optional is missing.
        case warning
        /// It does not work.
        case bad

        /// Orders from no problem to bad.
        public static func < (a: Level, b: Level) -> Bool {
            allCases.firstIndex(of: a) ?? 0 < allCases.firstIndex(of: b) ?? 0
        }
    }

    /// The examined subject in one word: "port", "clock".
    public var subject: String
    /// The severity.
    public var level: Level
    /// What was found.
    public var text: String
    /// The remedy, or nil if none is needed.
    public var hint: String?

    /// Creates a finding. Text and remedy are made safe to show.
    public init(_ subject: String, _ level: Level, _ text: String, hint: String? = nil) {
        self.subject = subject
        self.level = level
        self.text = ForeignText.line(text)
        self.hint = hint.map { ForeignText.line($0) }
    }
}
