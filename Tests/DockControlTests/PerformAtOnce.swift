import DockControl
import Synchronization
import TestSupport

extension DockLoop {
    /// As `perform`, without leaving the thread: beside tests that compute for minutes, a task that waits comes back when the motion
    /// that it began is long over.
    func performAtOnce(_ command: MotionCommand) throws -> MotionReceipt {
        let told = Told()
        post(command) { answer in told.answer.withLock { $0 = answer } }
        let isTold = eventually { told.answer.withLock { $0 } != nil }
        guard isTold, let answer = told.answer.withLock({ $0 }) else {
            throw DockError(.timeout, "the loop does not answer", hint: "")
        }
        return try answer.get()
    }
}

/// What the loop has answered.
private final class Told: Sendable {
    let answer = Mutex<MotionAnswer?>(nil)
}
