internal import DockControl
internal import Geometry

/// One turn of a recorded session: its inputs and its decisions.
struct RerunTurn {
    /// The call of the loop.
    enum Call: Equatable {
        case begin
        case turn(TraceWake)
        case over
    }

    var time: Seconds
    var call: Call
    /// How long the machine has slept in total, seconds; nil: unchanged.
    var asleep: Seconds?
    /// Whether records are missing in this turn or after it.
    var isTorn = false
    /// Whether the trace ends with this turn, possibly in the middle because the program was killed or the file was full.
    var isOpenEnded = false
    var received: [UInt8] = []
    var hangs = false
    /// The writes, and whether the system accepted all bytes of each.
    var written: [(bytes: [UInt8], isWhole: Bool)] = []
    var queued: [Int] = []
    /// The attempts to open a port.
    var ports: [TraceInput] = []
    var came = 0, went = 0
    var guards: [(step: Int, isAlive: Bool, isAwaited: Bool)] = []
    var interventions: [GuardIntervention] = []
    var renewals: [Bool] = []
    var isHurried = true
    var magnification: Double?
    var batch = CommandBatch()
    /// The program that sent the next command.
    private var program: ProgramID?
    /// The inputs from the detections, in order.
    var seen: [TraceInput] = []
    var hasMore = false, hasEnded = false
    /// The requests of other threads, in order.
    var asked: [TraceInput] = []
    /// `set` and `tx`, in order.
    var decisions: [TraceRecord] = []

    init(time: Seconds, call: Call, asleep: Seconds?) {
        self.time = time
        self.call = call
        self.asleep = asleep
    }

    /// Returns the turns of a trace; records before the first turn are ignored. Nil: no turns.
    static func all(in records: [TraceRecord]) -> [RerunTurn]? {
        var turns: [RerunTurn] = []
        for record in records {
            if case .input(let input) = record.body, let turn = RerunTurn(input, at: record.time) {
                turns.append(turn)
            } else if !turns.isEmpty {
                turns[turns.count - 1].take(record)
            }
        }
        guard let last = turns.indices.last else { return nil }
        if turns[last].call != .over {
            turns[last].isOpenEnded = true
            turns[last].isTorn = false
        }
        return turns
    }

    private init?(_ input: TraceInput, at time: Seconds) {
        switch input {
        case .begin(let asleep): self.init(time: time, call: .begin, asleep: asleep)
        case .turn(let wake, let asleep): self.init(time: time, call: .turn(wake), asleep: asleep)
        case .over: self.init(time: time, call: .over, asleep: nil)
        default: return nil
        }
    }

    private mutating func take(_ record: TraceRecord) {
        switch record.body {
        case .fromDock(let bytes): received += bytes
        case .toDock(let bytes, let isCut):
            written.append((bytes, !isCut))
            decisions.append(record)
        case .set: decisions.append(record)
        case .command(let name, let values, let text):
            guard let command = MotionCommand(name: name, values: values, text: text) else { return isTorn = true }
            batch.commands.append(QueuedCommand(command: command, program: program, reply: nil))
            program = nil
        case .input(let input): take(input)
        case .pose, .rectangles, .state, .end, .note: break  // derived from the other records
        }
    }

    private mutating func take(_ input: TraceInput) {
        switch input {
        case .opened, .notOpened: ports.append(input)
        case .hungUp: hangs = true
        case .queued(let bytes): queued.append(bytes)
        case .guardian(let step, let isAlive, let isAwaited): guards.append((step, isAlive, isAwaited))
        case .intervention(let did): interventions.append(did)
        case .renewed(let isBegun): renewals.append(isBegun)
        case .port(let isNew): if isNew { came += 1 } else { went += 1 }
        case .notHurried: isHurried = false
        case .zoom(let wish): magnification = wish
        case .program(let number): program = number
        case .leaseLost(let lost): batch.lost.append(lost)
        case .lens, .epoch: seen.append(input)
        case .picture(let part):
            guard case .picture(var whole)? = seen.last, whole.continues else { return seen.append(input) }
            whole.faces += part.faces
            whole.continues = part.continues
            seen[seen.count - 1] = .picture(whole)
        case .reading(let more, let ended): (hasMore, hasEnded) = (more, ended)
        case .tap, .select: asked.append(input)
        case .observed(let part):
            guard case .observed(var whole)? = asked.last, whole.continues else { return asked.append(input) }
            whole.faces += part.faces
            whole.continues = part.continues
            asked[asked.count - 1] = .observed(whole)
        case .gap: isTorn = true
        case .begin, .turn, .over: break
        }
    }
}
