internal import Geometry

/// Which exposures are recorded: those from the request until the stop. Pure.
struct RecordedSpan: Sendable, Equatable {
    private var from: Seconds = .infinity
    private var to: Seconds = .infinity

    mutating func begin(at now: Seconds) { (from, to) = (now, .infinity) }
    mutating func end(at now: Seconds) { to = now }
    /// A person has deleted what there is. Frames from before that may still be in the delay line.
    mutating func forget(before now: Seconds) { from = max(from, now) }

    /// Whether a frame is recorded. What the camera saw before the request is not.
    func contains(_ exposure: Seconds) -> Bool { exposure >= from && exposure < to }
    /// Whether a frame shows that all frames of the recording have arrived.
    func isPassed(by exposure: Seconds) -> Bool { exposure >= to }
    /// When no more frames of the recording are expected.
    var drainedAt: Seconds { to + RecorderMachine.drain }
    func isDrained(now: Seconds) -> Bool { now >= drainedAt }
}

/// Whether there is room for a chunk. Pure.
struct RoomState: Sendable, Equatable {
    /// Why there is none.
    private(set) var problem: String?
    /// Whether the disk has answered yet.
    private var hasAnswered = false
    private(set) var retryAt: Seconds?
    /// When an answer is late, CLOCK_MONOTONIC; nil if none is expected.
    private(set) var lateAt: Seconds?

    /// Whether a chunk may begin. A disk that was asked again and has not answered yet may only be slow.
    var isThere: Bool { hasAnswered && problem == nil }

    mutating func asked(now: Seconds) {
        lateAt = lateAt ?? now + RecorderMachine.patience
        retryAt = problem == nil ? nil : now + RecorderMachine.retry
    }

    /// Whether the disk has kept the recorder waiting so long that it counts as hanging.
    func isLate(now: Seconds) -> Bool { problem == nil && (lateAt.map { now >= $0 } ?? false) }

    mutating func answered(_ problem: String?, now: Seconds) {
        (self.problem, hasAnswered, lateAt) = (problem, true, nil)
        retryAt = problem == nil ? nil : now + RecorderMachine.retry
    }

    func isRetryDue(now: Seconds) -> Bool { retryAt.map { now >= $0 } ?? false }
}

/// What is shown, and what should be. Pure.
struct SignState: Sendable, Equatable {
    /// What was asked for last.
    private var asked = RecorderMachine.Sign.off
    /// Since when people can certainly see that pictures are recorded, CLOCK_MONOTONIC; never while they may not.
    private var shownAt: Seconds = .infinity
    /// Why the daemon does not show it.
    private(set) var problem: String?
    /// The problem that was named last.
    private var named: String?
    /// When to ask again, CLOCK_MONOTONIC; nil if there is no problem.
    private(set) var retryAt: Seconds?

    /// Whether people can see that pictures are recorded, and could when this one was taken. Pictures wait, so the sign
    /// may have come meanwhile.
    func isAnnounced(at exposure: Seconds) -> Bool { exposure >= shownAt }

    /// Returns what must be shown now, or nil if that was asked for already.
    mutating func news(for state: RecorderMachine.State) -> RecorderMachine.Sign? {
        let sign: RecorderMachine.Sign =
            switch state {
            case .off: .off
            case .waiting: .waiting
            case .recording: .recording
            case .blocked(.disk(let text)), .blocked(.encoder(let text)), .blocked(.indicator(let text)): .fault(text)
            }
        // A new attempt, which may begin with a new request.
        if sign == .off { (problem, named, retryAt) = (nil, nil, nil) }
        guard sign != asked else { return nil }
        (asked, shownAt) = (sign, .infinity)
        return sign
    }

    /// Records that nothing is shown any more, so that it is asked for again.
    mutating func forget() {
        let named = named
        self = SignState()
        self.named = named
    }

    func isRetryDue(now: Seconds) -> Bool { retryAt.map { now >= $0 } ?? false }

    /// Records an answer. Returns whether it has a problem that was not named yet.
    mutating func answered(_ sign: RecorderMachine.Sign, problem: String?, now: Seconds) -> Bool {
        guard sign == asked else { return false }
        // Without an indicator, only the recording itself must not go on.
        guard sign == .recording else { return false }
        shownAt = problem == nil ? min(shownAt, now) : .infinity
        defer { named = problem }
        self.problem = problem
        retryAt = problem == nil ? nil : now + RecorderMachine.retry
        return problem != nil && problem != named
    }
}
