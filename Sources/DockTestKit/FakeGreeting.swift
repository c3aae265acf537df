/// What a fake daemon sends first on a new connection.
public enum FakeGreeting: Sendable, Equatable {
    /// A greeting in the usual form. `features` nil: all that this version knows.
    case daemon(version: String = "1.0.0", speaks: Int = 1, features: [String]? = nil)
    /// This line instead, which may be anything.
    case line(String)
    /// Nothing.
    case silence
}
