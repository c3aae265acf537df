internal import Geometry
internal import Glibc

/// Decides how the running capture program is replaced, once, by one that also writes the camera's own size: it is asked
/// to end, and killed if it does not. Its owner reports events, sends the signals and starts the other one.
struct FullSizeSwitch: Sendable, Equatable {
    private enum Phase: Equatable {
        case off
        case asked(killAt: Seconds)
        case killed
        case on
    }

    private var phase = Phase.off

    /// How long the program may take to end before it is killed, in seconds.
    static let grace: Seconds = 0.3

    /// Whether the running program writes the camera's own size.
    var isOn: Bool { phase == .on }

    /// Whether the running program is ending for this reason, so that its end is no failure.
    var isUnderWay: Bool { phase != .off && phase != .on }

    /// The latest time for the next call of `signal`, CLOCK_MONOTONIC, or nil if there is none.
    var deadline: Seconds? { if case .asked(let killAt) = phase { killAt } else { nil } }

    /// Returns the signal to send to the running program at `now`, or nil if there is none. `isWanted`: another program
    /// has asked for the camera's own size; `isRunning`: frames arrive, so that nothing else is wrong with the program.
    mutating func signal(isWanted: Bool, isRunning: Bool, now: Seconds) -> Int32? {
        switch phase {
        case .off where isWanted && isRunning:
            phase = .asked(killAt: now + Self.grace)
            return SIGTERM
        case .asked(let killAt) where now >= killAt:
            phase = .killed
            return SIGKILL
        case .off, .asked, .killed, .on: return nil
        }
    }

    /// Records that a program starts. `isWanted`: it writes the camera's own size.
    mutating func begins(isWanted: Bool) { phase = isWanted ? .on : .off }
}
