internal import CPosix
internal import Geometry
internal import Glibc
internal import PlainText

/// Lines for whoever listens at a descriptor. Nobody here waits for a listener who is slow or does not listen at all: what
/// it does not take is kept, up to 64 KiB, and beyond that counted and told later.
final class LineOutput: Sendable {
    /// Standard output.
    static let answers = LineOutput(1, lost: { "error \($0) answers were lost: read them faster" })
    /// Standard error.
    static let log = LineOutput(2, lost: { "dockface: warning: \($0) lines were lost here: read them faster" })

    static let capacity = 1 << 16

    private struct State {
        var waiting: [UInt8] = []
        var lost = 0
    }

    private let descriptor: Int32
    private let words: @Sendable (Int) -> String
    private let state = Guarded(State())

    init(_ descriptor: Int32, lost words: @escaping @Sendable (Int) -> String) {
        self.descriptor = descriptor
        self.words = words
    }

    /// Writes a line, or several, or keeps them. A terminal finds nothing in them to obey.
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

    /// Writes what the listener now takes.
    func flush() { state.withLock { send(&$0) } }

    /// Writes what is left, for at most `seconds`.
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
            // A pipe that says it has room takes a page, a terminal at least this, without waiting.
            let piece = min(state.waiting.count - sent, isatty(descriptor) == 1 ? 256 : 4096)
            let count = state.waiting.withUnsafeBytes { write(descriptor, $0.baseAddress?.advanced(by: sent), piece) }
            if count < 0, errno == EINTR { continue }
            if count < 0, errno == EAGAIN { break }
            // Nobody listens any more.
            sent = count < 0 ? state.waiting.count : sent + count
        }
        state.waiting.removeFirst(sent)
        guard state.waiting.isEmpty, state.lost > 0 else { return }
        state.waiting += Array((words(state.lost) + "\n").utf8)
        state.lost = 0
    }
}
