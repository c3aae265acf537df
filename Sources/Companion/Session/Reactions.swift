internal import Geometry

/// What is seen of the person who is followed, as far as it moves a robot.
struct Sight: Sendable, Equatable {
    var subject: Int
    /// Angular width of the face, radians; nil: not known.
    var width: Double?
    /// How sure it is that the person looks here, 0...1; nil: not computed.
    var looking: Double?
}

/// What a robot feels at the sight of somebody: gladness when somebody comes or looks at it, a start when somebody comes near
/// all at once.
struct Reactions: Sendable {
    /// Who was away for so long is greeted; seconds.
    static let absence: Seconds = 3
    static let greeting: Seconds = 2, start: Seconds = 1.5
    /// Between two starts, seconds.
    static let pause: Seconds = 10
    /// A face that grew by this factor within this time, and is that wide (radians: an arm's length away), startles.
    static let growth = 1.5, growthTime: Seconds = 0.4, near = 0.22
    /// Looked at for so long, and no more looked at for so long; seconds.
    static let noticed: Seconds = 1, forgotten: Seconds = 2

    /// When somebody was seen last; nil: never.
    private(set) var lastSeen: Seconds?
    private var subject: Int?
    private var passing: (name: String, until: Seconds)?
    private var lastStart: Seconds = -.infinity
    /// Widths of the last half second.
    private var widths: [(time: Seconds, width: Double)] = []
    private var lookedSince: Seconds?, lookedLast: Seconds?
    private var isLookedAt = false

    /// Somebody is seen; the name of the face that shows what it makes of that.
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
        // Thirty a second at most are worth keeping, so the list has a bound.
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
