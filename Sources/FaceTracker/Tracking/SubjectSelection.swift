public import Geometry

/// Decides which subject the dock follows: an explicitly selected one, otherwise the most salient one, without frequent
/// changes.
public struct SubjectSelection: Sendable {
    /// An event of `pick`.
    public enum Event: Sendable, Equatable {
        /// The chosen subjects were out of sight for too long, so the choice is automatic again.
        case selectionLost
    }

    /// The distance up to which a tap outside every rectangle selects the nearest centre, in frame heights.
    public static let tapReach = 0.1

    /// The region in which the centre of a subject must be for the automatic choice to start with it. The chosen
    /// subject may leave the region.
    public var region: Rect = .full
    /// The time without sight of any of its subjects after which an explicit selection ends, in seconds.
    public var patience: Seconds = 10
    /// The time for which the automatic choice waits without its subject before it chooses another one, in seconds.
    public var choiceHold: Seconds = 1
    /// The time in sight, in seconds, after which a subject of similar size that appeared after the automatic choice
    /// was last seen is probably the same person with a new ID. It is then followed at once. If the original is seen
    /// again meanwhile, that one is followed again.
    public var introduction: Seconds = 0.02
    /// The time for which another subject must be better before the automatic choice changes, in seconds.
    public var hesitation: Seconds = 1.5
    /// The factor of salience by which it must be better.
    public var margin = 1.4
    /// The factor of salience within which two subjects are equal, so that the first automatic choice is the nearer one.
    public var equality = 1.1
    /// The factor by which a subject must be nearer to count as nearer: sizes and known distances are not exact.
    public static let nearness = 1.15

    /// The explicitly selected IDs; empty if the choice is automatic.
    public private(set) var selected: [Int] = []
    /// The choice of the last `pick`, even while it is out of sight.
    public private(set) var current: Int?
    private var lastPresent: Seconds?
    /// The automatic choice as it was last seen, and the subject that a successor replaced.
    private var lastSight: TrackedSubject?
    private var predecessor: (id: Int, until: Seconds, isBack: Bool)?
    private var rival: Int?
    private var rivalSince: Seconds = 0

    /// Creates an automatic choice over the whole frame.
    public init() {}

    /// The earlier name of `choiceHold`.
    @available(*, deprecated, renamed: "choiceHold")
    public var memory: Seconds {
        get { choiceHold }
        set { choiceHold = newValue }
    }

    /// Selects the subject at a point: inside its rectangle (the one with the nearest centre if there are several),
    /// otherwise the nearest centre within a tenth of the frame's height. `aspect` is width over height.
    ///
    /// Returns its ID. The result is nil if there is no subject, and then the selection is unchanged.
    public mutating func tap(at point: Point, in subjects: [TrackedSubject], aspect: Double = 16.0 / 9.0) -> Int? {
        let shape = aspect.isFinite && aspect > 0 ? aspect : 1
        func distance(_ subject: TrackedSubject) -> Double {
            let dx = (subject.rect.center.x - point.x) * shape, dy = subject.rect.center.y - point.y
            return (dx * dx + dy * dy).squareRoot()
        }
        var best: (id: Int, isInside: Bool, distance: Double)?
        for subject in subjects {
            let isInside = subject.rect.contains(point), away = distance(subject)
            guard isInside || away <= Self.tapReach else { continue }
            if let best, best.isInside != isInside ? best.isInside : best.distance <= away { continue }
            best = (subject.id, isInside, away)
        }
        guard let best else { return nil }
        select(ids: [best.id])
        return best.id
    }

    /// Selects subjects by ID; an empty list selects automatically. An absent ID is awaited for `patience`.
    public mutating func select(ids: [Int]) {
        selected = ids
        lastPresent = nil
        rival = nil
        lastSight = nil
        predecessor = nil
        if !ids.isEmpty { current = ids.first }
    }

    /// Returns to the automatic choice, which starts with the followed subject.
    public mutating func clear() { select(ids: []) }

    /// Begins a new epoch, in which none of the previous subjects exist any more.
    public mutating func reset() {
        clear()
        current = nil
    }

    /// Returns whether the subject is selected explicitly, or automatically if there is no explicit selection.
    public func isSelected(_ id: Int) -> Bool { selected.isEmpty ? id == current : selected.contains(id) }

