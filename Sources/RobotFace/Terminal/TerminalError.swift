/// The reason why the face cannot be shown on a terminal.
public struct TerminalError: Error, Sendable, Equatable, CustomStringConvertible {
    /// The kind of error.
    public enum Code: String, Sendable {
        /// There is no terminal.
        case noTerminal
        /// The system has no thread or descriptor left.
        case noResources
    }

    /// The kind of error.
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

/// The reason why a face screen ended by itself.
public enum FaceScreenEnd: Sendable, Equatable {
    /// The terminal hung up.
    case hangUp
    /// Writing to it failed, with this value of errno.
    case writeFailed(Int32)
}
