import Glibc
public import Geometry

/// Framing of several people: how far the one who is followed may stand beside their place, so that others who stay near are in
/// the picture, too.
///
/// The followed one comes first: the shift is the least that brings the others in whole, and whoever asks for more than `most`
/// does not fit and is left out. Passers-by are nobody to make room for: who stays for `patience` is, and nothing jerks.
public struct GroupFraming: Sendable, Equatable {
    /// Somebody beside the followed one.
    private struct Companion: Sendable, Equatable {
        var id: Int
        var rect: Rect
        var salience: Double
        var since: Seconds
        var lastSeen: Seconds
    }

    /// The shift at this moment, of the picture's width and height, + = right, down.
    public private(set) var shift = Point(x: 0, y: 0)
    private var companions: [Companion] = []
    private var primary: Int?
    private var last: Seconds?

    /// No more than this, of the picture: a sixth is what counts as on target, and the servo needs some of it.
    public static let most = 0.1
    /// Room around who is brought in, of the picture; a rectangle this near an edge may be cut off by it.
    static let margin = 0.02
    /// Who stays this long belongs to the group, and until this long after the last look, seconds.
    static let patience: Seconds = 1, memory: Seconds = 1.5
    /// ... and moves no faster than this in the room, picture widths a second.
    static let calm = 0.15
    /// Who stands out less than this beside the followed one is somebody in the background.
    static let presence = 0.4
    /// The shift comes with this time constant, seconds, and no faster than this, pictures a second.
    static let ease: Seconds = 0.8, pace = 0.08
    /// More are not considered: the most salient ones are.
    static let capacity = 8

    /// Nobody is there.
    public init() { companions.reserveCapacity(Self.capacity + 1) }

    /// Forgets everybody; the picture is centred at once.
    public mutating func reset() { self = GroupFraming() }

    /// Takes a frame in.
    /// - Parameters:
    ///   - followed: whom the dock follows; nil: nobody, and the shift fades.
    ///   - subjects: all that the tracker knows.
    ///   - place: where the followed one shall be without a shift, of the picture.
    ///   - isWanted: there is a group to be framed; else the shift fades.
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
        let wanted = followed.map { wish(beside: $0, place: place, now: now) } ?? Point(x: 0, y: 0)
        func eased(_ from: Double, _ to: Double) -> Double {
            let step = (to - from) * (1 - exp(-elapsed / Self.ease)), most = Self.pace * elapsed
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
        // The most salient first; few and nearly sorted.
        for index in companions.indices.dropFirst() {
            var place = index
            while place > 0, companions[place - 1].salience < companions[place].salience {
                companions.swapAt(place - 1, place)
                place -= 1
            }
        }
        if companions.count > Self.capacity { companions.removeLast(companions.count - Self.capacity) }
    }

    /// The least shift that has all in the picture who fit.
    private func wish(beside followed: TrackedSubject, place: Point, now: Seconds) -> Point {
        var x = -Self.most...Self.most, y = -Self.most...Self.most
        let center = followed.rect.center
        for companion in companions where now - companion.since >= Self.patience {
            // Where they would be if the followed one were in place.
            let rect = companion.rect
            let wide = Self.room(rect.x + place.x - center.x, rect.width, within: x)
            let high = Self.room(rect.y + place.y - center.y, rect.height, within: y)
            guard let wide, let high else { continue }
            (x, y) = (wide, high)
        }
        return Point(x: 0.0.clamped(to: x), y: 0.0.clamped(to: y))
    }

    /// The shifts out of `allowed` that have a span in the picture; nil: it does not fit.
    private static func room(_ low: Double, _ length: Double, within allowed: ClosedRange<Double>) -> ClosedRange<
        Double
    >? {
        // Who is larger than the picture is looked at where they are.
        guard length < 1 - 2 * margin else { return allowed }
        let least = max(allowed.lowerBound, margin - low), most = min(allowed.upperBound, 1 - margin - low - length)
        return least <= most ? least...most : nil
    }
}
