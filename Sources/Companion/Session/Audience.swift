internal import ControlProtocol
internal import Geometry

/// The listeners of a session, and the schedule of their topics.
struct Audience: Sendable {
    /// What programs subscribe to.
    var programs: TopicInterest = []
    /// The topics that `watch` prints.
    var terminal: Set<Topic> = []
    private var nextTracking: Seconds = 0
    private var lastAccessory = AccessoryFacts()

    /// The shortest time between two tracking states, in seconds (DockKit: ten states a second).
    static let trackingPeriod: Seconds = 0.1

    /// Returns whether any listener receives this topic.
    func hears(_ topic: Topic) -> Bool { programs.topics.contains(topic) || terminal.contains(topic) }

    /// Returns whether topic `tracking` is due, and then starts its next period.
    mutating func trackingIsDue(now: Seconds) -> Bool {
        guard now >= nextTracking, hears(.tracking) else { return false }
        nextTracking = max(nextTracking + Self.trackingPeriod, now)
        return true
    }

    /// Returns whether topic `accessory` has a listener and new facts, which then count as reported.
    mutating func accessoryIsDue(_ facts: AccessoryFacts) -> Bool {
        guard hears(.accessory), facts != lastAccessory else { return false }
        lastAccessory = facts
        return true
    }
}

extension Topic {
    /// Whether the topic reports a state, of which only the newest counts, and not events.
    public var isState: Bool { !isQueue }
}
