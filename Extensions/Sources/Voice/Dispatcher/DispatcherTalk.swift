public import ControlProtocol

/// A conversation with Speech Dispatcher (SSIP) as a pure value: bytes go in, bytes and news come out.
///
/// It speaks one sentence at a time, and knows when its sound has ended. The user's own voice and rate apply.
public struct DispatcherTalk: Sendable {
    /// What has happened.
    public enum News: Sendable, Equatable {
        /// The sound of the sentence has ended, or was cancelled.
        case ended
        /// The conversation cannot go on, for this reason.
        case failed(String)
    }

    /// What was sent, and is not answered yet.
    private enum Step: Sendable, Equatable {
        /// A setting, or a request to cancel. What the server thinks of it does not matter.
        case set
        /// The request to send a sentence.
        case speak([UInt8])
        /// The sentence.
        case text
    }

    private var steps: [Step] = []
    private var input: [UInt8] = []
    /// The number of the message, as an answer or an event has announced it, in the present answer.
    private var announced: String?
    /// The number of the message that is being spoken.
    private var message: String?
    /// Messages that have ended before the answer announced their number.
    private var early: [String] = []
    private var isOver = false
    /// Whether the sentence is to be cancelled as soon as the server has it.
    private var wantsCancel = false

    /// The longest line that a server sends, in bytes.
    private static let longestLine = 4096

    /// Creates a conversation that has not begun.
    public init() {}

    /// Whether the server owes an answer. A server that hangs must not keep a sentence waiting.
    public var isWaiting: Bool { !steps.isEmpty }

    /// Returns what to send first.
    public mutating func begin() -> [UInt8] {
        send([
            "SET self CLIENT_NAME user:dockface:voice", "SET self NOTIFICATION end on",
            "SET self NOTIFICATION cancel on",
        ])
    }

    /// Returns what to send to speak a sentence, which must be one line.
    public mutating func speak(_ text: String, _ urgency: CueUrgency) -> [UInt8] {
        (message, early, wantsCancel) = (nil, [], false)
        let priority = send(["SET self PRIORITY " + Self.priority(urgency)])
        // A line that begins with a dot would end the text.
        steps.append(.speak(Array(((text.hasPrefix(".") ? "." : "") + text + "\r\n.\r\n").utf8)))
        return priority + Array("SPEAK\r\n".utf8)
    }

    /// Returns what to send to end the sentence.
    public mutating func cancel() -> [UInt8] {
        // Between the request and the sentence, the server would take a command for text.
        let isText = steps.contains { if case .speak = $0 { true } else { false } }
        wantsCancel = isText
        return isText ? [] : send(["CANCEL self"])
    }

    /// Receives bytes. Returns what to send, and what has happened.
    public mutating func receive(_ bytes: some Collection<UInt8>) -> (output: [UInt8], news: [News]) {
        var output: [UInt8] = [], news: [News] = []
        for byte in bytes where !isOver {
            guard byte == 0x0A else {
                input.append(byte)
                if input.count > Self.longestLine { fail("it sends a line without an end", &news) }
                continue
            }
            if input.last == 0x0D { input.removeLast() }
            let line = DispatcherLine(input)
            input = []
            guard let line else {
                fail("it sent something that is not an answer", &news)
                continue
            }
            if line.code >= 700 { receive(event: line, &news) } else { receive(answer: line, &output, &news) }
        }
        return (output, news)
    }

    private mutating func receive(event line: DispatcherLine, _ news: inout [News]) {
        guard line.isLast else {
            // The first line has the number of the message, the second that of the client.
            if announced == nil { announced = line.text }
            return
        }
        defer { announced = nil }
        // END and CANCELED.
        guard [702, 703].contains(line.code), let announced else { return }
        if announced == message {
            message = nil
            news.append(.ended)
        } else if steps.contains(.text), early.count < 8 {
            early.append(announced)
        }
    }

    private mutating func receive(answer line: DispatcherLine, _ output: inout [UInt8], _ news: inout [News]) {
        guard line.isLast else {
            if announced == nil { announced = line.text }
            return
        }
        defer { announced = nil }
        guard !steps.isEmpty else { return fail("it answers what was not asked", &news) }
        switch steps.removeFirst() {
        case .set: break
        case .speak(let text):
            guard line.code == 230 else { return fail("it takes no text: \(line.text)", &news) }
            steps.insert(.text, at: 0)
            output += text
            if wantsCancel { output += send(["CANCEL self"]) }
            wantsCancel = false
        case .text:
            guard line.code == 225, let announced else { return fail("it does not speak: \(line.text)", &news) }
            if early.contains(announced) { news.append(.ended) } else { message = announced }
        }
    }

    private mutating func fail(_ why: String, _ news: inout [News]) {
        isOver = true
        news.append(.failed(why))
    }

    private mutating func send(_ commands: [String]) -> [UInt8] {
        steps += commands.map { _ in .set }
        return commands.flatMap { Array(($0 + "\r\n").utf8) }
    }

    /// Other programs' messages do not end an important one.
    private static func priority(_ urgency: CueUrgency) -> String {
        switch urgency {
        case .low: "notification"
        case .normal: "message"
        case .high: "important"
        }
    }
}
