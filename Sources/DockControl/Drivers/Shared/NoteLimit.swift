internal import Geometry

/// Limits how often one kind of refusal is logged.
struct NoteLimit: Sendable, Equatable {
    /// The shortest time between two notes, in seconds.
    static let interval: Seconds = 10

    private var last: Seconds = -.infinity

    /// Returns whether a note may be logged at `now`. If so, it counts as logged.
    mutating func admit(now: Seconds) -> Bool {
        guard now - last >= Self.interval else { return false }
        last = now
        return true
    }
}
