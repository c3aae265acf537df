internal import ControlProtocol

/// A row of an extension's `doctor`: what was examined, and what was found.
public struct Finding: Sendable, Equatable {
    /// How serious it is.
    public enum Level: String, Sendable { case ok, note, warning, fault }

    /// How serious it is.
    public var level: Level
    /// What was examined, in one word.
    public var subject: String
    /// What was found.
    public var what: String
    /// What to do about it; empty if there is nothing to do.
    public var hint: String

    /// Creates a row.
    public init(_ level: Level, _ subject: String, _ what: String, _ hint: String = "") {
        (self.level, self.subject, self.what, self.hint) = (level, subject, what, hint)
    }

    /// Describes a trial: it has this problem, or it is fine.
    public init(_ subject: String, _ problem: String?, _ hint: String, fine: String, level: Level = .fault) {
        self.init(problem == nil ? .ok : level, subject, problem ?? fine, problem == nil ? "" : hint)
    }

    /// The row for people.
    public var text: String {
        let word = level.rawValue + String(repeating: " ", count: 9 - level.rawValue.count)
        return word + subject + ": " + what + (hint.isEmpty ? "" : "\n         -> " + hint)
    }

    /// The row as a line of JSON.
    public var json: String {
        let members: [String: JSONValue] = [
            "level": .string(level.rawValue), "subject": .string(subject), "text": .string(what),
            "hint": .string(orNull: hint.isEmpty ? nil : hint),
        ]
        return String(decoding: JSONValue.object(members).bytes, as: UTF8.self)
    }
}
