internal import Geometry

/// Decides when to ask the servos of a ready dock for their positions, and whether they still hold.
struct ServoPolling: Sendable, Equatable {
    /// The time between checks of whether a servo still holds, in seconds. After a brief loss of its supply, it comes
    /// back without torque.
    static let torqueCheckInterval: Seconds = 0.2

    /// How often the positions are requested.
    var rate = FeedbackRate()
    /// When they are next requested.
    private(set) var nextFeedback: Seconds = 0
    /// Whether the first of two servos that answer one by one has answered.
    private(set) var isHalfRead = false
    /// Whether a planned question comes before the next reading. On a slow line a reading takes as long as the interval
    /// between two, and nothing else would ever be asked.
    private(set) var owesPlanned = false
    private var nextTorqueCheck: Seconds = 0
    private var torqueCheck = 0

    /// Requests positions at once.
    mutating func hasten(now: Seconds) { nextFeedback = now }

    /// Records that one of two servos has answered.
    mutating func halfRead() { isHalfRead = true }

    /// Records that the positions of both have arrived, or that an answer is missing.
    mutating func endReading() { (isHalfRead, owesPlanned) = (false, true) }

    /// Records that a planned question was asked, or that there is none.
    mutating func paidPlanned() { owesPlanned = false }

    /// Returns whether to request positions now. If so, the next request is due an interval later, and the second
    /// servo's is due at once.
    mutating func isFeedbackDue(now: Seconds) -> Bool {
        if isHalfRead { return true }
        guard now >= nextFeedback else { return false }
        nextFeedback = now + rate.interval
        return true
    }

    /// Returns the servo to ask now whether it still holds, or nil if no check is due. The servos take turns.
    mutating func torqueCheck(now: Seconds) -> Int? {
        guard now >= nextTorqueCheck else { return nil }
        nextTorqueCheck = now + Self.torqueCheckInterval
        torqueCheck = 1 - torqueCheck
        return torqueCheck
    }
}
