public import Geometry
internal import Glibc

/// Decides when to start a child, to restart it, and to give up for a while. It has no clock and no process: its owner
/// reports events and executes the orders of `next`.
public struct ProcessWatch: Sendable {
    /// The state, as reported to users.
    public enum State: String, Sendable, Equatable, CaseIterable {
        /// Started, without a sign of life yet.
        case starting
        /// Working.
        case running
        /// Silent for too long; it is being terminated.
        case stalled
        /// Ended; it will be restarted in a moment.
        case restarting
        /// Failed too often, or reported that it cannot work; it is retried now and then.
        case failed
        /// Finished.
        case over
    }

    /// The next action.
    public enum Order: Sendable, Equatable {
        /// Starts it.
        case start
        /// Asks it to end (SIGTERM).
        case ask
        /// Kills it (SIGKILL).
        case kill

        /// The signal to send, or nil for a start.
        public var signal: Int32? {
            switch self {
            case .start: nil
            case .ask: SIGTERM
            case .kill: SIGKILL
            }
        }
    }

    /// The time limits, in seconds.
    public struct Patience: Sendable, Equatable {
        /// Until the first sign of life; models are loaded and cameras opened in that time.
        public var start: Seconds = 20
        /// Between two signs of life.
        public var silence: Seconds = 1
        /// Between SIGTERM and SIGKILL.
        public var grace: Seconds = 2
        /// Before the first restart; doubled each time, up to `longest`.
        public var first: Seconds = 0.1
        /// The longest time between two starts.
        public var longest: Seconds = 5
        /// After this many ends within `window` it is `failed`.
        public var failures = 5
        /// See `failures`.
        public var window: Seconds = 60
        /// Between two starts of a failed child.
        public var failed: Seconds = 30
        /// After this time without a problem, earlier ones are forgotten.
        public var healthy: Seconds = 30

        /// Creates the defaults: fast restarts at first, rare retries later.
        public init() {}
    }

    private enum Phase: Sendable, Equatable {
        case waiting(until: Seconds)
        /// The last sign of life is `last`, or nil if there was none yet.
        case alive(since: Seconds, last: Seconds?)
        case ending(askedAt: Seconds?, killed: Bool)
        case over
    }

    /// Exit statuses of a program that would fail again: a wrong command line, a missing device, no permission
    /// (sysexits).
    private static let hopeless: ClosedRange<Int32> = 64...78

    /// The time limits; they may change when more is known about the program.
    public var patience: Patience
    /// The name of the first sign of life, for problem texts.
    public var firstSign = "sign of life"
    private var phase: Phase
    private var ends: [Seconds] = []
    private var hasFailed = false
    private var random: UInt64
    /// The state, as reported to users.
    public private(set) var state: State = .starting
    /// The number of restarts.
    public private(set) var restarts = 0
    private var starts = 0
    /// Whether there was a sign of life since the start.
    private var hasShown = false
    /// The last problem, in words, or nil if there was none.
    public private(set) var problem: String?

    /// Creates a child that must be started at once. `seed` spreads the restarts of several children that fail
    /// together.
    public init(_ patience: Patience = Patience(), seed: UInt64 = 1) {
        self.patience = patience
        random = seed
        phase = .waiting(until: -.infinity)
    }

    /// The latest time for the next call of `next`, unless something happens earlier, or nil if no call is due.
    public var deadline: Seconds? {
        switch phase {
        case .waiting(let until): until
        case .alive(_, .infinity): nil
        case .alive(let since, let last): last.map { $0 + patience.silence } ?? since + patience.start
        case .ending(let asked, let killed): killed ? nil : asked.map { $0 + patience.grace } ?? -.infinity
        case .over: nil
        }
    }

    /// When it is started next, or nil if it runs or is over.
    public var nextStart: Seconds? { if case .waiting(let until) = phase { until } else { nil } }

    /// Returns the action at `now`; call it until it returns nil.
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
                giveUp("no output for \(Self.words(now - last))")
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

    /// Records a sign of life: a line, a frame.
    public mutating func sign(now: Seconds) {
        guard case .alive(let since, _) = phase else { return }
        phase = .alive(since: since, last: now)
        hasShown = true
        state = .running
        if now - since >= patience.healthy { forget() }
    }

    /// Expects nothing until `expect` or the next sign of life: the child is idle or has no work.
    public mutating func rest() {
        guard case .alive(let since, _) = phase else { return }
        phase = .alive(since: since, last: .infinity)
    }

    /// Expects a sign of life from now on. If there was none yet, the time limit for the start begins again.
    public mutating func expect(now: Seconds) {
        guard case .alive(let since, .infinity) = phase else { return }
        phase = hasShown ? .alive(since: since, last: now) : .alive(since: now, last: nil)
    }

    /// Records that the owner has restarted the child on purpose. It has as long to begin as after its first start.
    public mutating func restarted(now: Seconds) {
        phase = .alive(since: now, last: nil)
        hasShown = false
    }

    /// Starts it at the next call of `next` if it waits for a start, and forgets earlier problems, because the owner
    /// wants something else from it.
    public mutating func startAtOnce() {
        guard case .waiting = phase else { return }
        forget()
        phase = .waiting(until: -.infinity)
    }

    /// The earlier name of `startAtOnce`.
    @available(*, deprecated, renamed: "startAtOnce()")
    public mutating func hurry() { startAtOnce() }

    /// Declares the child unusable: it is terminated and restarted.
    public mutating func giveUp(_ reason: String) {
        guard case .alive = phase else { return }
        problem = reason
        state = .stalled
        phase = .ending(askedAt: nil, killed: false)
    }

    /// Records that the child has ended. `isDone`: all its work was done; `reason`: its own explanation, if any.
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

    /// Records that the child could not be started at all.
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

    /// Returns a factor of 0.8 to 1.2.
    private mutating func spread() -> Double {
        random = random &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return 0.8 + 0.4 * Double(random >> 40) / Double(1 << 24)
    }

    private static func words(_ time: Seconds) -> String { "\(Double(Int(time * 10 + 0.5)) / 10) s" }
}
