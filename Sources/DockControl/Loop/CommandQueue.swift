internal import CPosix
internal import Synchronization

/// A command and who waits for its answer.
struct QueuedCommand: Sendable {
    var command: MotionCommand
    var reply: (@Sendable (MotionAnswer) -> Void)?
}

/// Commands on their way to the loop thread: at most 64. Stop goes before all, and never finds the queue full.
final class CommandQueue: Sendable {
    static let capacity = 64

    private struct State {
        var waiting: [QueuedCommand] = []
        var isClosed = false
    }

    private let state = Mutex(State())

    func put(_ new: QueuedCommand) {
        var refused: [QueuedCommand] = []
        var reason = DockError(.busy, "64 commands are waiting", hint: "slow down")
        locked { state in
            if state.isClosed {
                refused = [new]
                reason = DockError(.notConnected, "dockface is ending", hint: "start it again")
            } else if new.command == .stop || new.command == .emergencyStop {
                reason = DockError(.busy, "a stop came first", hint: "give the command again")
                refused = state.waiting.filter { $0.command != .stop && $0.command != .emergencyStop }
                state.waiting.removeAll { $0.command != .stop && $0.command != .emergencyStop }
                if state.waiting.count < Self.capacity { state.waiting.append(new) } else { refused.append(new) }
            } else if state.waiting.count < Self.capacity {
                state.waiting.append(new)
            } else {
                refused = [new]
            }
        }
        for command in refused { command.reply?(.failure(reason)) }
    }

    /// Takes all that waits, in order.
    func take() -> [QueuedCommand] {
        locked { state in
            guard !state.waiting.isEmpty else { return [] }
            let all = state.waiting
            state.waiting = []
            return all
        }
    }

    /// From now on everything is refused.
    func close() {
        let left = locked { state in
            state.isClosed = true
            let left = state.waiting
            state.waiting = []
            return left
        }
        for command in left {
            command.reply?(.failure(DockError(.notConnected, "dockface is ending", hint: "start it again")))
        }
    }

    private func locked<Result>(_ body: (inout State) -> Result) -> Result {
        let address = Unmanaged.passUnretained(self).toOpaque()
        return state.withLock { state in
            cposix_tsan_acquire(address)
            defer { cposix_tsan_release(address) }
            return body(&state)
        }
    }
}
