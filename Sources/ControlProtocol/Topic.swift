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
    /// Every answer of every detector.
    case detections
    /// What other programs draw over the picture.
    case layers
    /// What other programs do with pictures, sound or data, for the people nearby.
    case indicators
    /// Sentences and sounds for a program that speaks.
    case cues

    /// Whether every change is delivered. The other topics deliver only the newest state.
    public var isQueue: Bool {
        switch self {
        case .events, .log, .detections, .cues: true
        case .accessory, .motion, .tracking, .battery, .face, .layers, .indicators: false
        }
    }

    /// Whether a snapshot of the queue contains its last entries. Old detections are of no use, and an old cue must not
    /// sound late.
    public var isRemembered: Bool { self == .events || self == .log }

    /// Whether it is a stream for machines, which `watch` shows only if it is named.
    public var isBulk: Bool { self == .detections || self == .layers }

    /// The shortest time between two changes, in seconds.
    public var interval: Double {
        switch self {
        case .motion, .layers, .indicators: 0.05
        case .tracking: 0.1
        case .accessory, .battery, .events, .face, .log, .detections, .cues: 0
        }
    }

    /// The form of its data. A snapshot of a queue has the form `{recent: [...]}`.
    public var shape: Shape { .named(rawValue) }
}

/// The topics that listeners want, and how much of them.
public struct TopicInterest: Sendable, Equatable, ExpressibleByArrayLiteral {
    /// The topics.
    public var topics: Set<Topic>
    /// Whether topic `tracking` is wanted for every frame, and not only ten times a second.
    public var everyFrame = false

    /// Creates an interest in these topics.
    public init(_ topics: Set<Topic>, everyFrame: Bool = false) {
        (self.topics, self.everyFrame) = (topics, everyFrame)
    }

    /// Creates an interest in these topics.
    public init(arrayLiteral topics: Topic...) { self.topics = Set(topics) }

    /// Adds another listener's interest.
    public mutating func formUnion(_ other: TopicInterest) {
        topics.formUnion(other.topics)
        everyFrame = everyFrame || other.everyFrame
    }

    /// Whether this one includes another.
    public func covers(_ other: TopicInterest) -> Bool {
        topics.isSuperset(of: other.topics) && (everyFrame || !other.everyFrame)
    }
}
