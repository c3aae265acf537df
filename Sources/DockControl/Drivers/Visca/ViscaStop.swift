internal import Geometry

/// Repeats a stop until the camera answers it.
struct ViscaStop: Sendable, Equatable {
    /// The number of times that an unanswered stop is repeated. After that, the loop checks whether the camera is at
    /// rest.
    static let most = 10

    /// Whether a stop was refused or not answered, so that it must be repeated.
    private(set) var isPending = false
    /// How often the stop was repeated.
    private var repeats = 0
    /// The time until which an error may be an answer to the guard's kind of stop (`encodeStop`).
    private var isEchoedUntil: Seconds = -.infinity

    /// Starts again: the camera is greeted.
    mutating func restart() { (isPending, repeats) = (false, 0) }

    /// Records that a stop was requested. Its repetitions are counted from here.
    mutating func requested() { repeats = 0 }

    /// Records that a stop was written, or that a newer velocity replaces it.
    mutating func settled() { isPending = false }

    /// Records that a stop was refused or not answered.
    mutating func failed() { isPending = repeats < Self.most }

    /// Records that the camera has answered a stop.
    mutating func answered() { repeats = 0 }

    /// Returns whether to repeat the stop now. If a position inquiry is also due, they take turns.
    mutating func isRepeatDue(inquiryDue: Bool) -> Bool {
        guard isPending, !inquiryDue || repeats % 2 == 0 else { return false }
        repeats += 1
        return true
    }

    /// Records that the guard's kind of stop was written. Errors until this time may concern it.
    mutating func expectErrors(until time: Seconds) { isEchoedUntil = time }

    /// Returns whether an error may concern the guard's kind of stop.
    func mayCauseErrors(now: Seconds) -> Bool { now < isEchoedUntil }
}
