internal import CPosix
internal import Geometry
internal import Synchronization

/// A command, who gave it, and who waits for its answer.
package struct QueuedCommand: Sendable {
    /// What is wanted.
    package var command: MotionCommand
    /// The program that gave it; nil: none did.
    package var program: ProgramID?
    /// A person gave it: it outranks what programs want.
    package var isPersonal: Bool
    /// Called once, on the loop's thread.
    package var reply: (@Sendable (MotionAnswer) -> Void)?

    /// A command, who gave it, and who waits for its answer.
    package init(
        command: MotionCommand, program: ProgramID? = nil, isPersonal: Bool = false,
        reply: (@Sendable (MotionAnswer) -> Void)?
    ) {
        self.command = command
        self.program = program
        self.isPersonal = isPersonal
        self.reply = reply
    }

    /// In a full queue a command makes room for one of a higher rank.
    fileprivate var rank: Int {
        if case .gesture = command { return 0 }
        return (isPersonal ? 2 : 0) + (command.ends ? 1 : 0)
    }
}

extension MotionCommand {
    fileprivate var isStop: Bool { self == .stop || self == .emergencyStop }

    /// It ends motion and begins none.
    fileprivate var ends: Bool {
        switch self {
        case .stop, .emergencyStop, .cancel, .setMode(.manual): true
        case .chevron(let velocity, _): velocity == .zero
        default: false
        }
    }
}

/// All that waits for the loop, taken in one go.
package struct CommandBatch: Sendable {
    /// Leases that were lost, in order. Their motion ends before any of the commands is taken.
    package var lost: [LostLease] = []
    /// The commands, in order.
    package var commands: [QueuedCommand] = []

    /// Leases and commands.
    package init(lost: [LostLease] = [], commands: [QueuedCommand] = []) {
        self.lost = lost
        self.commands = commands
    }
}

/// Commands on their way to the loop's thread: at most 64 of programs, and as many again that end motion or that people give.
///
/// A stop always finds room and drops what waits before it. The end of a lease is no entry of the queue, so no backlog can
/// refuse it. In a full queue the newest command of the lowest rank makes room for one that outranks it.
package final class CommandQueue: Sendable {
    static let capacity = 64
    /// What ends a motion, and what people want, finds room where others do not.
    static let reserve = 64
    /// Lost leases that are kept apart for a loop that is held up.
    static let mostLost = 64

    private struct State {
        var waiting: [QueuedCommand] = []
        var lost: [LostLease] = []
        var isClosed = false
    }

    private let state = Mutex(State())

    /// Refused commands, each with the reason.
    package typealias Refusals = [(QueuedCommand, DockError)]

    /// Empty.
    package init() {}

    /// Puts a command in; returns those that are refused, this one or others, with the reason.
    package func put(_ new: QueuedCommand) -> Refusals {
        locked { state in
            if state.isClosed { return [(new, Self.ending)] }
            if new.command.isStop, SafetyMutant.stopLetsWaiting.isOn {
                state.waiting.insert(new, at: 0)
                return []
            }
            var refused: Refusals = []
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

    /// A program lost its lease: what waits of it is refused, but for a stop, and the loop ends what it moves. Nothing refuses this.
    package func end(_ lost: LostLease) -> Refusals {
        locked { state in
            guard !state.isClosed else { return [] }
            if SafetyMutant.leaseEndsLate.isOn, !state.waiting.isEmpty { return [] }
            let reason = DockError(
                .busy, "the program lost control before this began", hint: "acquire control, and give it again")
            // A stop needs no lease, and outlives whoever gave it.
            let isOver = { (waiting: QueuedCommand) in waiting.program == lost.program && !waiting.command.isStop }
            let refused = state.waiting.filter(isOver).map { ($0, reason) }
            state.waiting.removeAll(where: isOver)
            // While the loop is held up, leases may come and go. What it moves can only belong to the first of them, since nothing of
            // the later ones has reached it. So the newest are merged when there are too many.
            if state.lost.count == Self.mostLost {
                if lost.endsTracking { state.lost[Self.mostLost - 1].endsTracking = true }
                return refused
            }
            state.lost.append(lost)
            return refused
        }
    }

    /// Takes all that waits, in order.
    package func take() -> CommandBatch {
        locked { state in
            guard !state.waiting.isEmpty || !state.lost.isEmpty else { return CommandBatch() }
            let all = CommandBatch(lost: state.lost, commands: state.waiting)
            (state.waiting, state.lost) = ([], [])
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
