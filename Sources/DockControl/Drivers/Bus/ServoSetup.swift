internal import Geometry

/// The progress of the greeting and the settings of the servos.
struct ServoSetup: Sendable, Equatable {
    static let greetingInterval: Seconds = 0.5
    /// The number of attempts at a setting before the servos are greeted again.
    static let retries = 5
    /// The time that a servo needs to restart before it answers, in seconds.
    static let restartTime: Seconds = 0.3

    /// When the servos are greeted next.
    private(set) var nextGreeting: Seconds = 0
    /// Whether the settings have been planned. If so, the servos are ready when the plan is done.
    private(set) var isPlanned = false
    /// Whether a servo is not in position mode and was left that way, because nothing may be written while nothing may
    /// move.
    var hasOtherMode = false
    private var hasReportedPlace = false

    /// Starts again: the servos are greeted at `now`.
    mutating func restart(now: Seconds) { (nextGreeting, isPlanned, hasOtherMode) = (now, false, false) }

    /// Schedules the greeting of the servos for this time, and not earlier.
    mutating func greet(at time: Seconds) { nextGreeting = time }

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
