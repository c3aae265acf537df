import Glibc
public import Geometry

/// Frames several people: it determines how far the followed person may be off their position, so that others who stay
/// near are also in the frame.
///
/// The followed person has priority. The shift is the smallest that brings the others in completely. A person who needs
/// more than `most` does not fit and is ignored. Only people who stay for `patience` count, not passers-by, and the
/// shift never jumps.
public struct GroupFraming: Sendable, Equatable {
    /// A person beside the followed one.
    private struct Companion: Sendable, Equatable {
        var id: Int
        var rect: Rect
        var salience: Double
        var since: Seconds
        var lastSeen: Seconds
    }

    /// The current shift, in frame widths and heights, positive to the right and down.
    public private(set) var shift = Point(x: 0, y: 0)
    private var companions: [Companion] = []
    private var primary: Int?
    private var last: Seconds?

    /// The largest shift, as a fraction of the frame. A sixth counts as on target, and the servo needs part of it.
    public static let most = 0.1
    /// The margin around the others, as a fraction of the frame; a rectangle this near an edge may be cut off by it.
    static let margin = 0.02
    /// The time in sight after which a person belongs to the group, and the time after the last sighting for which they
    /// remain in it, in seconds.
    static let patience: Seconds = 1, groupHold: Seconds = 1.5
    /// The maximum speed in the room at which a person joins the group, in frame widths per second.
    static let calm = 0.15
    /// The fraction of the followed person's salience below which a person is in the background.
    static let presence = 0.4
    /// The time constant of the shift, seconds, and its largest speed, frame sizes per second.
    static let ease: Seconds = 0.8, topSpeed = 0.08
    /// The maximum number of people that are considered, in order of salience.
    static let capacity = 8

    /// Creates a framing without people.
    public init() { companions.reserveCapacity(Self.capacity + 1) }

    /// Forgets all people. The frame is centred at once.
    public mutating func reset() { self = GroupFraming() }

    /// Processes a frame.
    /// - Parameters:
    ///   - followed: the person that the dock follows; if nil, the shift fades.
    ///   - subjects: all subjects of the tracker.
    ///   - place: the position of the followed person without a shift, as a fraction of the frame.
    ///   - isWanted: whether to frame a group; if not, the shift fades.
    ///   - now: exposure of the frame, in seconds.
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
        companions.removeAll { now - $0.lastSeen > Self.groupHold }
        // The most salient person comes first. The list is short and nearly sorted.
        for index in companions.indices.dropFirst() {
            var place = index
            while place > 0, companions[place - 1].salience < companions[place].salience {
                companions.swapAt(place - 1, place)
                place -= 1
            }
        }
        if companions.count > Self.capacity { companions.removeLast(companions.count - Self.capacity) }
    }

    /// Returns the smallest shift that brings all people who fit into the frame.
    private func offset(beside followed: TrackedSubject, place: Point, now: Seconds) -> Point {
        var x = -Self.most...Self.most, y = -Self.most...Self.most
        let center = followed.rect.center
        for companion in companions where now - companion.since >= Self.patience {
            // The rectangle where they would be if the followed person were in place.
            let rect = companion.rect
            let wide = Self.room(rect.x + place.x - center.x, rect.width, within: x)
            let high = Self.room(rect.y + place.y - center.y, rect.height, within: y)
            guard let wide, let high else { continue }
            (x, y) = (wide, high)
        }
        return Point(x: 0.0.clamped(to: x), y: 0.0.clamped(to: y))
    }

    /// Returns the shifts within `allowed` that keep a span inside the frame, or nil if it does not fit.
    private static func room(_ low: Double, _ length: Double, within allowed: ClosedRange<Double>) -> ClosedRange<
        Double
    >? {
        // A person larger than the frame is framed without a shift.
        guard length < 1 - 2 * margin else { return allowed }
        let least = max(allowed.lowerBound, margin - low), most = min(allowed.upperBound, 1 - margin - low - length)
        return least <= most ? least...most : nil
    }
}
