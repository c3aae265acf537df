/// Severity of a log line.
public enum LogLevel: String, Sendable, Equatable {
    /// For information.
    case info
    /// A person should look after it.
    case warning
    /// Something does not work.
    case error
}
