internal import Geometry

/// Repeats the goal of servos that are at rest, or must be: the line that carried it has no checksum and may have been
/// corrupt.
struct HoldSchedule: Sendable, Equatable {
    /// The time after which the goal is sent again at rest, in seconds.
    static let settledInterval: Seconds = 0.5
    /// The time after which a goal that the servos have not reached is sent again, in seconds.
    static let retryInterval: Seconds = 0.1

    /// When the goal is due, or nil if the servos move or need no goal.
    private(set) var due: Seconds?

    /// Schedules the goal for this time.
    mutating func begin(at time: Seconds) { due = time }

    /// Records that the goal was sent. `isSettled`: the servos are at rest there.
    mutating func sent(isSettled: Bool, now: Seconds) {
        due = now + (isSettled ? Self.settledInterval : Self.retryInterval)
    }

    /// Ends the repetition, because the servos move or are released.
    mutating func end() { due = nil }
}
