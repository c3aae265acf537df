internal import Geometry

/// Whether a stage on standby still lives: it is asked now and then, and one that has answered once is expected to go on. Stages need not
/// answer at all, so one that never has is left alone.
struct StagePulse: Sendable {
    /// What to do.
    enum Order: Sendable, Equatable {
        /// Ask it.
        case ask
        /// It has answered before, and does not any more.
        case silent
    }

    /// Between two questions, and from a question to its answer at most, seconds.
    static let period: Seconds = 10, patience: Seconds = 5
    private var nextQuestion: Seconds = .infinity
    private var askedAt: Seconds?
    private var hasAnswered = false

    /// What to do at `now`; `isResting`: it is on standby, where nothing else shows that it lives.
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

    /// It has answered.
    mutating func answered() { (hasAnswered, askedAt) = (true, nil) }

    /// When `next` has something to say at the latest; nil: never.
    var deadline: Seconds? {
        if let asked = askedAt { return hasAnswered ? asked + Self.patience : nil }
        return nextQuestion.isFinite ? nextQuestion : nil
    }
}

/// The picture that a stage looks at, where every picture counts: who ends over one is given it once more, and then it is left out, for it
/// may be the picture that ends it.
struct HeldPicture {
    private var picture: (any StagePicture)?
    private var times = 0
    private var isDue = false

    /// The picture to hand out once more; nil: none.
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

    /// The stage has ended; true: the picture that it looked at is left out.
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
