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
    /// The total time for which the machine has slept, in seconds, or nil if unchanged.
    var asleep: Seconds?
    /// Whether records are missing in this turn or after it.
    var isTorn = false
    /// Whether the trace ends with this turn, possibly in its middle, because the program was killed or the file was
    /// full.
    var isOpenEnded = false
    var line = RerunLine()
    var plugs = RerunPlugs()
    var guardian = RerunGuardNews()
    var commands = RerunCommands()
    var detections = RerunDetections()
    var isRealTime = true
    var magnification: Double?
    /// The records `set` and `tx`, in order.
    var decisions: [TraceRecord] = []

    init(time: Seconds, call: Call, asleep: Seconds?) {
        self.time = time
        self.call = call
        self.asleep = asleep
    }

    /// Returns the turns of a trace. Records before the first turn are ignored. The result is nil if there are no
    /// turns.
    static func all(in records: [TraceRecord]) -> [RerunTurn]? {
        var turns: [RerunTurn] = []
        for record in records {
            if case .input(let input) = record.body, let turn = RerunTurn(input, at: record.time) {
                turns.append(turn)
            } else if !turns.isEmpty {
                turns[turns.count - 1].record(record)
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

    private mutating func record(_ record: TraceRecord) {
        switch record.body {
        case .fromDock(let bytes): line.record(received: bytes)
        case .toDock(_, let isCut):
            line.record(writeIsWhole: !isCut)
            decisions.append(record)
        case .set: decisions.append(record)
        case .command(let name, let values, let text):
            guard let command = MotionCommand(name: name, values: values, text: text) else { return isTorn = true }
            commands.record(command)
        case .input(let input): self.record(input)
        case .pose, .rectangles, .state, .end, .note: break  // derived from the other records
        }
    }

    private mutating func record(_ input: TraceInput) {
        switch input {
        case .opened, .notOpened: plugs.record(attempt: input)
        case .port(let isNew): plugs.record(isNew: isNew)
        case .hungUp: line.recordHangUp()
        case .queued(let bytes): line.record(queued: bytes)
        case .guardian(let step, let isAlive, let isAwaited):
            guardian.record(step: step, isAlive: isAlive, isAwaited: isAwaited)
        case .intervention(let did): guardian.record(did)
        case .renewed(let isBegun): guardian.record(renewalIsBegun: isBegun)
        case .realTimeRefused: isRealTime = false
        case .zoom(let zoom): magnification = zoom
        case .program(let number): commands.record(number)
        case .leaseLost(let lost): commands.record(lost)
        case .lens, .optics, .epoch, .picture, .distances, .tap, .select, .observed: detections.record(input)
        case .reading(let more, let ended): detections.record(hasMore: more, hasEnded: ended)
        case .gap: isTorn = true
        case .begin, .turn, .over: break
        }
    }
}
