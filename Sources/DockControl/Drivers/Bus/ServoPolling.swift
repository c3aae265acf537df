internal import Geometry

/// When the servos of a dock that is ready are asked for their positions, and whether they still hold.
struct ServoPolling: Sendable, Equatable {
    /// Time between checks whether a servo still holds, seconds: after losing its supply for a moment, it comes back without
    /// torque.
    static let torqueCheckInterval: Seconds = 0.2

    /// How often the positions are requested.
    var rate = FeedbackRate()
    /// When they are requested next.
    private(set) var nextFeedback: Seconds = 0
    /// The first of two servos that answer one by one has answered.
    private(set) var isHalfRead = false
    private var nextTorqueCheck: Seconds = 0
    private var torqueCheck = 0

    /// Positions are requested at once.
    mutating func hasten(now: Seconds) { nextFeedback = now }

    /// One of two servos has answered.
    mutating func halfRead() { isHalfRead = true }

    /// The positions of both have arrived, or an answer is missing.
    mutating func endReading() { isHalfRead = false }

    /// Whether to request positions now. If so, the next request is due an interval later, and the second servo's at once.
    mutating func isFeedbackDue(now: Seconds) -> Bool {
        if isHalfRead { return true }
        guard now >= nextFeedback else { return false }
        nextFeedback = now + rate.interval
        return true
    }

    /// The servo to be asked now whether it still holds, the two in turn; nil: none.
    mutating func torqueCheck(now: Seconds) -> Int? {
        guard now >= nextTorqueCheck else { return nil }
        nextTorqueCheck = now + Self.torqueCheckInterval
        torqueCheck = 1 - torqueCheck
        return torqueCheck
    }
}
