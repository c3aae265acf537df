internal import Geometry

/// The features of the followed person to which the face reacts.
struct Sight: Sendable, Equatable {
    var subject: Int
    /// The angular width of the face, in radians, or nil if unknown.
    var width: Double?
    /// Confidence that the person looks at the camera, 0...1, or nil if not computed.
    var looking: Double?
}

/// The face's reactions to a person: it is glad when a person appears or looks at the camera, and surprised when a
/// person suddenly comes near.
struct Reactions: Sendable {
    /// The absence after which a person is greeted, in seconds.
    static let absence: Seconds = 3
    static let greeting: Seconds = 2, start: Seconds = 1.5
    /// The shortest time between two surprises, in seconds.
    static let pause: Seconds = 10
    /// The conditions for surprise: a face that has grown by this factor within this time and is at least this wide
    /// (radians, at arm's length).
    static let growth = 1.5, growthTime: Seconds = 0.4, near = 0.22
    /// The time that a look must last to count, and the time of looking away that ends it, in seconds.
    static let noticed: Seconds = 1, forgotten: Seconds = 2

    /// When a person was last seen, or nil if no person has been.
    private(set) var lastSeen: Seconds?
    private var subject: Int?
    private var passing: (name: String, until: Seconds)?
    private var lastStart: Seconds = -.infinity
    /// The widths during the last half second.
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
        // At most about 30 widths a second are kept, so that the list is bounded.
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
