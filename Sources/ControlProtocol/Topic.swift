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

    /// Whether every change counts; in the other topics only the newest state does.
    public var isQueue: Bool { self == .events || self == .log }

    /// Shortest time between two changes, seconds.
    public var interval: Double {
        switch self {
        case .motion: 0.05
        case .tracking: 0.1
        case .accessory, .battery, .events, .face, .log: 0
        }
    }

    /// The form of its data. A snapshot of a queue is `{recent: [...]}` of it.
    public var shape: Shape { .named(rawValue) }
}
