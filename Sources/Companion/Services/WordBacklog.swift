internal import DockControl
internal import Geometry

/// The lines of standard input that were read but not executed yet. They are executed in order, each after the answer
/// to the one before it, except that a stop precedes everything that waits: a person who stops a dock must not wait for
/// earlier input.
///
/// Such a stop is executed once, when it is read, and answered in its place in the queue. Lines that were read before
/// it must not start motion after it: they are marked as overtaken.
struct WordBacklog: Sendable {
    /// The next entry.
    enum Line: Sendable, Equatable {
        /// Command words that are still to be executed. A later stop may have been executed before them.
        case words(String, isOvertaken: Bool = false)
        /// The same for a line of the control API. The next line does not wait for its answer.
        case call(String, isOvertaken: Bool = false)
        /// A stop that was executed when it was read, and its tag. Its answer is due now.
        case stopped(Int, tag: String?)
        /// The detections have ended. This is reported in order with the words of the same stream.
        case ended
    }

    /// A line that must not wait in the queue.
    enum Urgent: Sendable, Equatable {
        /// A stop or an emergency stop, and its number.
        case stop(Int, Command)
        /// A line of the control API that contains a stop. It is executed now, and once more in its turn.
        case call(String)
    }

    /// The maximum length of a line, in bytes.
    static let longestLine = 65_536
    /// The maximum number of waiting lines, and of their bytes. When one of them is reached, nothing more is read, and
    /// lines from other readers are refused, except stops. What was read at once is always taken.
    static let capacity = 16_384, byteCapacity = 4 << 20
    /// How long the next line waits for an answer, in seconds; longer than any command takes.
    static let patience: Seconds = 10

    private var waiting: [Line] = []
    private var first = 0
    /// The number of bytes in the waiting lines.
    private var bytes = 0
    /// The number of lines that were taken out of or dropped from `waiting`.
    private var taken = 0
    /// The number of the line before which all lines have been overtaken.
    private var overtakenBefore = 0
    private var stops = 0
    private var partial: [UInt8] = []
    private var isTooLong = false
    /// The line whose answer has not been given yet, and how long the next line waits for it.
    private var unanswered: (turn: Int, until: Seconds)?

    /// The number of the line that `next` returned last.
    var turn: Int { taken }
    var isEmpty: Bool { first == waiting.count }
    /// Whether no line can be executed before something else happens.
    var isIdle: Bool { isEmpty || unanswered != nil && !isFull }
    var isFull: Bool { waiting.count - first >= Self.capacity || bytes >= Self.byteCapacity }

    /// Adds bytes and returns what must not wait.
    mutating func feed(_ bytes: some Sequence<UInt8>) -> [Urgent] {
        var urgent: [Urgent] = []
        for byte in bytes {
            if byte == 0x0A {
                if let found = endLine() { urgent.append(found) }
            } else if partial.count < Self.longestLine {
                partial.append(byte)
            } else {
                isTooLong = true
            }
        }
        return urgent
    }

    /// Ends the input. A last line without a line end also counts.
    mutating func finish() -> Urgent? { partial.isEmpty || isTooLong ? nil : endLine() }

    /// Adds a line that another reader has read. `isTaken` is false if too many lines wait and the line is not taken. A
    /// stop is always taken. If the queue is full, it has the number 0 and no place in the queue.
    mutating func put(_ line: String) -> (isTaken: Bool, urgent: Urgent?) {
        guard isFull else { return (true, append(line)) }
        let urgent = Self.urgent(line, 0)
        if urgent != nil { overtakenBefore = taken + waiting.count - first }
        if case .stop? = urgent { return (true, urgent) }
        return (false, urgent)
    }

    private mutating func append(_ line: String) -> Urgent? {
        guard line.contains(where: { !$0.isWhitespace }) else { return nil }
        var urgent = Self.urgent(line, stops + 1)
        // Nothing waits before it, so it is next in any case.
        if case .call? = urgent, isEmpty, unanswered == nil { urgent = nil }
        if urgent != nil { overtakenBefore = taken + waiting.count - first }
        if case .stop(let number, _)? = urgent {
            stops = number
            waiting.append(.stopped(number, tag: WordTag.split(line).tag))
        } else {
            waiting.append(Self.isCall(line) ? .call(line) : .words(line))
            bytes += line.utf8.count
        }
        return urgent
    }

    /// Records that the detections have ended.
    mutating func putEnd() { waiting.append(.ended) }

    /// Returns the next line, if there is one and the line before it was answered, or was not answered in time.
    mutating func next(now: Seconds) -> Line? {
        // A full queue keeps a stop behind it from being read, so its lines do not wait for answers.
        if let unanswered, now < unanswered.until, !isFull { return nil }
        unanswered = nil
        guard first < waiting.count else { return nil }
        let line = waiting[first], isOvertaken = taken < overtakenBefore
        // Its text is not needed any more, and it may be long.
        waiting[first] = .ended
        first += 1
        taken += 1
        if first == waiting.count || first > Self.capacity {
            waiting.removeSubrange(..<first)
            first = 0
        }
        switch line {
        case .words, .stopped: unanswered = (turn, now + Self.patience)
        case .call, .ended: break
        }
        switch line {
        case .words(let text, _):
            bytes -= text.utf8.count
            return .words(text, isOvertaken: isOvertaken)
        case .call(let text, _):
            bytes -= text.utf8.count
            return .call(text, isOvertaken: isOvertaken)
        case .stopped, .ended: return line
        }
    }

    /// Records that the answer to a line was given.
    mutating func answered(turn: Int) { if unanswered?.turn == turn { unanswered = nil } }

    private mutating func endLine() -> Urgent? {
        defer {
            partial.removeAll(keepingCapacity: true)
            isTooLong = false
        }
        // This is an unknown command, which is refused as such.
        return append(isTooLong ? "line-over-\(Self.longestLine)-bytes" : String(decoding: partial, as: UTF8.self))
    }

    /// Returns whether a line belongs to the control API.
    static func isCall(_ line: String) -> Bool { line.first { $0 != " " && $0 != "\t" } == "{" }

    /// Returns the part of a line that must not wait, or nil if there is none.
    private static func urgent(_ line: String, _ number: Int) -> Urgent? {
        if isCall(line) {
            let bytes = Array(line.utf8)
            guard bytes[...].containsStop else { return nil }
            let isStop = ControlLine(bytes).requests.contains { (try? $0.call.get())?.isStop == true }
            return isStop ? .call(line) : nil
        }
        return CommandWords.stop(in: line).map { .stop(number, $0) }
    }
}
