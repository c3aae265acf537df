internal import Geometry

/// What the face reacts to in the followed person.
struct Sight: Sendable, Equatable {
    var subject: Int
    /// Angular width of the face, radians; nil: not known.
    var width: Double?
    /// Confidence that the person looks at the camera, 0...1; nil: not computed.
    var looking: Double?
}

/// The face's reactions to a person: glad when a person appears or looks at the camera, surprised when a person suddenly comes
/// near.
struct Reactions: Sendable {
    /// A person who was away for longer than this is greeted; seconds.
    static let absence: Seconds = 3
    static let greeting: Seconds = 2, start: Seconds = 1.5
    /// Shortest time between two surprises, seconds.
    static let pause: Seconds = 10
    /// A face that grew by this factor within this time, and is at least this wide (radians: at arm's length), causes surprise.
    static let growth = 1.5, growthTime: Seconds = 0.4, near = 0.22
    /// How long a look must last to count, and how long looking away must last to end it; seconds.
    static let noticed: Seconds = 1, forgotten: Seconds = 2

    /// When a person was last seen; nil: never.
    private(set) var lastSeen: Seconds?
    private var subject: Int?
    private var passing: (name: String, until: Seconds)?
    private var lastStart: Seconds = -.infinity
    /// Widths of the last half second.
    private var widths: [(time: Seconds, width: Double)] = []
    private var lookedSince: Seconds?, lookedLast: Seconds?
    private var isLookedAt = false

    /// Records that a person is in view. Returns the name of the expression that shows the reaction.
    mutating func sees(_ sight: Sight, now: Seconds) -> String {
        let away = lastSeen.map { now - $0 } ?? .infinity
        lastSeen = now
        if away > Self.absence { passing = ("happy", now + Self.greeting) }
        if sight.subject != subject || away > Self.growthTime { widths.removeAll(keepingCapacity: true) }
        subject = sight.subject
        if let width = sight.width, comesNear(width, now), now - lastStart > Self.pause {
            lastStart = now
            passing = ("surprise", now + Self.start)
        }
        notice(sight.looking ?? 0, now)
        if let passing, now < passing.until { return passing.name }
        passing = nil
        return isLookedAt ? "happy" : "normal"
    }

    private mutating func comesNear(_ width: Double, _ now: Seconds) -> Bool {
        widths.removeAll { now - $0.time > Self.growthTime }
        // At most about 30 a second are kept, so the list is bounded.
        if widths.last.map({ now - $0.time > 0.03 }) ?? true { widths.append((now, width)) }
        guard width > Self.near, let least = widths.map(\.width).min() else { return false }
        return width > least * Self.growth
    }

    private mutating func notice(_ looking: Double, _ now: Seconds) {
        if looking > 0.8 {
            let since = lookedSince ?? now
            (lookedSince, lookedLast) = (since, now)
            if now - since >= Self.noticed { isLookedAt = true }
        } else if looking < 0.5 {
            lookedSince = nil
            if now - (lookedLast ?? -.infinity) >= Self.forgotten { isLookedAt = false }
        }
    }
}
