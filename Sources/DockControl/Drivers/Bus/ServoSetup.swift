internal import Geometry

/// How far the greeting and the settings of the servos are.
struct ServoSetup: Sendable, Equatable {
    static let greetingInterval: Seconds = 0.5
    /// Attempts at a setting before the servos are greeted again.
    static let retries = 5
    /// Time that a servo needs to restart before it answers, seconds.
    static let restartTime: Seconds = 0.3

    /// When the servos are greeted next.
    private(set) var nextGreeting: Seconds = 0
    /// The settings have been planned: the servos are ready when the plan is done.
    private(set) var isPlanned = false
    /// A servo is not in position mode and was left so, because nothing may be written while nothing may move.
    var hasOtherMode = false
    private var hasReportedPlace = false

    /// The servos are greeted again.
    mutating func restart(now: Seconds) { (nextGreeting, isPlanned, hasOtherMode) = (now, false, false) }

    /// The servos are greeted at this time, and not before.
    mutating func greet(at time: Seconds) { nextGreeting = time }

    /// Whether the settings are to be planned now: only once between two greetings.
    mutating func plan() -> Bool {
        defer { isPlanned = true }
        return !isPlanned
    }

    /// Whether to report that a servo's position is impossible: only once.
    mutating func reportPlace() -> Bool {
        defer { hasReportedPlace = true }
        return !hasReportedPlace
    }
}
