internal import DockControl

/// The lines of standard input that were read but not executed yet. They are executed in order, except that a stop
/// precedes everything that waits: a person who stops a dock must not wait for earlier input.
///
/// Such a stop is executed once, when it is read, and answered in its place in the queue. Lines that were read before
/// it must not start motion after it: they are marked as overtaken.
struct WordBacklog: Sendable {
    /// The next entry.
    enum Line: Sendable, Equatable {
        /// A line that is still to be executed.
        case words(String)
        /// The same, but a later stop was executed before it.
        case overtaken(String)
        /// A stop that was executed when it was read. Its answer is due now.
        case stopped(Int)
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
    /// The maximum number of waiting lines. When it is reached, nothing more is read, and lines from other readers are
    /// refused, except stops.
    static let capacity = 16_384

    private var waiting: [Line] = []
    private var first = 0
    /// The number of lines that were taken out of or dropped from `waiting`.
    private var taken = 0
    /// The number of the line before which all lines have been overtaken.
    private var overtakenBefore = 0
    private var stops = 0
    private var partial: [UInt8] = []
    private var isTooLong = false

    var isEmpty: Bool { first == waiting.count }
    var isFull: Bool { waiting.count - first >= Self.capacity }

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
        if case .call? = urgent, isEmpty { urgent = nil }
        if urgent != nil { overtakenBefore = taken + waiting.count - first }
        if case .stop(let number, _)? = urgent {
            stops = number
            waiting.append(.stopped(number))
        } else {
            waiting.append(.words(line))
        }
        return urgent
    }

    /// Records that the detections have ended.
    mutating func putEnd() { waiting.append(.ended) }

    /// Returns the next line, if there is one.
    mutating func next() -> Line? {
        guard first < waiting.count else { return nil }
        let line = waiting[first], isOvertaken = taken < overtakenBefore
        first += 1
        taken += 1
        if first == waiting.count || first > Self.capacity {
            waiting.removeSubrange(..<first)
            first = 0
        }
        if isOvertaken, case .words(let text) = line { return .overtaken(text) }
        return line
    }

    private mutating func endLine() -> Urgent? {
        defer {
            partial.removeAll(keepingCapacity: true)
            isTooLong = false
        }
        // This is an unknown command, which is refused as such.
        return append(isTooLong ? "line-over-\(Self.longestLine)-bytes" : String(decoding: partial, as: UTF8.self))
    }

    /// Returns the part of a line that must not wait, or nil if there is none.
    private static func urgent(_ line: String, _ number: Int) -> Urgent? {
        if line.drop(while: { $0 == " " || $0 == "\t" }).first == "{" {
            let bytes = Array(line.utf8)
            guard bytes[...].containsStop else { return nil }
            let isStop = ControlLine(bytes).requests.contains { (try? $0.call.get())?.isStop == true }
            return isStop ? .call(line) : nil
        }
        return CommandWords.stop(in: line).map { .stop(number, $0) }
    }
}
