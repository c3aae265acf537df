internal import Geometry

/// Decides when to report to the service manager that the daemon is alive: only while the dock's loop takes its turns.
///
/// A loop at rest may have no work for a long time. It is therefore woken, and counts as alive if it has taken a turn since. If
/// it has not, nothing is reported, and systemd ends the process (`WatchdogSec=`); the guard has stopped the dock long before.
struct ServiceHeart: Sendable {
    /// What to do now.
    enum Beat: Sendable, Equatable {
        /// Nothing.
        case rest
        /// Wake the loop.
        case ring
        /// Report to the service manager that the daemon is alive.
        case tell
    }

    private let pause: Seconds
    private var next: Seconds = 0
    private var turnsBefore: UInt64?

    /// `timeout`: how long the service manager waits for a sign of life, seconds.
    init(timeout: Seconds) { pause = timeout / 3 }

    /// Lets time pass; `turns` is the number of turns that the loop has taken.
    mutating func tick(now: Seconds, turns: UInt64) -> Beat {
        if let before = turnsBefore {
            guard turns != before else { return .rest }
            turnsBefore = nil
            return .tell
        }
        guard now >= next else { return .rest }
        next = now + pause
        turnsBefore = turns
        return .ring
    }
}
