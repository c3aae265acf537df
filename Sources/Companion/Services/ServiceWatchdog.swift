internal import Geometry

/// Decides when to report to the service manager that the daemon is alive: only while the dock's loop takes its turns.
///
/// A loop at rest may have no work for a long time. It is therefore woken, and counts as alive if it has taken a turn
/// since then. If it has not, nothing is reported, and systemd ends the process (`WatchdogSec=`). By then the guard has
/// long stopped the dock.
struct ServiceWatchdog: Sendable {
    /// The action to take now.
    enum Beat: Sendable, Equatable {
        /// No action.
        case rest
        /// Wakes the loop.
        case ring
        /// Reports to the service manager that the daemon is alive.
        case tell
    }

    private let pause: Seconds
    private var next: Seconds = 0
    private var turnsBefore: UInt64?

    /// Creates the heart. `timeout` is the time for which the service manager waits for a sign of life, in seconds.
    init(timeout: Seconds) { pause = timeout / 3 }

    /// Advances the time. `turns` is the number of turns that the loop has taken.
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
