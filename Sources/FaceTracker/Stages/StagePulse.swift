internal import Geometry

/// Watches a stage on standby with an occasional ping. A stage that has answered once must continue to answer. Answers
/// are optional, so a stage that never answered is left alone.
struct StagePulse: Sendable {
    /// The next action.
    enum Order: Sendable, Equatable {
        /// Sends a ping.
        case ask
        /// Reports that it has answered before and no longer does.
        case silent
    }

    /// The time between two pings, and the longest wait for an answer, in seconds.
    static let period: Seconds = 10, patience: Seconds = 5
    private var nextQuestion: Seconds = .infinity
    private var askedAt: Seconds?
    private var hasAnswered = false

    /// Returns the action at `now`; `isResting`: the stage is on standby, where there is no other sign of life.
    mutating func next(isResting: Bool, now: Seconds) -> Order? {
        guard isResting else {
            (nextQuestion, askedAt) = (.infinity, nil)
            return nil
        }
        if let asked = askedAt {
            guard hasAnswered, now - asked >= Self.patience else { return nil }
            (askedAt, nextQuestion) = (nil, .infinity)
            return .silent
        }
        if nextQuestion == .infinity { nextQuestion = now }
        guard now >= nextQuestion else { return nil }
        (askedAt, nextQuestion) = (now, now + Self.period)
        return .ask
    }

    /// Records that an answer arrived.
    mutating func answered() { (hasAnswered, askedAt) = (true, nil) }

    /// The latest time for the next call of `next`, or nil if none is needed.
    var deadline: Seconds? {
        if let asked = askedAt { return hasAnswered ? asked + Self.patience : nil }
        return nextQuestion.isFinite ? nextQuestion : nil
    }
}

/// The frame that a stage is processing, if every frame counts. If the stage ends during it, the frame is handed out
/// once more. After a second end it is skipped, because it may be the cause.
struct HeldPicture {
    private var picture: (any StagePicture)?
    private var times = 0
    private var isDue = false

    /// Returns the frame to hand out once more, or nil if there is none.
    mutating func again() -> (any StagePicture)? {
        guard isDue else { return nil }
        isDue = false
        return picture
    }

    mutating func handedOut(_ picture: any StagePicture) {
        times = self.picture === picture ? times + 1 : 1
        self.picture = picture
    }

    mutating func answered() { (picture, times, isDue) = (nil, 0, false) }

    /// Records that the stage has ended. Returns true if its frame is skipped.
    mutating func lost() -> Bool {
        guard picture != nil else { return false }
        guard times < 2 else {
            answered()
            return true
        }
        isDue = true
        return false
    }
}
