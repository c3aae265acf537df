/// Why the face cannot be shown on a terminal.
public struct TerminalError: Error, Sendable, Equatable, CustomStringConvertible {
    /// The kind of trouble.
    public enum Code: String, Sendable {
        /// There is no terminal.
        case noTerminal
        /// The system has no thread or descriptor left.
        case noResources
    }

    /// The kind of trouble.
    public let code: Code
    /// What happened.
    public let message: String
    /// What to do about it.
    public let hint: String

    init(_ code: Code, _ message: String, hint: String) {
        self.code = code
        self.message = message
        self.hint = hint
    }

    /// Message and hint in one line.
    public var description: String { "\(message): \(hint)" }
}

/// Why a face screen ended by itself.
public enum FaceScreenEnd: Sendable, Equatable {
    /// The terminal went away.
    case hangUp
    /// It could not be written to; the value of errno.
    case writeFailed(Int32)
}
