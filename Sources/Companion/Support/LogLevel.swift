/// The severity of a log line.
public enum LogLevel: String, Sendable, Equatable {
    /// An informational line.
    case info
    /// A condition that a person should look into.
    case warning
    /// A failure.
    case error
}
