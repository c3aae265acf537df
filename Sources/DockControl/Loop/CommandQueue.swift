internal import CPosix
package import DockTypes
internal import Geometry
internal import Synchronization

/// A command with its sender and the receiver of the answer.
package struct QueuedCommand: Sendable {
    /// The command.
    package var command: MotionCommand
    /// The program that sent it, or nil if there is none.
    package var program: ProgramID?
    /// Whether a person gave the command, so that it outranks programs' commands.
    package var isPersonal: Bool
    /// Receives the answer; called once, on the loop's thread.
    package var reply: (@Sendable (MotionAnswer) -> Void)?

    /// Creates an entry of the queue.
    package init(
        command: MotionCommand, program: ProgramID? = nil, isPersonal: Bool = false,
        reply: (@Sendable (MotionAnswer) -> Void)?
    ) {
        self.command = command
        self.program = program
        self.isPersonal = isPersonal
        self.reply = reply
    }

    /// The rank of the command. In a full queue, a command is displaced by one of a higher rank.
    fileprivate var rank: Int {
        if case .gesture = command { return 0 }
        return (isPersonal ? 2 : 0) + (command.ends ? 1 : 0)
    }
}

extension MotionCommand {
    fileprivate var isStop: Bool { self == .stop || self == .emergencyStop }

    /// Whether the command makes the rig safer, so that it remains valid without its sender.
    fileprivate var outlivesLease: Bool { isStop || self == .torque(false) }

    /// Whether the command ends motion and does not begin any.
    fileprivate var ends: Bool {
        switch self {
        case .stop, .emergencyStop, .cancel, .setMode(.manual): true
        case .chevron(let velocity, _): velocity == .zero
        default: false
        }
    }
}

/// All entries that wait for the loop, taken together.
package struct CommandBatch: Sendable {
    /// The lost leases, in order. Their motion ends before any of the commands is executed.
    package var lost: [LostLease] = []
    /// The commands, in order.
    package var commands: [QueuedCommand] = []

    /// Creates a batch.
    package init(lost: [LostLease] = [], commands: [QueuedCommand] = []) {
        self.lost = lost
        self.commands = commands
    }
}

/// The commands for the loop's thread: at most 64 from programs, and 64 more that end motion or come from people.
///
/// A stop always finds room and drops the commands that wait before it. The end of a lease is not an entry of the
/// queue, so no backlog can block it. In a full queue, the newest command of the lowest rank is displaced by one that
/// outranks it.
package final class CommandQueue: Sendable {
    static let capacity = 64
    /// The additional places for commands that end motion and for commands from people.
    static let reserve = 64
    /// The largest number of lost leases that are kept separately while the loop is held up.
    static let mostLost = 64

    private struct State {
        var waiting: [QueuedCommand] = []
        var lost: [LostLease] = []
        var isClosed = false
    }

    private let state = Mutex(State())

    /// Rejected commands, each with the reason.
    package typealias Refusals = [(QueuedCommand, DockError)]

    /// Creates an empty queue.
    package init() {}

    /// Adds a command. Returns the rejected commands, which may include the new one, with the reasons.
    package func put(_ new: QueuedCommand) -> Refusals {
        locked { state in
            if state.isClosed { return [(new, Self.ending)] }
            if new.command.isStop, SafetyMutant.stopKeepsQueue.isOn {
                state.waiting.insert(new, at: 0)
                return []
            }
            var refused: Refusals = []
            if new.command.isStop {
                let reason = DockError(.busy, "a stop came first", hint: "give the command again")
                // Commands that only end motion are also dropped: the stop has the same effect, and there must be room
                // for it.
                refused = state.waiting.filter { !$0.command.isStop }.map { ($0, reason) }
                state.waiting.removeAll { !$0.command.isStop }
                // The queue is full of stops: one of them makes room for the newest, an ordinary stop if possible.
                if state.waiting.count >= Self.capacity + Self.reserve {
                    let weakest = state.waiting.lastIndex { $0.command == .stop } ?? state.waiting.count - 1
                    refused.append((state.waiting.remove(at: weakest), reason))
                }
            } else if state.waiting.count >= (new.rank > 0 ? Self.capacity + Self.reserve : Self.capacity) {
                let full = DockError(.busy, "\(Self.capacity) commands are waiting", hint: "slow down")
                let lowest = state.waiting.filter { !$0.command.isStop }.map(\.rank).min() ?? .max
                guard lowest < new.rank,
                    let place = state.waiting.lastIndex(where: { $0.rank == lowest && !$0.command.isStop })
                else { return [(new, full)] }
                refused.append((state.waiting.remove(at: place), full))
            }
            state.waiting.append(new)
            return refused
        }
    }

    /// Ends a lost lease: rejects the program's waiting commands, except stops and `torque off`, and lets the loop end
    /// its motion. This never fails.
    package func end(_ lost: LostLease) -> Refusals {
        locked { state in
            guard !state.isClosed else { return [] }
            if SafetyMutant.leaseEndsLate.isOn, !state.waiting.isEmpty { return [] }
            let reason = DockError(
                .busy, "the program lost its lease before this began", hint: "acquire control, and give it again")
            let isOver = { (waiting: QueuedCommand) in
                waiting.program == lost.program && !waiting.command.outlivesLease
            }
            let refused = state.waiting.filter(isOver).map { ($0, reason) }
            state.waiting.removeAll(where: isOver)
            // While the loop is held up, several leases may begin and end. The present motion can only belong to the
            // first of them, because no command of the later ones has reached the loop. If there are too many, the
            // newest ones are therefore merged.
            if state.lost.count == Self.mostLost {
                if lost.endsTracking { state.lost[Self.mostLost - 1].endsTracking = true }
                return refused
            }
            state.lost.append(lost)
            return refused
        }
    }

    /// Takes all waiting entries, in order.
    package func take() -> CommandBatch {
        locked { state in
            guard !state.waiting.isEmpty || !state.lost.isEmpty else { return CommandBatch() }
            let all = CommandBatch(lost: state.lost, commands: state.waiting)
            (state.waiting, state.lost) = ([], [])
            return all
        }
    }

    /// Closes the queue: rejects the waiting commands and all later ones.
    package func close() {
        let left = locked { state in
            state.isClosed = true
            let left = state.waiting
            state.waiting = []
            return left
        }
        for command in left { command.reply?(.failure(Self.ending)) }
    }

    private static let ending = DockError(.notConnected, "dockface is ending", hint: "start it again")

    private func locked<Result>(_ body: (inout State) -> Result) -> Result {
        let address = Unmanaged.passUnretained(self).toOpaque()
        return state.withLock { state in
            cposix_tsan_acquire(address)
            defer { cposix_tsan_release(address) }
            return body(&state)
        }
    }
}
