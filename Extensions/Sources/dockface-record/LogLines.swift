import ExtensionKit
import Geometry
import Glibc
import Processes
import Synchronization

/// Lines for the log, which a thread of their own writes. A write lasts as long as the reader of standard error does
/// not read, and a sign on the robot must not wait for that.
final class LogLines: Sendable {
    fileprivate struct Line: Sendable {
        let text: String
        let isWarning: Bool
    }

    fileprivate struct State: Sendable {
        var lines: [Line] = []
        /// Lines that are being written.
        var writing = 0
        /// Lines for which there was no room.
        var lost = 0
        var isOver = false
    }

    /// The number of lines that wait, at most. Of more, the newest are lost, and counted.
    static let most = 256

    private let thread: PollThread
    private let shared = Shared()

    fileprivate final class Shared: Sendable {
        let state = Mutex(State())
    }

    /// Starts the thread. The result is nil if the system has none left.
    init?(_ log: ExtensionLog) {
        guard let thread = PollThread(name: "record-log") else { return nil }
        self.thread = thread
        let shared = shared
        guard thread.start({ LineWork(log, shared) }) else { return nil }
    }

    // It does not wait for a thread whose reader has stopped.
    deinit {
        shared.state.withLock { $0.isOver = true }
        thread.wake()
    }

    /// Adds a line. It returns at once.
    func add(_ text: String, isWarning: Bool = false) {
        shared.state.withLock { state in
            guard state.lines.count < Self.most else { return state.lost += 1 }
            state.lines.append(Line(text: text, isWarning: isWarning))
        }
        thread.wake()
    }

    /// Waits until all lines are written, at most for these seconds.
    func drain(within seconds: Seconds = 2) async {
        let end = ContinuousClock.now + .seconds(seconds)
        while !shared.state.withLock({ $0.lines.isEmpty && $0.writing == 0 }), ContinuousClock.now < end {
            try? await Task.sleep(for: .milliseconds(10))
        }
    }
}

/// The work of the thread that writes lines.
private final class LineWork: PolledWork {
    private let log: ExtensionLog
    private let shared: LogLines.Shared

    init(_ log: ExtensionLog, _ shared: LogLines.Shared) { (self.log, self.shared) = (log, shared) }

    func turn() -> Bool {
        while let (lines, lost) = take() {
            for line in lines { if line.isWarning { log.warning(line.text) } else { log.note(line.text) } }
            if lost > 0 { log.warning("\(lost) lines are missing here, because standard error was not read") }
        }
        return !shared.state.withLock { $0.isOver }
    }

    private func take() -> (lines: [LogLines.Line], lost: Int)? {
        shared.state.withLock { state in
            state.writing = 0
            guard !state.lines.isEmpty || state.lost > 0 else { return nil }
            defer { (state.writing, state.lines, state.lost) = (max(1, state.lines.count), [], 0) }
            return (state.lines, state.lost)
        }
    }

    var deadline: Seconds? { nil }
    var waits: [pollfd] { [] }
    func handle(_ waits: [pollfd]) {}
    func end() {}
}
