import Companion
import CPosix
import DockControl
import Geometry
import Glibc
import PlainText

/// The user's side of a check, a calibration or an adoption: keys or lines, words, and the signals that end it.
final class CheckDesk {
    let isTerminal: Bool
    /// Whether answers are single keys, without Enter. Otherwise they are lines, edited as in a shell.
    private let takesKeys: Bool
    private let out: Int32
    /// The source of answers: standard input, or the terminal if a detector uses standard input.
    private let input: Int32
    private let signals: Int32
    private var saved: termios?
    private var typed: [UInt8] = []
    private var hasEnded = false
    /// Until when Enter belongs to the answer before it, although that was one key; CLOCK_MONOTONIC.
    private var enterUntil: Seconds = 0
    private static let enterTime: Seconds = 1

    /// Creates a desk. `usesErrors`: standard output is reserved for a program. `takesKeys`: on a terminal an answer is
    /// one key. `inputIsTaken`: a detector uses standard input.
    init(usesErrors: Bool, takesKeys: Bool = true, inputIsTaken: Bool = false) throws {
        input = inputIsTaken ? open("/dev/tty", O_RDWR | O_CLOEXEC | O_NOCTTY) : 0
        guard input >= 0 else {
            throw fail(
                "the detector uses standard input, and there is no terminal for the answers: start dockface in a terminal",
                status: 64)
        }
        signals = cposix_signal_descriptor(true)
        // Without the descriptor no signal could stop the check.
        guard signals >= 0 else { throw fail("no file descriptor is left: raise `ulimit -n`", status: 69) }
        out = usesErrors ? 2 : 1
        isTerminal = isatty(input) == 1
        self.takesKeys = takesKeys && isTerminal
        guard self.takesKeys else { return }
        // Single keys are read. Ctrl-C keeps its meaning.
        var settings = termios()
        guard tcgetattr(input, &settings) == 0 else { return }
        saved = settings
        settings.c_lflag &= ~tcflag_t(ICANON | ECHO)
        tcsetattr(input, TCSANOW, &settings)
    }

    /// A descriptor that becomes readable when a signal ends the verb.
    var interrupt: Int32 { signals }

    /// Restores the terminal.
    func close() {
        guard var settings = saved else { return }
        saved = nil
        tcsetattr(input, TCSANOW, &settings)
    }

    /// The signal that ended the verb (INT, TERM, HUP or QUIT), or nil if none arrived.
    var endedBy: Int32? {
        let number = cposix_signal_last()
        return number != 0 && number != SIGTSTP ? number : nil
    }

    /// Whether the user stopped the verb, including with Ctrl-Z.
    var wasStopped: Bool { cposix_signal_last() != 0 }

    /// The exit status after a stop: 128 plus the number of the signal, as in a shell, otherwise "try again".
    var stoppedStatus: Int32 { endedBy.map { 128 + $0 } ?? 75 }

    func say(_ text: String) { put(text + "\n") }

    /// Asks a question, and discards keys that were typed before it.
    func ask(_ text: String) {
        forgetKeys()
        put(text + " ")
    }

    private func put(_ text: String) {
        writeAll(Array(ForeignText.guarded(text).utf8), to: out)
    }

    /// Reads an answer. The end of the input and a signal count as `quit`.
    func answer() -> DockCheck.Answer {
        while true {
            guard let word = nextWord() else {
                say("")
                return .quit
            }
            if takesKeys {
                say(word)
                enterUntil = cposix_monotonic_now() + Self.enterTime
            }
            if let answer = DockCheck.Answer(word) { return answer }
            ask("answer y, n, a (again) or q:")
        }
    }

    /// Reads a whole line, even from a terminal. It may be empty. The result is nil at the end of the input or after a
    /// signal.
    func line() -> String? {
        guard takesKeys else { return nextWord() }
        var line = ""
        while let key = nextKey() {
            switch key {
            case 0x0A, 0x0D:
                say("")
                return line
            case 0x08, 0x7F:
                guard line.popLast() != nil else { continue }
                put("\u{8} \u{8}")
            // As with single keys, a control character is not an answer and ends the input.
            case ..<0x20: return nil
            default:
                guard line.utf8.count < 80 else { continue }
                line.append(Character(UnicodeScalar(key)))
                put(String(UnicodeScalar(key)))
            }
        }
        return nil
    }

    private func nextKey() -> UInt8? {
        while true {
            if !typed.isEmpty { return typed.removeFirst() }
            guard waitForMore() else { return nil }
        }
    }

    /// Returns a key from a terminal, or a line from any other input, or nil at the end.
    private func nextWord() -> String? {
        while true {
            if takesKeys, let key = typed.first {
                typed.removeFirst()
                guard key > 0x20 else { continue }
                return String(UnicodeScalar(key))
            }
            if !takesKeys, let end = typed.firstIndex(of: 0x0A) {
                let line = String(decoding: typed[..<end], as: UTF8.self)
                typed.removeSubrange(...end)
                return line.trimmed
            }
            guard !waitForMore() else { continue }
            // The last line of a file may lack its line end.
            guard hasEnded, !takesKeys, !typed.isEmpty else { return nil }
            defer { typed.removeAll() }
            return String(decoding: typed, as: UTF8.self).trimmed
        }
    }

    /// Waits until input arrives. Returns false at the end of the input or after a signal.
    private func waitForMore() -> Bool {
        guard !hasEnded else { return false }
        var waits = [
            pollfd(fd: signals, events: Int16(POLLIN), revents: 0),
            pollfd(fd: input, events: Int16(POLLIN), revents: 0),
        ]
        _ = poll(&waits, 2, -1)
        if waits[0].revents != 0 { return false }
        if waits[1].revents != 0 { readInput() }
        return true
    }

    private func readInput() {
        var bytes = [UInt8](repeating: 0, count: 256)
        let count = read(input, &bytes, bytes.count)
        if count > 0 { typed += bytes[..<count] } else { hasEnded = true }
        if typed.count > 4096 { typed.removeAll() }
    }

    /// Waits until `wake` rings or this many seconds have passed. Returns true if the user stops the verb.
    func wantsStop(while wake: Int32, seconds: Seconds) -> Bool {
        var waits = [signals, wake, takesKeys ? input : -1].map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
        guard poll(&waits, 3, Int32(max(0, seconds) * 1000)) > 0 else { return false }
        if waits[1].revents != 0 { _ = cposix_counter_take(wake) }
        if waits[0].revents != 0 { return true }
        return waits[2].revents != 0 && !isLateEnter()
    }

    /// Reads what was typed. Returns whether it is only the Enter that a person has added to an answer of one key.
    private func isLateEnter() -> Bool {
        readInput()
        defer { enterUntil = 0 }
        guard !hasEnded, cposix_monotonic_now() < enterUntil, [[0x0A], [0x0D]].contains(typed) else { return false }
        typed = []
        return true
    }

    /// Discards what was typed at a terminal before a question or a motion.
    func forgetKeys() {
        guard isTerminal else { return }
        tcflush(input, TCIFLUSH)
        typed.removeAll()
    }
}

extension String {
    fileprivate var trimmed: String {
        String(drop { $0 == " " || $0 == "\t" || $0 == "\r" }.prefix { $0 != " " && $0 != "\t" && $0 != "\r" })
    }
}
