import ArgumentParser
import CPosix
import Companion
import ControlProtocol
import DockClient
import DockControl
import DockTypes
import Geometry
import Glibc

/// `dockface latency`: the time of each stage from a frame to its effect, in the running daemon.
struct LatencyVerb: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "latency",
        abstract:
            "Show the time of each stage in the running daemon: exposure, rectangle, track, command, wire, motion, frame.",
        usage: "dockface latency [--once] [--follow] [--interval S] [--seconds S] [--json] [--socket PATH]",
        discussion: """
            Times are milliseconds: median (p50) and 99th percentile (p99), of the newest 256 samples and since the daemon started. \
            On a terminal the table is redrawn in place until Ctrl-C; into a pipe goes one line each time. With --json the verb prints \
            one object and ends, unless --follow, --interval or --seconds is given. The queue of a port is \
            known for serial hardware only. A motion counts if it begins clearly, from standstill, and a frame if the followed \
            face stands still. For example:
              dockface latency
              dockface latency --json | jq '.stages[] | select(.stage == "answered") | .all.p50'
            """)

    @Flag(help: "Show the figures once.")
    var once = false

    @Flag(help: "With --json: continue, one object per line, until Ctrl-C.")
    var follow = false

    @Option(help: "Seconds between two updates, 0.1 to 3600. Default: 1.")
    var interval: Double?

    @Option(help: "End after this many seconds.")
    var seconds: Double?

    @OptionGroup var remote: RemoteOptions

    func validate() throws {
        if once, follow { throw ValidationError("--once and --follow exclude each other.") }
        guard (0.1...3600).contains(interval ?? 1) else {
            throw ValidationError("--interval must be 0.1 to 3600 seconds.")
        }
        if let seconds, !(seconds > 0 && seconds < 1e7) { throw ValidationError("--seconds must be above 0.") }
    }

    /// Whether it ends after the first figures. Like other verbs with --json, it does so unless more are requested.
    private var isOver: Bool { once || remote.json && !follow && interval == nil && seconds == nil }

    func run() throws {
        let report = Report(isJSON: remote.json), bell = cposix_signal_descriptor(false)
        // A closed output is an end like any other.
        signal(SIGPIPE, SIG_IGN)
        do {
            let client = try ControlClient(path: remote.socket)
            let start = cposix_monotonic_now(), end = seconds.map { start + $0 }
            var next = start, drawn = 0
            while true {
                let figures: JSONValue
                switch try client.ask("latency") {
                case .failure(let refusal): throw report.refusal(refusal)
                case .success(let result): figures = result
                }
                drawn = try show(figures, after: cposix_monotonic_now() - start, over: drawn)
                next += interval ?? 1
                guard !isOver, end.map({ next <= $0 }) ?? true else { return }
                guard wait(until: next, bell: bell) else { return }
            }
        } catch let error as DockError {
            throw report.failure(error)
        }
    }

    /// Shows the figures. Returns how many lines they take on a terminal, to be overwritten the next time.
    private func show(_ figures: JSONValue, after seconds: Seconds, over drawn: Int) throws(DockError) -> Int {
        if remote.json {
            try FileBytes.write(figures.bytes + [0x0A], to: "-")
            return 0
        }
        let figures = figures.plain
        guard once || isTerminal(1) else {
            let line = fixed(seconds, 1).aligned(9) + "  " + LatencyText.line(figures)
            try FileBytes.printEscaped(line)
            return 0
        }
        let lines = LatencyText.table(figures)
        // Moves the cursor up to the first line, then rewrites each line to its end.
        var text = drawn > 0 ? "\u{1B}[\(drawn)A" : ""
        text += lines.map { (once ? $0 : $0 + "\u{1B}[K") + "\n" }.joined()
        if drawn > lines.count { text += "\u{1B}[J" }
        try FileBytes.write(Array(text.utf8), to: "-")
        return lines.count
    }

    /// Waits for a time. Returns false if the user ends the verb first.
    private func wait(until time: Seconds, bell: Int32) -> Bool {
        while true {
            let left = time - cposix_monotonic_now()
            if left <= 0 { return true }
            var wake = pollfd(fd: bell, events: Int16(POLLIN), revents: 0)
            _ = poll(&wake, 1, Int32((left * 1000).rounded(.up)))
            if cposix_counter_take(bell) > 0 { return false }
        }
    }
}
