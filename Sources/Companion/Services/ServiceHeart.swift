internal import Geometry

/// When the service manager may be told that the daemon lives: only while the dock's loop takes its turns.
///
/// A loop at rest may have nothing to do for long, so it is asked: rung, and believed alive when it has turned since. One that
/// has not is not told of, and systemd ends the process (`WatchdogSec=`); the guard has stopped the dock long before.
struct ServiceHeart: Sendable {
    /// What to do now.
    enum Beat: Sendable, Equatable {
        /// Nothing.
        case rest
        /// Wake the loop.
        case ring
        /// It lives: tell the service manager.
        case tell
    }

    private let pause: Seconds
    private var next: Seconds = 0
    private var turnsBefore: UInt64?

    /// `timeout`: how long the service manager waits for a sign of life, seconds.
    init(timeout: Seconds) { pause = timeout / 3 }

    /// Time passes; `turns` counts those that the loop has taken.
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
