internal import DockControl

/// Lines of standard input that were read and are not carried out yet. They are carried out in their order, but a stop goes
/// before everything that waits: whoever stops a dock does not wait for what was typed before.
///
/// Such a stop is carried out once, when it is read, and answered in its place. What stands before it in the line must not begin
/// motion after it: that is told apart as overtaken.
struct WordBacklog: Sendable {
    /// What is due next.
    enum Line: Sendable, Equatable {
        /// To be carried out.
        case words(String)
        /// The same, but a stop that came behind it was carried out before it.
        case overtaken(String)
        /// A stop that was carried out when it was read: its answer is due now.
        case stopped(Int)
        /// The detections have ended; told in the order of the words that came on the same stream.
        case ended
    }

    /// What must not wait.
    enum Urgent: Sendable, Equatable {
        /// A stop or an emergency stop, and its number.
        case stop(Int, Command)
        /// A line of the control API with a stop in it; it is carried out now, and once more in its place.
        case call(String)
    }

    /// No line is longer, bytes.
    static let longestLine = 65_536
    /// So many lines wait; then nothing more is read, and what others bring is refused, but never a stop.
    static let capacity = 16_384

    private var waiting: [Line] = []
    private var first = 0
    /// How many lines were taken out or dropped from `waiting`.
    private var taken = 0
    /// Lines before this one were overtaken.
    private var overtakenBefore = 0
    private var stops = 0
    private var partial: [UInt8] = []
    private var isTooLong = false

    var isEmpty: Bool { first == waiting.count }
    var isFull: Bool { waiting.count - first >= Self.capacity }

    /// Takes bytes in; what must not wait is given out.
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

    /// No more bytes come: what stands without a line end is a line, too.
    mutating func finish() -> Urgent? { partial.isEmpty || isTooLong ? nil : endLine() }

    /// Takes a line in that somebody else has read; false: too many wait, and it is not taken. A stop always is: then it has
    /// the number 0 and no turn.
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
        // Nothing waits before it: its turn has come.
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

    /// The detections have ended.
    mutating func putEnd() { waiting.append(.ended) }

    /// The next line, if there is one.
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
        // No such command, and refused as one.
        return append(isTooLong ? "line-over-\(Self.longestLine)-bytes" : String(decoding: partial, as: UTF8.self))
    }

    /// What of a line must not wait; nil: nothing.
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
