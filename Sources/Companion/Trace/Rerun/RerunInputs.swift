internal import DockControl

/// The serial line in one recorded turn.
struct RerunLine {
    private var received: [UInt8] = []
    private var hangs = false
    /// Whether the system accepted all bytes of each write.
    private var writes: [Bool] = []
    private var nextWrite = 0
    private var queues: [Int] = []

    mutating func record(received bytes: [UInt8]) { received += bytes }
    mutating func record(writeIsWhole: Bool) { writes.append(writeIsWhole) }
    mutating func record(queued bytes: Int) { queues.append(bytes) }
    mutating func recordHangUp() { hangs = true }

    mutating func read(into buffer: UnsafeMutableRawBufferPointer) -> LinkRead {
        guard !received.isEmpty else { return hangs ? .hangUp : .nothing }
        let count = min(received.count, buffer.count)
        buffer.copyBytes(from: received[..<count])
        received.removeFirst(count)
        return .bytes(count)
    }

    /// Returns whether the system accepted all bytes of this write.
    mutating func write(_ bytes: [UInt8]) -> Bool {
        guard !bytes.isEmpty else { return true }
        defer { nextWrite += 1 }
        return nextWrite < writes.count ? writes[nextWrite] : true
    }

    /// Returns the bytes that waited in the system at this look.
    mutating func queued() -> Int { queues.isEmpty ? 0 : queues.removeFirst() }
}

/// The ports in one recorded turn: the attempts to open one, and those that appeared and disappeared.
struct RerunPlugs {
    private var attempts: [TraceInput] = []
    private var came = 0, went = 0

    mutating func record(attempt: TraceInput) { attempts.append(attempt) }
    mutating func record(isNew: Bool) { if isNew { came += 1 } else { went += 1 } }

    /// Returns the next attempt if it is the port that is open at the beginning.
    mutating func opened() -> TraceInput? {
        guard case .opened? = attempts.first else { return nil }
        return attempts.removeFirst()
    }

    mutating func attempt() -> TraceInput? { attempts.isEmpty ? nil : attempts.removeFirst() }

    /// Returns the changes. Only the removed port is named, because it is the session's own.
    mutating func changes() -> [PortChange] {
        defer { (came, went) = (0, 0) }
        return [PortChange](repeating: .added(""), count: came)
            + [PortChange](repeating: .removed(RerunLink.portName), count: went)
    }
}

/// The guard in one recorded turn.
struct RerunGuardNews {
    private var looks: [(step: Int, isAlive: Bool, isAwaited: Bool)] = []
    private var nextLook = 0
    private var interventions: [GuardIntervention] = []
    private var renewals: [Bool] = []

    mutating func record(step: Int, isAlive: Bool, isAwaited: Bool) { looks.append((step, isAlive, isAwaited)) }
    mutating func record(_ intervention: GuardIntervention) { interventions.append(intervention) }
    mutating func record(renewalIsBegun: Bool) { renewals.append(renewalIsBegun) }

    /// Returns the guard's state at this look of the loop, or nil if unchanged.
    mutating func look() -> (isAlive: Bool, isAwaited: Bool)? {
        defer { nextLook += 1 }
        guard let news = looks.first, news.step <= nextLook else { return nil }
        looks.removeFirst()
        return (news.isAlive, news.isAwaited)
    }

    mutating func intervention() -> GuardIntervention? { interventions.isEmpty ? nil : interventions.removeFirst() }
    mutating func renewal() -> Bool { renewals.isEmpty ? false : renewals.removeFirst() }
}

/// The commands in one recorded turn.
struct RerunCommands {
    private var batch = CommandBatch()
    /// The program that sent the next command.
    private var program: ProgramID?

    mutating func record(_ command: MotionCommand) {
        batch.commands.append(QueuedCommand(command: command, program: program, reply: nil))
        program = nil
    }

    mutating func record(_ program: ProgramID) { self.program = program }
    mutating func record(_ lost: LostLease) { batch.lost.append(lost) }

    mutating func drain() -> CommandBatch {
        defer { batch = CommandBatch() }
        return batch
    }
}

/// The detections and the requests of other threads in one recorded turn, each in order.
struct RerunDetections {
    private(set) var seen: [TraceInput] = []
    private(set) var asked: [TraceInput] = []
    private(set) var hasMore = false, hasEnded = false

    mutating func record(hasMore: Bool, hasEnded: Bool) { (self.hasMore, self.hasEnded) = (hasMore, hasEnded) }

    /// Records an input. The rectangles of one frame may come in several records.
    mutating func record(_ input: TraceInput) {
        switch input {
        case .picture(let part):
            guard case .picture(var whole)? = seen.last, whole.continues else { return seen.append(input) }
            whole.faces += part.faces
            whole.continues = part.continues
            seen[seen.count - 1] = .picture(whole)
        case .observed(let part):
            guard case .observed(var whole)? = asked.last, whole.continues else { return asked.append(input) }
            whole.faces += part.faces
            whole.continues = part.continues
            asked[asked.count - 1] = .observed(whole)
        case .tap, .select: asked.append(input)
        default: seen.append(input)
        }
    }
}
