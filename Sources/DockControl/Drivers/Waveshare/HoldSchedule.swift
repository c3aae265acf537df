internal import Geometry

/// Repeats the goal of servos that stand still, or must: the line that carried it may have been corrupt, and has no checksum.
struct HoldSchedule: Sendable, Equatable {
    /// At rest the goal is sent again after this time, seconds.
    static let settledInterval: Seconds = 0.5
    /// A goal that the servos have not reached is sent again after this time, seconds.
    static let retryInterval: Seconds = 0.1

    /// When the goal is due; nil: the servos move, or need no goal.
    private(set) var due: Seconds?

    /// The goal is due at this time.
    mutating func begin(at time: Seconds) { due = time }

    /// The goal was sent; `isSettled`: the servos stand there.
    mutating func sent(isSettled: Bool, now: Seconds) {
        due = now + (isSettled ? Self.settledInterval : Self.retryInterval)
    }

    /// The servos move, or are let go of.
    mutating func end() { due = nil }
}
