import DockControl
import DockTypes
import Synchronization
import TestSupport

extension DockLoop {
    /// Like `perform`, without leaving the thread: next to tests that compute for minutes, a waiting task resumes long
    /// after the motion that it began.
    func performAtOnce(_ command: MotionCommand) throws -> MotionReceipt {
        let box = AnswerBox()
        post(command) { answer in box.answer.withLock { $0 = answer } }
        let isAnswered = eventually { box.answer.withLock { $0 } != nil }
        guard isAnswered, let answer = box.answer.withLock({ $0 }) else {
            throw DockError(.timeout, "the loop does not answer", hint: "")
        }
        return try answer.get()
    }
}

/// The loop's answer.
private final class AnswerBox: Sendable {
    let answer = Mutex<MotionAnswer?>(nil)
}