    /// Returns the subject to follow now: the ID of one of `subjects`, or nil if there is none at this moment. The dock
    /// then treats it as a lost subject.
    public mutating func pick(from subjects: [TrackedSubject], now: Seconds) -> (primary: Int?, event: Event?) {
        if selected.isEmpty { return (automatic(subjects, now), nil) }
        if let best = best(of: subjects, where: { selected.contains($0.id) }) {
            lastPresent = now
            current = challenge(best, in: subjects, now)
            return (current, nil)
        }
        guard now - (lastPresent ?? now) >= patience else {
            if lastPresent == nil { lastPresent = now }
            return (nil, nil)
        }
        clear()
        current = nil
        return (automatic(subjects, now), .selectionLost)
    }

    private mutating func automatic(_ subjects: [TrackedSubject], _ now: Seconds) -> Int? {
        if let before = predecessor {
            if now > before.until { predecessor = nil }
            // This is required in two frames in a row, because a single one may contain a false face at the predicted
            // position.
            let isSeen = subjects.contains { $0.id == before.id && !$0.coasting }
            if isSeen, before.isBack { (current, predecessor) = (before.id, nil) }
            predecessor?.isBack = isSeen
        }
        if let successor = successor(in: subjects, now), let before = current {
            predecessor = (before, now + choiceHold, false)
            current = successor
            rival = nil
        }
        let region = region, current = current
        if let held = subjects.first(where: { $0.id == current && !$0.coasting }) { lastSight = held }
        let best = best(of: subjects) { region.contains($0.rect.center) || $0.id == current }
        if let current, subjects.contains(where: { $0.id == current }) {
            lastPresent = now
            self.current = challenge(best, in: subjects, now)
            return self.current
        }
        if current != nil, let last = lastPresent, now - last < choiceHold { return nil }
        let first = best.map { nearest(to: $0, in: subjects) { region.contains($0.rect.center) || $0.id == current } }
        self.current = first?.id
        lastSight = first
        rival = nil
        lastPresent = best == nil ? nil : now
        return self.current
    }

    /// Returns the nearest of the subjects that are nearly as salient as the best one. How far two are follows from the
    /// known distances of both, otherwise from their widths.
    private func nearest(
        to best: TrackedSubject, in subjects: [TrackedSubject], where isEligible: (TrackedSubject) -> Bool
    ) -> TrackedSubject {
        func isNearer(_ a: TrackedSubject, _ b: TrackedSubject) -> Bool {
            if let a = a.knownDistance, let b = b.knownDistance { return a * Self.nearness < b }
            return a.rect.width > b.rect.width * Self.nearness
        }
        return subjects.reduce(best) { nearest, subject in
            let isEqual = subject.kind == best.kind && subject.salience * equality >= best.salience
            return isEqual && isEligible(subject) && isNearer(subject, nearest) ? subject : nearest
        }
    }

    /// Returns the subject that has appeared in place of the unseen current one, or nil if there is none or it is
    /// ambiguous.
    private func successor(in subjects: [TrackedSubject], _ now: Seconds) -> Int? {
        guard let lost = lastSight, lost.id == current, now - lost.lastSeen < choiceHold,
            !subjects.contains(where: { $0.id == lost.id && !$0.coasting })
        else { return nil }
        var found: Int?
        for subject in subjects where !subject.coasting && now - subject.age > lost.lastSeen {
            let likeness = subject.rect.area / lost.rect.area
            guard subject.kind == lost.kind, subject.age >= introduction, likeness > 0.4, likeness < 2.5,
                region.contains(subject.rect.center)
            else { continue }
            guard found == nil else { return nil }
            found = subject.id
        }
        return found
    }

    /// Returns the current subject, or its rival once the rival has been clearly better for long enough.
    private mutating func challenge(_ best: TrackedSubject?, in subjects: [TrackedSubject], _ now: Seconds) -> Int? {
        guard let best else { return current }
        guard let held = subjects.first(where: { $0.id == current }) else { return best.id }
        guard best.id != held.id, best.salience > margin * held.salience else {
            rival = nil
            return held.id
        }
        if rival != best.id {
            rival = best.id
            rivalSince = now
        }
        guard now - rivalSince > hesitation else { return held.id }
        rival = nil
        return best.id
    }

    private func best(of subjects: [TrackedSubject], where isEligible: (TrackedSubject) -> Bool) -> TrackedSubject? {
        var best: TrackedSubject?
        for subject in subjects where isEligible(subject) {
            if let held = best, held.salience >= subject.salience { continue }
            best = subject
        }
        return best
    }
}
