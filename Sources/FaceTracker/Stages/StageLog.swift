internal import Geometry
internal import Processes

/// The log lines about one stage: the standard error of its child, and the problems of its stream.
struct StageLog {
    var errors = ChildLog()
    private let name: String
    private var problems = LogGate()
    /// The time until which the child's lines wait. A child that cannot start ends at once, and its last line is the
    /// reason for its end.
    private var opensAt: Seconds = -.infinity

    /// The time that a child that cannot start may take to end, in seconds.
    private static let birth: Seconds = 0.3
    private let onLog: (String) -> Void

    init(name: String, onLog: @escaping (String) -> Void) { (self.name, self.onLog) = (name, onLog) }

    func note(_ text: String) { onLog("\(name): \(text)") }

    /// Logs a problem of the stream, unless there are too many.
    mutating func problem(_ text: String, now: Seconds) { if let line = problems.pass(text, now: now) { note(line) } }

    /// Starts the log of the next child.
    mutating func begin(now: Seconds) {
        errors.begin()
        opensAt = now + Self.birth
    }

    /// When `flush` has output again, or nil if no lines wait.
    var deadline: Seconds? { errors.deadline.map { max($0, opensAt) } }

    /// Logs the child's lines that may be logged now.
    mutating func flush(now: Seconds) {
        guard now >= opensAt else { return }
        for line in errors.lines(now: now) { note(line) }
    }

    /// Logs the rest of the lines of a child that has ended. If a shell or the system could not start the program, the
    /// last line is omitted, because the line about the state repeats it as the reason.
    mutating func finish(now: Seconds, _ ending: ChildProcess.Ending) {
        var lines = errors.lines(now: now, isEnd: true)
        let couldNotStart = ending == .exited(126) || ending == .exited(127)
        if couldNotStart, now < opensAt, !lines.isEmpty { lines.removeLast() }
        for line in lines { note(line) }
    }
}
