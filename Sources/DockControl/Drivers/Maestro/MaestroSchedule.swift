internal import Geometry

/// When the Maestro is asked for its errors and its pulses.
struct MaestroSchedule: Sendable, Equatable {
    /// Time between two greetings, and between two requests for errors, seconds.
    static let greetingInterval: Seconds = 0.5, errorInterval: Seconds = 0.5

    /// The dock moves, or is about to.
    var isActive = false
    private(set) var nextGreeting: Seconds = 0
    private(set) var nextPulses: Seconds = 0
    private(set) var nextErrors: Seconds = 0
    private var greetings = 0

    /// When the next question to a Maestro that was greeted is due.
    var next: Seconds { min(nextPulses, nextErrors) }

    /// The Maestro is greeted again.
    mutating func restart(now: Seconds) { (greetings, nextGreeting) = (0, now) }

    /// A greeting is being written. Returns whether it names the device: they alternate, because a Maestro that waits to learn the
    /// line's speed hears only those that do.
    mutating func greet(now: Seconds) -> Bool {
        nextGreeting = now + Self.greetingInterval
        greetings += 1
        return greetings % 2 == 0
    }

    /// The Maestro has answered the greeting with its errors: its pulses are requested at once.
    mutating func greeted(now: Seconds) { (nextPulses, nextErrors) = (now, now + Self.errorInterval) }

    /// Errors are being requested.
    mutating func requestErrors(now: Seconds) { nextErrors = now + Self.errorInterval }

    /// Pulses are being requested; `isCreeping`: a servo that must stand does not.
    mutating func requestPulses(now: Seconds, isCreeping: Bool) {
        nextPulses = now + FeedbackRate.interval(isMoving: isActive || isCreeping)
    }

    /// Errors are requested at once.
    mutating func hastenErrors(now: Seconds) { nextErrors = now }

    /// Pulses are requested again at once: the last ones cannot be.
    mutating func hastenPulses(now: Seconds) { nextPulses = now }
}
