internal import Geometry

/// Motors that are to let go, or that have let go by themselves.
///
/// A hand may be caught. So `torque off` is answered when the dock itself reports that it has let go.
struct TorqueRelease {
    /// A request that waits for the dock's report.
    struct Waiting {
        /// Gets the answer; nil: no one waits for it.
        let reply: (@Sendable (MotionAnswer) -> Void)?
        /// The answer if the dock confirms.
        let answer: MotionAnswer
        /// When the time for the report is over.
        let until: Seconds
    }

    /// How long to wait for the dock's report, seconds. The driver goes on repeating the request all the same.
    static let patience: Seconds = 1

    /// The dock was told to let go, and has not reported that it did.
    private(set) var isOwed = false
    /// The dock has let go without a request.
    private(set) var hasLetGo = false
    private var waiting: Waiting?

    /// When the time for the dock's report is over.
    var deadline: Seconds { waiting?.until ?? .infinity }

    /// The torque was switched by a request; `isSent`: the dock was told.
    mutating func switched(on: Bool, isSent: Bool) { (hasLetGo, isOwed) = (false, !on && isSent) }

    /// The motors are let go of as far as that is known here. The dock must confirm it.
    mutating func owe() { isOwed = true }

    /// The dock has let go by itself; `isSent`: it was told to leave it at that.
    mutating func letGo(isSent: Bool) { (hasLetGo, isOwed) = (true, isSent) }

    /// `reply` gets `answer` when the dock confirms.
    mutating func wait(now: Seconds, answer: MotionAnswer, reply: (@Sendable (MotionAnswer) -> Void)?) {
        waiting = Waiting(reply: reply, answer: answer, until: now + Self.patience)
    }

    /// The dock reports that its torque is off.
    /// - Returns: the request that waited for it, which gets its answer now.
    mutating func confirmed() -> Waiting? {
        isOwed = false
        return end()
    }

    /// The wait is over, whatever the dock does.
    /// - Returns: the request that waited.
    mutating func end() -> Waiting? {
        defer { waiting = nil }
        return waiting
    }
}
