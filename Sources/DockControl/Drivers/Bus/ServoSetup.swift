internal import Geometry

/// The progress of the greeting and the settings of the servos.
struct ServoSetup: Sendable, Equatable {
    static let greetingInterval: Seconds = 0.5
    /// The number of attempts at a setting before the servos are greeted again.
    static let retries = 5
    /// The number of attempts to read a part of the settings that a servo keeps, before it is used without them.
    static let memoryTries = 5
    /// The number of unanswered greetings in a row after which a servo counts as silent.
    static let patience = 2
    /// The number of bytes that belong to no packet from which on they count as an answer, and not as noise: the
    /// shortest answer to a greeting has as many.
    static let damage = 11
    /// The time that a servo needs to restart before it answers, in seconds.
    static let restartTime: Seconds = 0.3

    /// When the servos are greeted next.
    private(set) var nextGreeting: Seconds = 0
    /// Whether the settings have been planned. If so, the servos are ready when the plan is done.
    private(set) var isPlanned = false
    /// Whether a servo cannot be moved as it is, for example because it is not in position mode. It was left that way,
    /// because nothing may be written while nothing may move.
    var isUnfit = false
    /// Whether a servo may have restarted while it was silent. If so, its torque is off, and what was commanded before
    /// must not go on when the rig is ready again.
    var mayHaveRestarted = false
    /// What is wrong with the rig, as it was found last.
    var findings: [String] = []
    /// The reported findings that end as soon as both servos answer.
    private var passing: Set<String> = []
    private var greetings = 0
    private var invalidBefore = 0
    private var reported: Set<String> = []
    /// How often a servo has not reported a part of its settings since the last time that the rig was ready.
    private var hidden = 0

    /// Starts again: the servos are greeted at `now`. `invalidBytes`: the number of bytes so far that belong to no
    /// packet.
    mutating func restart(now: Seconds, invalidBytes: Int = 0) {
        (nextGreeting, isPlanned, isUnfit, mayHaveRestarted) = (now, false, false, false)
        (greetings, invalidBefore) = (0, invalidBytes)
    }

    /// Schedules the greeting of the servos for this time, and not earlier.
    mutating func greet(at time: Seconds) {
        nextGreeting = time
        greetings += 1
    }

    /// Returns which of two servos to greet: the first one that has not answered, and every third time the other one if
    /// the first is silent. The answer of the other one shows that the line works.
    func greeted(silent: Int, misses: Int) -> Int {
        misses >= Self.patience && greetings % 3 == 2 ? 1 - silent : silent
    }

    /// Begins a conversation of the loop, perhaps with other servos.
    mutating func forgetFindings() { (findings, hidden) = ([], 0) }

    /// Records that both servos have answered. If one falls silent again, that is reported again.
    mutating func heardBoth() {
        for text in passing { reported.remove(text) }
        passing = []
    }

    /// Returns whether to use a servo without its settings, and not to greet it again: from the second time on.
    mutating func hidesAgain() -> Bool {
        hidden += 1
        return hidden > 1
    }

    /// Records that the rig is ready.
    mutating func becameReady() { (hidden, mayHaveRestarted) = (0, false) }

    /// Whether a servo counts as silent.
    func isSilent(misses: Int) -> Bool { misses >= Self.patience }

    /// Whether the answers to greetings are damaged.
    func areDamaged(misses: Int, invalidBytes: Int) -> Bool {
        isSilent(misses: misses) && invalidBytes - invalidBefore >= Self.damage
    }

    /// Returns whether to report a finding: only once. The number of different findings is bounded.
    mutating func report(_ finding: String) -> Bool {
        guard reported.count < 32 else { return false }
        return reported.insert(finding).inserted
    }

    /// Records what keeps the servos from being greeted, and returns its report, once until both have answered.
    mutating func advice(_ finding: String) -> DockReport? {
        findings = [finding]
        passing.insert(finding)
        return report(finding) ? .advice(finding) : nil
    }

    /// Returns whether to plan the settings now: only once between two greetings.
    mutating func plan() -> Bool {
        defer { isPlanned = true }
        return !isPlanned
    }
}
