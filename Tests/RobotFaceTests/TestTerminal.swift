import CPosix
import Glibc
import Synchronization

@testable import RobotFace

/// The far side of a terminal: what a terminal emulator sees and types.
final class TestTerminal: Sendable {
    let far: Int32, near: Int32
    let events = Mutex<[InputEvent]>([])
    let ends = Mutex<[FaceScreenEnd]>([])
    let onEvent = Mutex<(@Sendable () -> Void)?>(nil)
    private let received = Mutex<[UInt8]>([])
    private let news: Int32

    init(columns: Int = 80, rows: Int = 24) {
        var far: Int32 = -1, near: Int32 = -1
        var path = [CChar](repeating: 0, count: 128)
        _ = cposix_open_pty(&far, &near, &path, path.count)
        _ = cposix_set_nonblocking(far, true)
        _ = cposix_set_window_size(near, Int32(columns), Int32(rows))
        // As a shell leaves it: lines are edited and echoed.
        var settings = termios()
        tcgetattr(near, &settings)
        settings.c_lflag |= tcflag_t(ICANON | ECHO)
        tcsetattr(near, TCSANOW, &settings)
        (self.far, self.near) = (far, near)
        news = cposix_wake_create()
    }

    deinit {
        close(near)
        close(news)
    }

    /// The local flags of the line: whether lines are edited and echoed, and Ctrl-C is a signal.
    var localFlags: tcflag_t {
        var settings = termios()
        tcgetattr(near, &settings)
        return settings.c_lflag
    }

    func screen(_ change: (inout TerminalOptions) -> Void = { _ in }) throws -> FaceScreen {
        var options = TerminalOptions()
        options.input = near
        options.output = near
        options.depth = .trueColour
        options.guess = TerminalGuess { $0 == "TERM" ? "xterm-256color" : nil }
        change(&options)
        return try FaceScreen(
            options: options,
            onInput: { event in
                self.events.withLock { $0.append(event) }
                self.onEvent.withLock { $0 }?()
                cposix_wake_ring(self.news)
            },
            onEnd: { end in
                self.ends.withLock { $0.append(end) }
                cposix_wake_ring(self.news)
            })
    }

    /// Everything sent to the terminal so far.
    var output: String { received.withLock { String(decoding: $0, as: UTF8.self) } }
    var outputCount: Int { received.withLock { $0.count } }

    func forget() { received.withLock { $0.removeAll() } }

    func type(_ text: String) {
        let bytes = Array(text.utf8)
        _ = write(far, bytes, bytes.count)
    }

    /// Reads until `isDone` or the time is over; true if it was done.
    @discardableResult
    func wait(_ seconds: Double = 3, until isDone: () -> Bool) -> Bool {
        let deadline = cposix_monotonic_now() + seconds
        var buffer = [UInt8](repeating: 0, count: 65536)
        while true {
            if isDone() { return true }
            let rest = deadline - cposix_monotonic_now()
            guard rest > 0 else { return false }
            var waits = [
                pollfd(fd: far, events: Int16(POLLIN), revents: 0), pollfd(fd: news, events: Int16(POLLIN), revents: 0),
            ]
            poll(&waits, 2, Int32(rest * 1000) + 1)
            _ = cposix_counter_take(news)
            let count = read(far, &buffer, buffer.count)
            if count > 0 { received.withLock { $0.append(contentsOf: buffer[0..<count]) } }
        }
    }
}
