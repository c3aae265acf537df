/// A stream of the session, by the name that programs subscribe to.
public enum Topic: String, Sendable, CaseIterable {
    /// The dock, the mode, framing, limits.
    case accessory
    /// Pose, velocity, motions and how they ended.
    case motion
    /// Subjects.
    case tracking
    /// The power supply.
    case battery
    /// Buttons and camera.
    case events
    /// The expression.
    case face
    /// Lines of the log.
    case log

    /// Whether every change is delivered. The other topics deliver only the newest state.
    public var isQueue: Bool { self == .events || self == .log }

    /// The shortest time between two changes, in seconds.
    public var interval: Double {
        switch self {
        case .motion: 0.05
        case .tracking: 0.1
        case .accessory, .battery, .events, .face, .log: 0
        }
    }

    /// The form of its data. A snapshot of a queue has the form `{recent: [...]}`.
    public var shape: Shape { .named(rawValue) }
}
