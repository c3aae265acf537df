internal import Synchronization

/// Messages for a thread, bounded by their number and their bytes. What does not fit is refused, and the sender
/// decides.
final class Mailbox<Message: Sendable>: Sendable {
    private struct State: Sendable {
        var messages: [Message] = []
        var bytes = 0
    }

    private let state = Mutex(State())
    private let most: Int
    private let mostBytes: Int

    init(most: Int, bytes: Int = .max) { (self.most, mostBytes) = (most, bytes) }

    /// The bytes that wait.
    var bytes: Int { state.withLock { $0.bytes } }

    /// Adds a message. Returns false if there is no room. `isUrgent`: it is one of few, and always has room.
    func put(_ message: Message, bytes: Int = 0, isUrgent: Bool = false) -> Bool {
        state.withLock { state in
            let hasRoom = state.messages.count < most && bytes <= mostBytes - state.bytes
            guard hasRoom || isUrgent else { return false }
            state.messages.append(message)
            state.bytes += bytes
            return true
        }
    }

    /// Takes all messages.
    func takeAll() -> [Message] {
        state.withLock { state in
            defer { state = State() }
            return state.messages
        }
    }
}
