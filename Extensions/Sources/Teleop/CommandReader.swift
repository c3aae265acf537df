public import Geometry
internal import PlainText

/// Reads text commands from a stream of bytes: `<Start>`, `<Track>` and `<End>` with seven numbers, `<Gripper>` and
/// `<Reset>`.
///
/// Senders differ: some end each command with a line feed, some only begin the next one, and TCP glues and splits them
/// anywhere. So a command is complete at the next `<`, at a line feed, or a moment after its last number; until then the
/// last number may go on.
public struct CommandReader: Sendable {
    /// What was read.
    public struct Reading: Sendable, Equatable {
        /// The commands, oldest first.
        public var commands: [HandCommand] = []
        /// The number of commands that were dropped, and the first of them, as one line of text.
        public var dropped = 0, firstDropped: String?

        fileprivate mutating func drop(_ bytes: [UInt8]) {
            dropped += 1
            firstDropped = firstDropped ?? ForeignText.line(bytes: bytes, longest: 60)
        }
    }

    /// The bytes of the command that is not complete yet.
    private var text: [UInt8] = []
    /// When the last byte arrived.
    private var heardAt: Seconds = -.infinity
    /// Whether the rest of a command that is too long is being skipped.
    private var isSkipping = false

    /// The longest command, in bytes: seven numbers have at most 16 each.
    static let longest = 256
    /// How long the last number of a command may take to go on, in seconds.
    static let patience: Seconds = 0.02

    /// Creates a reader at the beginning of a stream.
    public init() {}

    /// Reads bytes that arrived at a time.
    public mutating func feed(_ bytes: some Sequence<UInt8>, now: Seconds) -> Reading {
        var reading = tick(now: now)
        for byte in bytes {
            switch byte {
            case 0x0A, 0x0D: complete(&reading)
            case 0x3C:
                complete(&reading)
                text = [byte]
            default:
                guard !isSkipping else { continue }
                // Blanks between commands mean nothing.
                if text.isEmpty, byte == 0x20 { continue }
                text.append(byte)
                guard text.count > Self.longest else { continue }
                reading.drop(text)
                text = []
                isSkipping = true
            }
        }
        heardAt = now
        return reading
    }

    /// Completes a command after which nothing has come for a moment.
    public mutating func tick(now: Seconds) -> Reading {
        var reading = Reading()
        if let deadline, now >= deadline { complete(&reading) }
        return reading
    }

    /// The time for the next `tick`, or nil if nothing waits for it.
    public var deadline: Seconds? { isWhole ? heardAt + Self.patience : nil }

    /// Whether the command would be complete if nothing more came.
    private var isWhole: Bool {
        guard let end = text.lastIndex(of: 0x3E) else { return false }
        let rest = text[(end + 1)...].split(separator: 0x20)
        return Self.wantsPose(text[...end]) ? rest.count == 7 : true
    }

    /// Whether a command must have seven numbers. `<End>` counts without them: it must not wait for anything.
    private static func wantsPose(_ name: ArraySlice<UInt8>) -> Bool {
        ["<Start>", "<Track>"].contains { name.elementsEqual($0.utf8) }
    }

    private mutating func complete(_ reading: inout Reading) {
        defer { (text, isSkipping) = ([], false) }
        while text.last == 0x20 { text.removeLast() }
        guard !text.isEmpty else { return }
        if let command = command() {
            reading.commands.append(command)
        } else {
            reading.drop(text)
        }
    }

    private func command() -> HandCommand? {
        guard text.first == 0x3C, let end = text.firstIndex(of: 0x3E) else { return nil }
        let name = String(decoding: text[1..<end], as: UTF8.self)
        // A hand that lets go must not be held because what follows is wrong.
        if name == "End" { return .end }
        let words = text[(end + 1)...].split(separator: 0x20)
        let numbers = words.compactMap { Self.number($0) }
        guard numbers.count == words.count else { return nil }
        switch name {
        case "Start": return HandPose(numbers).map { .start($0) }
        case "Track": return HandPose(numbers).map { .track($0) }
        case "Gripper": return numbers.isEmpty ? .gripper : nil
        case "Reset": return numbers.isEmpty ? .reset : nil
        default: return nil
        }
    }

    /// Reads a number as Swift writes it.
    private static func number(_ word: ArraySlice<UInt8>) -> Double? {
        guard word.count <= 24 else { return nil }
        return Double(String(decoding: word, as: UTF8.self))
    }
}
