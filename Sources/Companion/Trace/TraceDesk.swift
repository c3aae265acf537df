internal import Geometry

/// Who waits for a trace, and whether one more may be written now.
struct TraceDesk: Sendable {
    /// Traces of faults are no closer to each other than this, seconds.
    static let pause: Seconds = 10
    /// More than these do not wait.
    static let mostWaiting = 16

    private var waiting: [Ticket] = []
    private var lastFault: Seconds?

    /// Somebody asks. True: the loop is to be asked; false: another's answer is on its way and will do; nil: too many wait.
    mutating func ask(_ ticket: Ticket) -> Bool? {
        guard waiting.count < Self.mostWaiting else { return nil }
        waiting.append(ticket)
        return waiting.count == 1
    }

    /// Whether a fault's trace that comes at `now` is to be written.
    mutating func admits(now: Seconds) -> Bool {
        if let lastFault, now - lastFault < Self.pause { return false }
        lastFault = now
        return true
    }

    /// Those that were waiting.
    mutating func answered() -> [Ticket] {
        defer { waiting.removeAll() }
        return waiting
    }
}
