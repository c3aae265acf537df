internal import Geometry

/// The requests that wait for a trace, and the decision whether another trace may be written now.
struct TraceDesk: Sendable {
    /// The minimum time between two traces of faults, in seconds.
    static let pause: Seconds = 10
    /// The maximum number of waiting requests.
    static let mostWaiting = 16

    private var waiting: [Ticket] = []
    private var lastFault: Seconds?

    /// Adds a request. Returns true if the loop must be asked for a trace, and false if one is already on its way,
    /// which also answers this request. The result is nil if too many requests wait.
    mutating func ask(_ ticket: Ticket) -> Bool? {
        guard waiting.count < Self.mostWaiting else { return nil }
        waiting.append(ticket)
        return waiting.count == 1
    }

    /// Returns whether to write a fault's trace that arrives at `now`.
    mutating func admits(now: Seconds) -> Bool {
        if let lastFault, now - lastFault < Self.pause { return false }
        lastFault = now
        return true
    }

    /// Returns the waiting requests and removes them.
    mutating func answered() -> [Ticket] {
        defer { waiting.removeAll() }
        return waiting
    }
}
