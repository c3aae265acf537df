internal import Synchronization

/// Whether a message is being sent: the frames of two messages must not mix.
final class SendTurn: Sendable {
    private let isTaken = Mutex(false)

    /// Begins a message. Returns false if another one is being sent.
    func begin() -> Bool {
        isTaken.withLock { isTaken in
            defer { isTaken = true }
            return !isTaken
        }
    }

    /// Ends a message.
    func end() { isTaken.withLock { $0 = false } }
}
