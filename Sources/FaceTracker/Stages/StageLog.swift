internal import Geometry
internal import Processes

/// The log lines about one stage: the standard error of its child, and the problems of its stream.
struct StageLog {
    var errors = ChildLog()
    private let name: String
    private var problems = LogGate()
    private let onLog: (String) -> Void

    init(name: String, onLog: @escaping (String) -> Void) { (self.name, self.onLog) = (name, onLog) }

    func note(_ text: String) { onLog("\(name): \(text)") }

    /// Logs a problem of the stream, unless there are too many.
    mutating func problem(_ text: String, now: Seconds) { if let line = problems.pass(text, now: now) { note(line) } }

    /// Logs the child's lines that may be logged now. `isEnd`: there is no more input.
    mutating func flush(now: Seconds, isEnd: Bool = false) {
        for line in errors.lines(now: now, isEnd: isEnd) { note(line) }
    }
}
