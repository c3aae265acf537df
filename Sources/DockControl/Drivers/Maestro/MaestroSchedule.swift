internal import Geometry

/// Decides when to ask the Maestro for its errors and its pulses.
struct MaestroSchedule: Sendable, Equatable {
    /// The time between two greetings, and between two requests for errors, in seconds.
    static let greetingInterval: Seconds = 0.5, errorInterval: Seconds = 0.5

    /// Whether the dock moves or is about to.
    var isActive = false
    private(set) var nextGreeting: Seconds = 0
    private(set) var nextPulses: Seconds = 0
    private(set) var nextErrors: Seconds = 0
    private var greetings = 0

    /// When the next question to a Maestro that was greeted is due.
    var next: Seconds { min(nextPulses, nextErrors) }

    /// Starts again: the Maestro is greeted at `now`.
    mutating func restart(now: Seconds) { (greetings, nextGreeting) = (0, now) }

    /// Records that a greeting is being written. Returns whether it names the device. Both kinds alternate, because a
    /// Maestro that still has to detect the line's speed responds only to those that name it.
    mutating func greet(now: Seconds) -> Bool {
        nextGreeting = now + Self.greetingInterval
        greetings += 1
        return greetings % 2 == 0
    }

    /// Records that the Maestro has answered the greeting with its errors. Its pulses are requested at once.
    mutating func greeted(now: Seconds) { (nextPulses, nextErrors) = (now, now + Self.errorInterval) }

    /// Records that errors are being requested.
    mutating func requestErrors(now: Seconds) { nextErrors = now + Self.errorInterval }

    /// Records that pulses are being requested. `isCreeping`: a servo that must be at rest still moves.
    mutating func requestPulses(now: Seconds, isCreeping: Bool) {
        nextPulses = now + FeedbackRate.interval(isMoving: isActive || isCreeping)
    }

    /// Requests errors at once.
    mutating func hastenErrors(now: Seconds) { nextErrors = now }

    /// Requests pulses again at once, because the last ones are impossible.
    mutating func hastenPulses(now: Seconds) { nextPulses = now }
}
