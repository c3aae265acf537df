import Glibc
public import Geometry

/// Framing of several people: how far the followed person may be off their place, so that others who stay near are in the frame
/// as well.
///
/// The followed person comes first. The shift is the smallest that brings the others in completely. A person who needs more
/// than `most` does not fit and is ignored. Only people who stay for `patience` count, not passers-by, and the shift never
/// jumps.
public struct GroupFraming: Sendable, Equatable {
    /// A person beside the followed one.
    private struct Companion: Sendable, Equatable {
        var id: Int
        var rect: Rect
        var salience: Double
        var since: Seconds
        var lastSeen: Seconds
    }

    /// The current shift, in frame widths and heights, + = right, down.
    public private(set) var shift = Point(x: 0, y: 0)
    private var companions: [Companion] = []
    private var primary: Int?
    private var last: Seconds?

    /// The largest shift, as a fraction of the frame: a sixth counts as on target, and the servo needs part of it.
    public static let most = 0.1
    /// The margin around the others, as a fraction of the frame; a rectangle this near an edge may be cut off by it.
    static let margin = 0.02
    /// A person belongs to the group after this time in sight, and until this long after last seen, seconds.
    static let patience: Seconds = 1, memory: Seconds = 1.5
    /// ... if the person moves at most this fast in the room, frame widths per second.
    static let calm = 0.15
    /// A person whose salience is below this fraction of the followed person's is in the background.
    static let presence = 0.4
    /// The time constant of the shift, seconds, and its largest speed, frame sizes per second.
    static let ease: Seconds = 0.8, topSpeed = 0.08
    /// The most people that are considered; the most salient ones.
    static let capacity = 8

    /// No person is present.
    public init() { companions.reserveCapacity(Self.capacity + 1) }

    /// Forgets all people; the frame is centred at once.
    public mutating func reset() { self = GroupFraming() }

    /// Processes a frame.
    /// - Parameters:
    ///   - followed: the person that the dock follows; if nil, the shift fades.
    ///   - subjects: all subjects of the tracker.
    ///   - place: the place of the followed person without a shift, as a fraction of the frame.
    ///   - isWanted: whether a group is to be framed; if not, the shift fades.
    ///   - now: exposure of the frame, seconds.
    public mutating func update(
        followed: TrackedSubject?, among subjects: [TrackedSubject], place: Point, isWanted: Bool, now: Seconds
    ) {
        let elapsed = (now - (last ?? now)).clamped(to: 0...0.5)
        last = now
        if let followed, isWanted {
            if primary != followed.id { companions.removeAll(keepingCapacity: true) }
            primary = followed.id
            meet(subjects, beside: followed, now: now)
        } else if !isWanted {
            companions.removeAll(keepingCapacity: true)
        }
        let wanted = followed.map { offset(beside: $0, place: place, now: now) } ?? Point(x: 0, y: 0)
        func eased(_ from: Double, _ to: Double) -> Double {
            let step = (to - from) * (1 - exp(-elapsed / Self.ease)), most = Self.topSpeed * elapsed
            return from + step.clamped(to: -most...most)
        }
        shift = Point(x: eased(shift.x, wanted.x), y: eased(shift.y, wanted.y))
    }

    private mutating func meet(_ subjects: [TrackedSubject], beside followed: TrackedSubject, now: Seconds) {
        for subject in subjects where subject.id != followed.id && !subject.coasting && subject.kind == .person {
            guard subject.salience > Self.presence * followed.salience else { continue }
            let index = companions.firstIndex { $0.id == subject.id }
            let since = index.map { companions[$0].since } ?? now
            let isCalm = abs(subject.velocity.x) < Self.calm && abs(subject.velocity.y) < Self.calm
            let companion = Companion(
                id: subject.id, rect: subject.rect, salience: subject.salience,
                since: isCalm ? since : now, lastSeen: now)
            if let index {
                companions[index] = companion
            } else {
                companions.append(companion)
            }
        }
        companions.removeAll { now - $0.lastSeen > Self.memory }
        // The most salient first; the list is short and nearly sorted.
        for index in companions.indices.dropFirst() {
            var place = index
            while place > 0, companions[place - 1].salience < companions[place].salience {
                companions.swapAt(place - 1, place)
                place -= 1
            }
        }
        if companions.count > Self.capacity { companions.removeLast(companions.count - Self.capacity) }
    }

    /// The smallest shift that has all people who fit in the frame.
    private func offset(beside followed: TrackedSubject, place: Point, now: Seconds) -> Point {
        var x = -Self.most...Self.most, y = -Self.most...Self.most
        let center = followed.rect.center
        for companion in companions where now - companion.since >= Self.patience {
            // Where they would be if the followed person were in place.
            let rect = companion.rect
            let wide = Self.room(rect.x + place.x - center.x, rect.width, within: x)
            let high = Self.room(rect.y + place.y - center.y, rect.height, within: y)
            guard let wide, let high else { continue }
            (x, y) = (wide, high)
        }
        return Point(x: 0.0.clamped(to: x), y: 0.0.clamped(to: y))
    }

    /// The shifts within `allowed` that keep a span inside the frame; nil if it does not fit.
    private static func room(_ low: Double, _ length: Double, within allowed: ClosedRange<Double>) -> ClosedRange<
        Double
    >? {
        // A person larger than the frame is framed as they are.
        guard length < 1 - 2 * margin else { return allowed }
        let least = max(allowed.lowerBound, margin - low), most = min(allowed.upperBound, 1 - margin - low - length)
        return least <= most ? least...most : nil
    }
}
