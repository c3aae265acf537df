internal import Geometry

/// Where the head looks, and what pictures from there mean.
extension Finder {
    /// Where to look for a remembered thing, beside its direction: a detector may not name a thing from everywhere.
    private static let besides: [PanTilt] = [
        .zero, .degrees(pan: 8, tilt: 0), .degrees(pan: -8, tilt: 0), .degrees(pan: 0, tilt: -8),
        .degrees(pan: 0, tilt: 8),
    ]
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
        let wasThere = settings.memory.map { settings.eye.shows($0.bearing, at: stance.target, margin: 0.1) } ?? false
        plan.looked(at: stance.target)
        if wasThere, let memory = settings.memory { actions.append(.missed(memory.name)) }
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
        if settings.hasVerifier, let memory = settings.memory {
            // Where it was, the verifier decides, whatever the detector calls it.
            let gate = max(memory.spread, memory.width / 3, .degrees(2))
            let near = free.filter { $0.bearing.angle(to: memory.bearing) < gate && !$0.isCut }
            if let first = near.first { return first.id }
        }
        guard plan.takesAnyLabel || wish.takesAnyLabel && settings.hasVerifier else { return nil }
        return free.filter { $0.isSeen(within: 1, now: now) && !$0.isCut }
            .max { ($0.labels.best { _ in true } ?? 0) < ($1.labels.best { _ in true } ?? 0) }?.id
    }

    /// Turns the head to the next place, or gives up.
    private mutating func goOn(now: Seconds) -> Bool {
        let pose = trail.pose ?? .zero
        if settings.onlyMemory {
            guard let memory = settings.memory, times.looks < Self.besides.count else {
                giveUp("it is not where it was", now: now)
                return false
            }
            note(.searching, "looking where it was")
            turn(to: settings.eye.pose(toward: memory.bearing) + Self.besides[times.looks], now: now)
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
