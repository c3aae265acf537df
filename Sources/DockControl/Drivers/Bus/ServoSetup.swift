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
    /// What is wrong with the rig, as it was found last.
    var findings: [String] = []
    private var hasReportedPlace = false, hasReportedSilence = false, hasReportedDamage = false
    private var greetings = 0
    private var invalidBefore = 0
    private var reported: Set<String> = []

    /// Starts again: the servos are greeted at `now`. `invalidBytes`: the number of bytes so far that belong to no
    /// packet.
    mutating func restart(now: Seconds, invalidBytes: Int = 0) {
        (nextGreeting, isPlanned, isUnfit) = (now, false, false)
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

    /// Records that both servos have answered.
    mutating func heardBoth() { (hasReportedSilence, hasReportedDamage) = (false, false) }

    /// Returns whether to report that only one of the servos answers: once until both have answered.
    mutating func reportSilence(misses: Int) -> Bool {
        guard misses >= Self.patience, !hasReportedSilence else { return false }
        hasReportedSilence = true
        return true
    }

    /// Returns whether to report that answers are damaged: once until both servos have answered.
    mutating func reportDamage(misses: Int, invalidBytes: Int) -> Bool {
        guard misses >= Self.patience, invalidBytes - invalidBefore >= Self.damage, !hasReportedDamage else {
            return false
        }
        hasReportedDamage = true
        return true
    }

    /// Returns whether to report a finding: only once. The number of different findings is bounded.
    mutating func report(_ finding: String) -> Bool {
        guard reported.count < 32 else { return false }
        return reported.insert(finding).inserted
    }

    /// Records the only finding, and returns its report.
    mutating func advice(_ finding: String) -> DockReport {
        findings = [finding]
        return .advice(finding)
    }

    /// Returns whether to plan the settings now: only once between two greetings.
    mutating func plan() -> Bool {
        defer { isPlanned = true }
        return !isPlanned
    }

    /// Returns whether to report that a servo's position is impossible: only once.
    mutating func reportPlace() -> Bool {
        defer { hasReportedPlace = true }
        return !hasReportedPlace
    }
}
