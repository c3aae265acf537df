public import Geometry

/// A search for a thing as a pure value: it receives events and the time, and returns actions.
///
/// The caller turns the head, passes on what detectors say, carries out the requests, and reports answers. The finder
/// decides where to look, what to ask, when the thing counts as found, and when to give up. A thing counts as found if
/// pictures of at least two looks confirm it and one of the last half second shows it.
public struct Finder: Sendable {
    /// What is searched.
    public let wish: Wish
    let settings: FinderSettings
    /// What it does at present, and why, in words.
    public internal(set) var phase = FinderPhase.searching
    var reason = "looking round"
    /// How it ended, or nil if it has not.
    public internal(set) var outcome: FinderOutcome?

    var things: ThingList
    var plan: SearchPlan
    var desk: VerifierDesk
    var trail = PoseTrail()
    var stance: FinderStance?
    var focus: FinderFocus?
    /// The number of the thing that was found.
    var found: Int?
    var times: FinderTimes
    var talk = FinderTalk()
    /// What to do, until the caller takes it.
    var actions: [FinderAction] = []

    /// How long the search goes on without pictures, in seconds.
    static let blindness: Seconds = 2
    /// How old the last picture of a found thing may be, in seconds.
    static let freshness: Seconds = 0.5

    /// Creates a search that begins now (CLOCK_MONOTONIC).
    public init(_ wish: Wish, _ settings: FinderSettings, now: Seconds) {
        (self.wish, self.settings) = (wish, settings)
        things = ThingList(mutant: settings.mutant)
        plan = SearchPlan(settings)
        desk = VerifierDesk(settings)
        times = FinderTimes(begun: now, view: now)
    }

    /// Handles an event. Returns what to do, in order; nothing after the end.
    public mutating func handle(_ event: FinderEvent, now: Seconds) -> [FinderAction] {
        guard outcome == nil else { return [] }
        switch event {
        case .head(let report): trail.add(report)
        case .view(let view): receive(view, now: now)
        case .answer(let answer): receive(answer, now: now)
        case .unusable(let why): if found == nil { block(why, now: now) }
        case .interrupted(let why): interrupt(why, now: now)
        case .resume: resume(now: now)
        case .cancel: end(.cancelled, .givenUp, "stopped by a person", now: now)
        case .tick: break
        }
        if phase == .paused, settings.mutant == .resumesByItself { resume(now: now) }
        if phase.isActive, outcome == nil {
            expire(now: now)
            // Each round ends the attention for one thing, or waits for something.
            for _ in 0...ThingList.most where outcome == nil && advance(now: now) {}
        }
        defer { actions = [] }
        return actions
    }

    /// Where the thing is that it looks at closely or has found, in radians, or nil if there is none.
    public var bearing: PanTilt? { (found ?? focus?.thing).flatMap { things[$0]?.bearing } }

    /// How far it is.
    public func progress(now: Seconds) -> FinderProgress {
        var progress = FinderProgress()
        (progress.phase, progress.reason) = (phase, reason)
        (progress.looks, progress.share, progress.requests) = (times.looks, plan.map.share, desk.book.count)
        progress.timeLeft = max(0, times.begun + settings.timeLimit - (phase == .paused ? times.paused : now))
        return progress
    }

    /// Goes on until something must be waited for. Returns whether there is more to do at once.
    private mutating func advance(now: Seconds) -> Bool {
        if let found { return watch(found, now: now) }
        if let focus { return settings.hasVerifier ? verify(focus, now: now) : confirm(focus, now: now) }
        return lookRound(now: now)
    }
}
