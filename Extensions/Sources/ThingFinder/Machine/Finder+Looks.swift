internal import Geometry

/// Where the head looks, and what pictures from there mean.
extension Finder {
    /// How many pictures make a look.
    private static let pictures = 2
    /// How long the head may take beyond what its pace promises, and how much longer while it moves, in seconds.
    private static let patience: Seconds = 3, longestMove: Seconds = 20
    /// After so many places that the head did not reach, it counts as held.
    private static let mostUnreached = 3
    /// How far from its remembered place a thing may be and still be in that place, in radians.
    private static let nearby = Double.degrees(10)
    /// A label must be this sure to be looked at closely, with and without a verifier.
    private static let least = (verified: 0.3, alone: 0.5)

    /// Takes in a picture, if the head stood where it was sent when the picture was taken.
    mutating func receive(_ view: FinderView, now: Seconds) {
        times.view = now
        guard phase.isActive, let stance, view.time >= stance.since, let pose = trail.standing(at: view.time),
            (pose - stance.target).magnitude <= FinderStance.tolerance
        else { return }
        self.stance?.pictures += 1
        times.unreached = 0
        things.update(view, at: pose, through: settings.eye, keeping: kept)
    }

    /// The things that must not be dropped.
    private var kept: Set<Int> {
        Set(desk.book.open.map(\.thing) + [focus?.thing, found].compactMap { $0 })
    }

    /// Looks at the next place when the present look is complete. Returns whether there is more to do at once.
    mutating func lookRound(now: Seconds) -> Bool {
        guard trail.pose != nil else { return false }
        guard let stance else { return goOn(now: now) }
        if stance.pictures > 0, let thing = candidate(now: now) {
            focus = FinderFocus(thing)
            return true
        }
        if isLate(stance, now: now) {
            times.unreached += 1
            guard times.unreached < Self.mostUnreached else {
                block("the head does not get where it is sent", now: now)
                return false
            }
            return goOn(now: now)
        }
        guard stance.pictures >= Self.pictures else { return false }
        complete(now: now)
        return goOn(now: now)
    }

    /// Records that the present look has not shown the thing.
    mutating func complete(now: Seconds) {
        guard let stance, !stance.isComplete else { return }
        self.stance?.isComplete = true
        times.looks += 1
        plan.looked(at: stance.target)
        guard let memory = settings.memory, wouldShow(memory, from: stance.target) else { return }
        actions.append(.missed(memory.name))
    }

    /// Whether a look from a pose would have shown a remembered thing in its place. Without a verifier only its label
    /// counts: then a pose from which the detector has never given it says nothing.
    private func wouldShow(_ memory: Remembrance, from pose: PanTilt) -> Bool {
        guard settings.hasVerifier || memory.looks.isEmpty else {
            return memory.looks.contains { ($0 - pose).magnitude < LabelTally.sameLook }
        }
        return settings.eye.shows(memory.bearing, at: pose, margin: 0.1)
    }

    /// Whether the head was not where it was sent in time. A slow one that still moves has more time.
    func isLate(_ stance: FinderStance, now: Seconds) -> Bool {
        guard stance.pictures == 0, now >= stance.limit else { return false }
        return trail.isAtRest || now >= stance.limit + Self.longestMove
    }

    /// Returns the thing that is looked at closely next, or nil if none is worth it.
    private func candidate(now: Seconds) -> Int? {
        let least = settings.hasVerifier ? Self.least.verified : Self.least.alone
        var free = things.all.filter { !$0.verdicts.isSetAside(now: now) }
        if settings.onlyMemory, let memory = settings.memory {
            free.removeAll { $0.bearing.angle(to: memory.bearing) > max(memory.width, Self.nearby) }
        }
        let named = free.compactMap { thing -> (id: Int, score: Double)? in
            guard let score = thing.labels.best(where: wish.names), score >= least else { return nil }
            return (thing.id, score)
        }
        if let best = named.max(by: { ($0.score, $1.id) < ($1.score, $0.id) }) { return best.id }
        // Where it was, the verifier decides, whatever the detector calls it.
        if settings.hasVerifier, let first = free.first(where: { isInPlace($0) && !$0.isCut }) { return first.id }
        guard plan.takesAnyLabel || wish.takesAnyLabel && settings.hasVerifier else { return nil }
        return free.filter { $0.isSeen(within: 1, now: now) && !$0.isCut }
            .max { ($0.labels.best { _ in true } ?? 0) < ($1.labels.best { _ in true } ?? 0) }?.id
    }

