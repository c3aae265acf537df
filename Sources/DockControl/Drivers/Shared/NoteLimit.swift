internal import Geometry

/// Limits how often one kind of refusal is logged.
struct NoteLimit: Sendable, Equatable {
    /// Shortest time between two notes, seconds.
    static let interval: Seconds = 10

    private var last: Seconds = -.infinity

    /// Whether a note may be logged at `now`; it then counts as logged.
    mutating func admit(now: Seconds) -> Bool {
        guard now - last >= Self.interval else { return false }
        last = now
        return true
    }
}
