public import DockTypes
internal import Geometry

/// Whether a program is connected to its daemon.
public enum DockConnection: Sendable, Equatable {
    /// It is, and the daemon described itself so.
    case connected(ControlGreeting)
    /// It is not, for this reason. The connection is tried again by itself.
    case disconnected(DockError)
    /// The program has closed it.
    case closed
}

/// When to connect again, as a pure value: soon at first, then less often.
struct Reconnection: Sendable, Equatable {
    private var delay: Seconds = 0
    /// When to try, CLOCK_MONOTONIC; nil while connected.
    private(set) var due: Seconds?

    /// The first delay and the longest, in seconds.
    static let first: Seconds = 0.1, longest: Seconds = 2

    /// Records the end of a connection, or an attempt that failed.
    mutating func failed(now: Seconds) {
        delay = delay == 0 ? Self.first : min(delay * 2, Self.longest)
        due = now + delay
    }

    /// Records a connection.
    mutating func connected() { self = Reconnection() }
}
