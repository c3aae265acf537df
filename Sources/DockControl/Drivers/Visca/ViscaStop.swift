internal import Geometry

/// A stop is repeated until the camera answers it.
struct ViscaStop: Sendable, Equatable {
    /// A stop without an answer is repeated this many times; after that, the loop watches whether the camera stands still.
    static let most = 10

    /// A stop was refused or not answered.
    private(set) var isOwed = false
    /// How often it was repeated.
    private var repeats = 0
    /// Until this time, an error may be an answer to the guard's kind of stop (`encodeStop`).
    private var isEchoedUntil: Seconds = -.infinity

    /// The camera is greeted again.
    mutating func restart() { (isOwed, repeats) = (false, 0) }

    /// A stop was requested: its repetitions are counted from here.
    mutating func requested() { repeats = 0 }

    /// A stop was written, or a newer velocity replaces it.
    mutating func settled() { isOwed = false }

    /// A stop was refused or not answered.
    mutating func failed() { isOwed = repeats < Self.most }

    /// The camera has answered a stop.
    mutating func answered() { repeats = 0 }

    /// Whether to repeat the stop now. If a position inquiry is due, too, they take turns.
    mutating func isRepeatDue(inquiryDue: Bool) -> Bool {
        guard isOwed, !inquiryDue || repeats % 2 == 0 else { return false }
        repeats += 1
        return true
    }

    /// The guard's kind of stop was written: errors until this time may be about it.
    mutating func expectErrors(until time: Seconds) { isEchoedUntil = time }

    /// Whether an error may be about the guard's kind of stop.
    func mayCauseErrors(now: Seconds) -> Bool { now < isEchoedUntil }
}
