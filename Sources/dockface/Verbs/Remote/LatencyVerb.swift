import ArgumentParser
import CPosix
import Companion
import DockControl
import Geometry
import Glibc

/// `dockface latency`: what each stage from a picture to its effect takes, in the running daemon.
struct LatencyVerb: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "latency",
        abstract:
            "Show what each stage takes in the running daemon: exposure, rectangle, track, command, wire, motion, picture.",
        usage: "dockface latency [--once] [--interval S] [--seconds S] [--json] [--socket PATH]",
        discussion: """
            Milliseconds: half (p50) and 99 of 100 (p99) take no longer, of the newest 256 and since the daemon began. \
            On a terminal the table is drawn anew in place, until Ctrl-C; into a pipe goes one line each time. What is \
            left in a port's queue is known of serial hardware only; a motion counts that begins clearly, from standing \
            still; a picture where a face is followed that stands still. For example:
              dockface latency
              dockface latency --once --json | jq '.stages[] | select(.stage == "answered") | .all.p50'
            """)

    @Flag(help: "Show it once.")
    var once = false

    @Option(help: "Seconds between two times, 0.1 to 3600.")
    var interval = 1.0

    @Option(help: "End after so many seconds.")
    var seconds: Double?

    @OptionGroup var remote: RemoteOptions

    func validate() throws {
        guard (0.1...3600).contains(interval) else { throw ValidationError("--interval is 0.1 to 3600 seconds.") }
        if let seconds, !(seconds > 0 && seconds < 1e7) { throw ValidationError("--seconds must be above 0.") }
    }

    func run() throws {
        let report = Report(isJSON: remote.json), bell = cposix_signal_descriptor(false)
        // Nobody reads any more: that is an end like any other.
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
                next += interval
                guard !once, end.map({ next <= $0 }) ?? true else { return }
                guard wait(until: next, bell: bell) else { return }
            }
        } catch let error as DockError {
            throw report.failure(error)
        }
    }

    /// Shows it; the lines that it takes on a terminal, to be drawn over the next time.
    private func show(_ figures: JSONValue, after seconds: Seconds, over drawn: Int) throws(DockError) -> Int {
        if remote.json {
            try FileBytes.write(figures.bytes + [0x0A], to: "-")
            return 0
        }
        let figures = figures.plain
        guard once || isTerminal(1) else {
            let line = fixed(seconds, 1).aligned(9) + "  " + LatencyText.line(figures)
            try FileBytes.say(line)
            return 0
        }
        let lines = LatencyText.table(figures)
        // Up to where it began, and each line to its end anew.
        var text = drawn > 0 ? "\u{1B}[\(drawn)A" : ""
        text += lines.map { (once ? $0 : $0 + "\u{1B}[K") + "\n" }.joined()
        if drawn > lines.count { text += "\u{1B}[J" }
        try FileBytes.write(Array(text.utf8), to: "-")
        return lines.count
    }

    /// False where somebody ends it first.
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
