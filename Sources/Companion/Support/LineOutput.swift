internal import CPosix
internal import Geometry
internal import Glibc
internal import PlainText
internal import Processes

/// Writes lines for the reader of a descriptor. No caller waits for a slow or absent reader: up to 64 KiB are kept for
/// it. Further lines are counted, and their number is reported later.
final class LineOutput: Sendable {
    /// The output to standard output.
    static let answers = LineOutput(1, lost: { "error \($0) answers were lost: the reader was too slow" })
    /// The output to standard error.
    static let log = LineOutput(
        2, lost: { "dockface: warning: \($0) log lines were dropped here because the reader was too slow" })

    static let capacity = 1 << 16

    private struct State {
        var waiting: [UInt8] = []
        var lost = 0
    }

    private let descriptor: Int32
    private let words: @Sendable (Int) -> String
    private let state = Locked(State())

    init(_ descriptor: Int32, lost words: @escaping @Sendable (Int) -> String) {
        self.descriptor = descriptor
        self.words = words
    }

    /// Writes one or several lines, or keeps them. Characters that a terminal would interpret are escaped.
    func put(_ text: String) {
        let text = ForeignText.guarded(text)
        state.withLock { state in
            send(&state)
            if state.waiting.count < Self.capacity {
                state.waiting += Array((text + "\n").utf8)
            } else {
                state.lost += 1
            }
            send(&state)
        }
    }

    /// Writes as much as the reader accepts now.
    func flush() { state.withLock { send(&$0) } }

    /// Writes the remaining lines, for at most `seconds`.
    func finish(within seconds: Seconds) {
        let deadline = cposix_monotonic_now() + seconds
        while state.withLock({ state in
            send(&state)
            return !state.waiting.isEmpty
        }), cposix_monotonic_now() < deadline {
            var room = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
            _ = poll(&room, 1, 10)
            if room.revents & Int16(POLLERR | POLLHUP | POLLNVAL) != 0 { return }
        }
    }

    private func send(_ state: inout State) {
        var sent = 0
        while sent < state.waiting.count {
            var room = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
            guard poll(&room, 1, 0) > 0 else { break }
            // A pipe with room accepts a whole page without blocking, and a terminal at least this much.
            let piece = min(state.waiting.count - sent, isatty(descriptor) == 1 ? 256 : 4096)
            let count = state.waiting.withUnsafeBytes { write(descriptor, $0.baseAddress?.advanced(by: sent), piece) }
            if count < 0, errno == EINTR { continue }
            if count < 0, errno == EAGAIN { break }
            // The reader is gone.
            sent = count < 0 ? state.waiting.count : sent + count
        }
        state.waiting.removeFirst(sent)
        guard state.waiting.isEmpty, state.lost > 0 else { return }
        state.waiting += Array((words(state.lost) + "\n").utf8)
        state.lost = 0
    }
}
