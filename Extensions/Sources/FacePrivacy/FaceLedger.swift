public import Geometry

/// What detectors said about the pictures of the last seconds, and what follows for one of them.
///
/// It is a pure value. A look counts as long as its answer arrives before the verdict is asked for, however late it is.
/// Where anything is missing, the verdict is to cover the whole picture.
public struct FaceLedger: Sendable {
    /// When the faces of a picture are known.
    public let policy: FacePolicy
    /// The steps of a verdict.
    var steps = VerdictSteps()
    private var trail = FrameTrail()
    private var sources: [SourceLooks] = []

    /// The maximum number of sources. Answers of further ones are ignored.
    public static let mostSources = 16

    /// Creates a ledger without looks.
    public init(policy: FacePolicy = FacePolicy()) { self.policy = policy }

    /// Adds a picture of the camera. Every picture belongs here in its order, also one that is not recorded, because
    /// only a look at a picture that was seen here counts.
    public mutating func pass(_ frame: FrameStamp) { trail.pass(frame, continues: steps.continues) }

    /// Adds a look. Returns why it cannot be used now, or nil. A look at a picture that has not been added yet is kept.
    @discardableResult
    public mutating func add(_ look: FaceLook) -> LookProblem? {
        change(look.source, now: look.arrival) { $0.add(look) }
        guard let frame = trail.newest else { return nil }
        if !steps.fits(look, frame) { return .otherSize }
        return steps.isOurs(look, trail) || !trail.shouldHold(look) ? nil : .notOurs
    }

    /// Notes an answer that cannot be used.
    public mutating func refuse(_ problem: LookProblem, source: String, now: Seconds) {
        change(source, now: now) { $0.refuse(problem, now: now) }
    }

    private mutating func change(_ source: String, now: Seconds, _ change: (inout SourceLooks) -> Void) {
        if let index = sources.firstIndex(where: { $0.name == source }) { return change(&sources[index]) }
        guard sources.count < Self.mostSources else { return }
        var new = SourceLooks(source, now: now)
        change(&new)
        sources.append(new)
    }

    /// Returns what has to be covered in a picture, as far as it is known now. The picture must have been added.
    public func verdict(for frame: FrameStamp) -> FrameVerdict {
        guard trail.holds(frame.sequence, frame.exposure, camera: frame.optics.camera) else { return .whole(.gap) }
        var areas = FaceAreas(), closest = CoverReason.noDetector, isKnown = false
        for source in sources {
            let looks = self.looks(of: source, for: frame)
            for look in looks where steps.isNear(look, frame, policy) {
                for face in look.faces { areas.add(FaceArea(face, growth: policy.growth)) }
            }
            let enclosure = around(frame, looks)
            for path in steps.paths(enclosure, frame, policy) { areas.add(path) }
            if let reason = objection(source, enclosure, frame) {
                closest = max(closest, reason)
            } else {
                isKnown = true
            }
        }
        guard isKnown else { return .whole(closest) }
        guard !areas.isOverfull else { return .whole(.crowded) }
        return areas.all.isEmpty ? .clear : .faces(areas.all)
    }

    /// Returns the looks of a source at our pictures, as the given picture would show them.
    private func looks(of source: SourceLooks, for frame: FrameStamp) -> [FaceLook] {
        source.looks.compactMap { look in
            guard steps.isOurs(look, trail), steps.fits(look, frame) else { return nil }
            return look.magnified(to: frame.optics.zoom)
        }
    }

    private func around(_ frame: FrameStamp, _ looks: [FaceLook]) -> LookEnclosure {
        let befores = looks.reversed().lazy.filter { steps.isBefore($0, frame) }.prefix(LookEnclosure.most)
        let afters = looks.lazy.filter { steps.isAfter($0, frame) }.prefix(LookEnclosure.most)
        let start = befores.first?.exposure ?? frame.exposure, end = afters.first?.exposure ?? frame.exposure
        return LookEnclosure(
            befores: Array(befores), afters: Array(afters), motion: trail.motion(from: start, to: end))
    }

    /// Returns why a source does not show the faces of a picture, or nil if it does.
    private func objection(_ source: SourceLooks, _ enclosure: LookEnclosure, _ frame: FrameStamp) -> CoverReason? {
        if enclosure.befores.isEmpty, enclosure.afters.isEmpty {
            return problem(of: source, frame)?.reason ?? .noDetector
        }
        if let reason = enclosure.objection(frame, policy) { return reason }
        if let before = enclosure.befores.first, let after = enclosure.afters.first, !before.isOfSameFrame(as: after),
            !steps.isComplete(source, before, after)
        {
            return .garbage
        }
        return steps.isProven(source, policy) ? nil : .unproven
    }

    /// Returns what is wrong with the last answers of a source, or nil if they can be used.
    private func problem(of source: SourceLooks, _ frame: FrameStamp?) -> LookProblem? {
        if let last = source.lastProblem, last.time >= source.lastAnswer { return last.problem }
        guard let look = source.looks.last, let frame else { return nil }
        if !steps.fits(look, frame) { return .otherSize }
        return steps.isOurs(look, trail) || !trail.shouldHold(look) ? nil : .notOurs
    }
}

/// A source of detections, as far as this ledger knows it.
public struct LookingSource: Sendable, Equatable {
    /// Its name.
    public var name: String
    /// The time since its last answer, in seconds.
    public var age: Seconds
    /// Why its answers cannot be used, or nil.
    public var problem: LookProblem?
    /// Whether it is known to look for faces.
    public var isProven: Bool
}

extension FaceLedger {
    /// Returns the sources that have answered, in the order in which they first did. A source whose answers have no
    /// problem, and are recent, looks at our pictures.
    public func lookingSources(now: Seconds) -> [LookingSource] {
        sources.map {
            LookingSource(
                name: $0.name, age: max(0, now - $0.lastAnswer), problem: problem(of: $0, trail.newest),
                isProven: steps.isProven($0, policy))
        }
    }
}
