public import Geometry

/// Decides when a program that works for us is started, started again, and given up for a while. It has no clock and no process:
/// its owner tells what happened, and does what `next` says.
public struct ProcessWatch: Sendable {
    /// What a user is told.
    public enum State: String, Sendable, Equatable, CaseIterable {
        /// It was started and has not shown a sign of life yet.
        case starting
        /// It works.
        case running
        /// It has been silent for too long, and is being ended.
        case stalled
        /// It has ended, and is started again in a moment.
        case restarting
        /// It has failed too often, or said that it cannot: tried again now and then.
        case failed
        /// It has said all that it had to say.
        case over
    }

    /// What to do now.
    public enum Order: Sendable, Equatable {
        /// Start it.
        case start
        /// Ask it to end (SIGTERM).
        case ask
        /// End it (SIGKILL).
        case kill
    }

    /// How patient to be; seconds.
    public struct Patience: Sendable, Equatable {
        /// Until the first sign of life: models are loaded and cameras opened meanwhile.
        public var start: Seconds = 20
        /// Between two signs of life.
        public var silence: Seconds = 1
        /// Between asking it to end and ending it.
        public var grace: Seconds = 2
        /// Before the first new start; doubled each time, up to `longest`.
        public var first: Seconds = 0.1
        /// Between two starts, at most.
        public var longest: Seconds = 5
        /// So many ends within `window` and it is `failed`.
        public var failures = 5
        /// See `failures`.
        public var window: Seconds = 60
        /// Between two starts of one that has failed.
        public var failed: Seconds = 30
        /// After so long without trouble, the past is forgotten.
        public var healthy: Seconds = 30

        /// The usual: quick to come back, slow to nag.
        public init() {}
    }

    private enum Phase: Sendable, Equatable {
        case waiting(until: Seconds)
        /// `last` sign of life; nil: none yet.
        case alive(since: Seconds, last: Seconds?)
        case ending(askedAt: Seconds?, killed: Bool)
        case over
    }

    /// Exit statuses of a program that would fail again: a wrong command line, a missing device, no permission (sysexits).
    private static let hopeless: ClosedRange<Int32> = 64...78

    /// How patient it is; may change while the program is known better.
    public var patience: Patience
    /// What shows that it lives, in words for a problem.
    public var firstSign = "sign of life"
    private var phase: Phase
    private var ends: [Seconds] = []
    private var hasFailed = false
    private var random: UInt64
    /// What a user is told.
    public private(set) var state: State = .starting
    /// Starts after the first one.
    public private(set) var restarts = 0
    private var starts = 0
    /// It has shown a sign of life since its start.
    private var hasShown = false
    /// What went wrong last, in words; nil: nothing yet.
    public private(set) var problem: String?

    /// One to be started at once. `seed` spreads the starts of several that fail together.
    public init(_ patience: Patience = Patience(), seed: UInt64 = 1) {
        self.patience = patience
        random = seed
        phase = .waiting(until: -.infinity)
    }

    /// When `next` has something to say at the latest, unless something happens before; nil: never.
    public var deadline: Seconds? {
        switch phase {
        case .waiting(let until): until
        case .alive(_, .infinity): nil
        case .alive(let since, let last): last.map { $0 + patience.silence } ?? since + patience.start
        case .ending(let asked, let killed): killed ? nil : asked.map { $0 + patience.grace } ?? -.infinity
        case .over: nil
        }
    }

    /// What to do at `now`; call it until nil.
    public mutating func next(now: Seconds) -> Order? {
        switch phase {
        case .waiting(let until):
            guard now >= until else { return nil }
            phase = .alive(since: now, last: nil)
            if starts > 0 { restarts += 1 }
            starts += 1
            hasShown = false
            state = hasFailed ? .failed : .starting
            return .start
        case .alive(let since, let last):
            if let last, now - last >= patience.silence {
                giveUp("nothing came from it for \(Self.words(now - last))")
            } else if last == nil, now - since >= patience.start {
                giveUp("no \(firstSign) within \(Self.words(patience.start)) of its start")
            } else {
                return nil
            }
            return next(now: now)
        case .ending(nil, let killed):
            phase = .ending(askedAt: now, killed: killed)
            return .ask
        case .ending(let asked?, false):
            guard now - asked >= patience.grace else { return nil }
            phase = .ending(askedAt: asked, killed: true)
            return .kill
        case .ending(_, true), .over: return nil
        }
    }

    /// It has shown a sign of life: a line, a picture.
    public mutating func sign(now: Seconds) {
        guard case .alive(let since, _) = phase else { return }
        phase = .alive(since: since, last: now)
        hasShown = true
        state = .running
        if now - since >= patience.healthy { forget() }
    }

    /// Nothing is expected from it until `expect` or the next sign of life: it rests, or was not asked.
    public mutating func rest() {
        guard case .alive(let since, _) = phase else { return }
        phase = .alive(since: since, last: .infinity)
    }

    /// Something is expected from it from now on; the time for its start begins anew where it has shown nothing yet.
    public mutating func expect(now: Seconds) {
        guard case .alive(let since, .infinity) = phase else { return }
        phase = hasShown ? .alive(since: since, last: now) : .alive(since: now, last: nil)
    }

    /// It is no use as it is: it will be ended, and started again.
    public mutating func giveUp(_ reason: String) {
        guard case .alive = phase else { return }
        problem = reason
        state = .stalled
        phase = .ending(askedAt: nil, killed: false)
    }

    /// It has ended. `isDone`: with all its work done; `reason`: what it said about it, if anything.
    public mutating func ended(
        _ ending: ChildProcess.Ending, isDone: Bool = false, reason: String? = nil, now: Seconds
    ) {
        guard !isDone else {
            phase = .over
            state = .over
            return
        }
        var isHopeless = false
        if case .exited(let status) = ending { isHopeless = Self.hopeless.contains(status) }
        if state != .stalled { problem = reason ?? "it ended with \(ending)" }
        fail(isHopeless: isHopeless, now: now)
    }

    /// It could not be started at all.
    public mutating func couldNotStart(_ reason: String, now: Seconds) {
        problem = reason
        fail(isHopeless: true, now: now)
    }

    private mutating func fail(isHopeless: Bool, now: Seconds) {
        ends = ends.filter { now - $0 < patience.window } + [now]
        hasFailed = hasFailed || isHopeless || ends.count >= patience.failures
        let delay =
            hasFailed ? patience.failed : min(patience.first * Double(1 << min(ends.count - 1, 16)), patience.longest)
        state = hasFailed ? .failed : .restarting
        phase = .waiting(until: now + delay * spread())
    }

    private mutating func forget() {
        ends = []
        hasFailed = false
        problem = nil
    }

    /// 0.8 to 1.2.
    private mutating func spread() -> Double {
        random = random &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return 0.8 + 0.4 * Double(random >> 40) / Double(1 << 24)
    }

    private static func words(_ time: Seconds) -> String { "\(Double(Int(time * 10 + 0.5)) / 10) s" }
}
