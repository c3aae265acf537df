internal import Geometry

/// Decides when a timer must be set, as a pure value. Most deadlines only move on, with each picture and each answer. The
/// timer that is set then goes off too early, which costs less than another one for each of them.
struct AlarmClock: Sendable, Equatable {
    /// When the timer goes off, CLOCK_MONOTONIC, or nil if none is set.
    private(set) var time: Seconds?

    /// Returns whether a timer must be set for a deadline, and notes it as set.
    mutating func mustSet(_ deadline: Seconds) -> Bool {
        if let time, time <= deadline { return false }
        time = deadline
        return true
    }

    /// The timer has gone off.
    mutating func wentOff() { time = nil }
}
