internal import CPosix
internal import Synchronization

/// A command and who waits for its answer.
package struct QueuedCommand: Sendable {
    /// What is wanted.
    package var command: MotionCommand
    /// Called once, on the loop's thread.
    package var reply: (@Sendable (MotionAnswer) -> Void)?

    /// A command, and who waits for its answer.
    package init(command: MotionCommand, reply: (@Sendable (MotionAnswer) -> Void)?) {
        self.command = command
        self.reply = reply
    }
}

extension MotionCommand {
    fileprivate var isStop: Bool { self == .stop || self == .emergencyStop }

    /// It ends motion and begins none.
    fileprivate var ends: Bool {
        switch self {
        case .stop, .emergencyStop, .cancel, .setMode(.manual): true
        default: false
        }
    }
}

/// Commands on their way to the loop thread: at most 64, and what ends motion besides. A stop drops what waits before it.
package final class CommandQueue: Sendable {
    static let capacity = 64

    private struct State {
        var waiting: [QueuedCommand] = []
        var isClosed = false
    }

    private let state = Mutex(State())

    /// What ends a motion finds room where others do not.
    static let reserve = 64

    /// Empty.
    package init() {}

    /// Puts a command in; returns those that are refused, with the reason, whoever's they are.
    package func put(_ new: QueuedCommand) -> [(QueuedCommand, DockError)] {
        locked { state in
            if state.isClosed {
                return [(new, DockError(.notConnected, "dockface is ending", hint: "start it again"))]
            }
            var refused: [(QueuedCommand, DockError)] = []
            if new.command.isStop, SafetyMutant.stopLetsWaiting.isOn {
                state.waiting.insert(new, at: 0)
                return []
            }
            if new.command.isStop {
                let reason = DockError(.busy, "a stop came first", hint: "give the command again")
                // Also what only ends motion: the stop does that, and must find room.
                refused = state.waiting.filter { !$0.command.isStop }.map { ($0, reason) }
                state.waiting.removeAll { !$0.command.isStop }
                // So many stops wait that one of them, no emergency stop if it can be, may go for the newest.
                if state.waiting.count >= Self.capacity + Self.reserve {
                    let weakest = state.waiting.lastIndex { $0.command == .stop } ?? state.waiting.count - 1
                    refused.append((state.waiting.remove(at: weakest), reason))
                }
            }
            let room = new.command.ends ? Self.capacity + Self.reserve : Self.capacity
            if state.waiting.count < room {
                state.waiting.append(new)
            } else {
                refused.append((new, DockError(.busy, "\(Self.capacity) commands are waiting", hint: "slow down")))
            }
            return refused
        }
    }

    /// Takes all that waits, in order.
    package func take() -> [QueuedCommand] {
        locked { state in
            guard !state.waiting.isEmpty else { return [] }
            let all = state.waiting
            state.waiting = []
            return all
        }
    }

    /// From now on everything is refused.
    package func close() {
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
