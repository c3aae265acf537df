internal import CPosix
internal import Files
internal import Glibc
public import Logging
internal import PlainText
internal import Synchronization

/// The log: single lines on standard error, with journald's levels if journald reads it. While the face uses the
/// terminal to which standard error is connected, the last lines are kept, and are written with their times when the
/// terminal is free again.
public struct LineLog: LogHandler {
    /// The metadata of every line; unused.
    public var metadata: Logger.Metadata = [:]
    /// The lowest level that is written: the process's, set by `tell(from:)`, or this handler's own if that is higher.
    public var logLevel: Logger.Level {
        get { max(own, Sink.shared.level) }
        set { own = newValue }
    }
    private var own = Logger.Level.trace
    private let sink: Sink

    /// A prefix of every line; may be empty.
    private let name: String

    private init(sink: Sink, name: String) {
        self.sink = sink
        self.name = name
    }

    /// Returns the log of this process, or of one of its rigs.
    public static func make(rig: String? = nil) -> LineLog {
        LineLog(sink: .shared, name: rig.map { "[\($0)] " } ?? "")
    }

    /// The metadata of one key.
    public subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    /// The maximum length of a line, in scalars. Longer ones are truncated.
    public static let longest = 4096

    /// Writes or keeps exactly one line.
    public func log(event: LogEvent) {
        sink.put(ForeignText.line("\(name)\(event.message)", longest: Self.longest), level: event.level)
    }

    /// Returns an error for standard error: with journald's level if journald reads it, otherwise with the program's
    /// name.
    public static func error(_ text: String) -> String { line(text, level: .error) }
    /// Returns a warning, in the same form.
    public static func warning(_ text: String) -> String { line(text, level: .warning) }
    /// Returns a note, in the same form.
    public static func note(_ text: String) -> String { line(text, level: .info) }

    private static func line(_ text: String, level: Logger.Level) -> String {
        guard isJournal else { return "dockface: \(level.prefix)\(text)" }
        // In the journal, each of several lines is a separate entry.
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        return lines.map { "<\(level.journal)>\($0)" }.joined(separator: "\n")
    }

    /// Whether standard error goes to journald: a variable identifies the file (systemd.exec(5)). A shell started by a
    /// service also has the variable, but another file.
    public static let isJournal: Bool = {
        var file = stat()
        guard let named = ProcessEnvironment.value("JOURNAL_STREAM"), fstat(2, &file) == 0 else { return false }
        return named == "\(file.st_dev):\(file.st_ino)"
    }()

    /// Sets the lowest level that is written.
    static func tell(from level: Logger.Level) { Sink.shared.level = level }

    /// Starts keeping lines, if standard error is the terminal.
    public static func holdForTerminal() { Sink.shared.hold() }

    /// Writes the lines that were kept, and stops keeping.
    public static func release() { Sink.shared.release() }

    /// The destination of the lines.
    final class Sink: Sendable {
        static let shared = Sink()
        /// The maximum number of lines kept while the terminal is in use. Older ones are dropped.
        static let kept = 200

        private struct State {
            var isHeld = false
            var lines: [String] = []
            var last = (text: "", at: 0.0, again: 0)
        }

        /// The time within which a repeated line is counted instead of written, in seconds.
        static let quiet = 5.0

        private let state = Mutex(State())
        private let least = Atomic(Logger.Level.info.journal)

        var level: Logger.Level {
            get { Logger.Level.allCases.last { $0.journal >= least.load(ordering: .relaxed) } ?? .info }
            set { least.store(newValue.journal, ordering: .relaxed) }
        }

        func put(_ text: String, level: Logger.Level) {
            let line = LineLog.line(text, level: level)
            state.withLock { state in
                let now = cposix_monotonic_now()
                if text == state.last.text, now - state.last.at < Self.quiet {
                    state.last.again += 1
                    return
                }
                if state.last.again > 0 {
                    emit("dockface: (the previous line was repeated \(state.last.again) more times)", &state)
                }
                state.last = (text, now, 0)
                emit(line, &state)
            }
        }

        private func emit(_ line: String, _ state: inout State) {
            if state.isHeld {
                if state.lines.count == Self.kept { state.lines.removeFirst() }
                state.lines.append("\(Self.clock) \(line)")
            } else {
                Self.write(line)
            }
        }

        /// The local time of day, because a kept line is written much later.
        private static var clock: String {
            var now = Glibc.time(nil), day = tm()
            localtime_r(&now, &day)
            return [day.tm_hour, day.tm_min, day.tm_sec].map { $0 < 10 ? "0\($0)" : "\($0)" }.joined(separator: ":")
        }

        func hold() { state.withLock { $0.isHeld = isatty(2) == 1 } }

        func release() {
            state.withLock { state in
                state.isHeld = false
                for line in state.lines { Self.write(line) }
                state.lines = []
            }
        }

        private static func write(_ line: String) { LineOutput.log.put(line) }
    }
}

extension Logger.Level {
    fileprivate var journal: Int {
        switch self {
        case .trace, .debug: 7
        case .info: 6
        case .notice: 5
        case .warning: 4
        case .error: 3
        case .critical: 2
        }
    }

    fileprivate var prefix: String {
        switch self {
        case .trace, .debug, .info, .notice: ""
        case .warning: "warning: "
        case .error, .critical: "error: "
        }
    }
}