    /// Whether a thing is where the wanted one was.
    func isInPlace(_ thing: Thing) -> Bool {
        settings.memory.map { memory in
            let gate = max(memory.spread, memory.width / 3, .degrees(2))
            return thing.bearing.angle(to: memory.bearing) < gate
        } ?? false
    }

    /// Where to look for a remembered thing, in this order. The detector that names it from some poses only does so again
    /// from there; a verifier wants it in the middle.
    private func looksBack(at memory: Remembrance) -> [PanTilt] {
        let middle = settings.eye.pose(toward: memory.bearing)
        let all = settings.hasVerifier ? [middle] + memory.looks : memory.looks + [middle]
        let aside = aside(memory.width, memory.height).map { middle + $0 }
        return (all + aside).reduce(into: []) { places, pose in
            let place = pose.clamped(to: settings.range)
            let isNew = !places.contains { ($0 - place).magnitude < LabelTally.sameLook }
            if isNew { places.append(place) }
        }
    }

    /// How far beside a thing of this size to look so that the picture still shows it as a whole, in radians. In the
    /// picture it is then in another corner, and what a detector calls it depends on that.
    func aside(_ width: Double, _ height: Double) -> [PanTilt] {
        let field = settings.eye.field, edge = Double.degrees(3)
        let pan = (field.pan / 2 - width / 2 - edge).clamped(to: .degrees(5) ... .degrees(12))
        let tilt = (field.tilt / 2 - height / 2 - edge).clamped(to: .degrees(5) ... .degrees(8))
        return [(1.0, 1.0), (-1, -1), (1, -1), (-1, 1)].map { PanTilt(pan: $0 * pan, tilt: $1 * tilt) }
    }

    /// Turns the head to the next place, or gives up.
    private mutating func goOn(now: Seconds) -> Bool {
        let pose = trail.pose ?? .zero
        if settings.onlyMemory {
            let places = settings.memory.map { looksBack(at: $0) } ?? []
            guard times.looks < places.count else {
                giveUp(absence, now: now)
                return false
            }
            note(.searching, "looking where it was")
            turn(to: places[times.looks], now: now)
            return false
        }
        guard let place = plan.next(from: pose.clamped(to: settings.range)) else {
            giveUp("the whole room was looked at, \(plan.sweep) times", now: now)
            return false
        }
        note(phase == .lost ? .lost : .searching, sweepWords)
        show(.curious)
        turn(to: place, now: now)
        return false
    }

    /// Why a remembered thing counts as gone.
    private var absence: String {
        // A verifier has judged what is there.
        let other =
            settings.hasVerifier
            ? nil : things.all.first { isInPlace($0) && $0.support > 1 && !wish.names($0.labels.usual) }
        return other.map { "where it was, the detector sees only what it calls \($0.labels.usual)" }
            ?? "it is not where it was"
    }

    private var sweepWords: String {
        if phase == .lost { return "looking where it went" }
        return plan.takesAnyLabel ? "asking about things with other names" : "looking round"
    }

    /// Turns the head.
    mutating func turn(to pose: PanTilt, for thing: Int? = nil, now: Seconds) {
        let target = pose.clamped(to: settings.range)
        let way = settings.pace.time(from: trail.pose ?? target, to: target)
        stance = FinderStance(target: target, since: now, limit: now + 1.5 * way + Self.patience, thing: thing)
        actions.append(.look(target))
    }
}
