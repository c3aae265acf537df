internal import Geometry

/// The torque that is to be switched off, or that the dock has switched off by itself.
///
/// A hand may be caught, so `torque off` is answered only when the dock itself reports that its torque is off.
struct TorqueRelease {
    /// A request that waits for the dock's report.
    struct Waiting {
        /// Receives the answer, or nil if no client waits for it.
        let reply: (@Sendable (MotionAnswer) -> Void)?
        /// The answer if the dock confirms.
        let answer: MotionAnswer
        /// When the wait for the report ends.
        let until: Seconds
    }

    /// How long to wait for the dock's report, in seconds. The driver still repeats the request afterwards.
    static let patience: Seconds = 1

    /// Whether `torque off` was sent to the dock, which has not confirmed it.
    private(set) var isPending = false
    /// Whether the dock has switched its torque off without a request.
    private(set) var hasLetGo = false
    private var waiting: Waiting?

    /// When the wait for the dock's report ends.
    var deadline: Seconds { waiting?.until ?? .infinity }

    /// Records that a request switched the torque; `isSent`: the dock received the command.
    mutating func switched(on: Bool, isSent: Bool) { (hasLetGo, isPending) = (false, !on && isSent) }

    /// Records that the torque is off according to the loop. The dock must still confirm it.
    mutating func markPending() { isPending = true }

    /// Records that the dock has switched its torque off by itself; `isSent`: it received the command to leave it off.
    mutating func letGo(isSent: Bool) { (hasLetGo, isPending) = (true, isSent) }

    /// Gives `answer` to `reply` when the dock confirms.
    mutating func wait(now: Seconds, answer: MotionAnswer, reply: (@Sendable (MotionAnswer) -> Void)?) {
        waiting = Waiting(reply: reply, answer: answer, until: now + Self.patience)
    }

    /// Processes the dock's report that its torque is off.
    /// - Returns: the request that waited for it, which is then answered.
    mutating func confirmed() -> Waiting? {
        isPending = false
        return end()
    }

    /// Ends the wait, whatever the dock does.
    /// - Returns: the request that waited.
    mutating func end() -> Waiting? {
        defer { waiting = nil }
        return waiting
    }
}
