import ArgumentParser
import Companion
import CPosix
import ControlProtocol
import DockClient
import DockControl
import DockTypes
import Geometry
import Glibc

/// `dockface watch`: shows events as they happen.
struct Watch: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Show what happens in the running daemon, until Ctrl-C.",
        usage: "dockface watch [TOPIC...] [--json] [--socket PATH]",
        discussion: """
            Topics: \(Topic.allCases.map(\.rawValue).joined(separator: ", ")). Default: all \
            except \(Topic.allCases.filter(\.isBulk).map(\.rawValue).joined(separator: " and ")). Each line begins with the \
            seconds since the start. Angles are in degrees; with --json they are in radians, one JSON object per line.

            For example:
              dockface watch motion events
              dockface watch tracking --json | jq .data.followed
            """)

    @Argument(help: "Topics to show.")
    var topics: [String] = []

    @OptionGroup var remote: RemoteOptions

    func run() throws {
        let report = Report(isJSON: remote.json)
        let wanted = try wantedTopics(report)
        let bell = cposix_signal_descriptor(false)
        // A closed output is an end like any other.
        signal(SIGPIPE, SIG_IGN)
        do {
            let client = try ControlClient(path: remote.socket)
            (client.interrupt, client.output) = (bell, 1)
            if case .failure(let refusal) = try client.ask(
                "subscribe", ["topics": .array(wanted.map { .string($0.rawValue) })])
            {
                throw report.refusal(refusal)
            }
            try show(client, bell: bell)
        } catch let error as DockError {
            throw report.failure(error)
        }
    }

    private func wantedTopics(_ report: Report) throws -> [Topic] {
        guard !topics.isEmpty else { return Topic.allCases.filter { !$0.isBulk } }
        return try topics.map { name in
            guard let topic = Topic(rawValue: name.lowercased()) else {
                throw report.misuse(
                    "unknown topic \"\(name)\"",
                    hint: "use one of " + Topic.allCases.map(\.rawValue).joined(separator: " "))
            }
            return topic
        }
    }

    private func show(_ client: ControlClient, bell: Int32) throws(DockError) {
        let start = cposix_monotonic_now()
        var text = WatchText(pace: isTerminal(1) ? 0.25 : 0)
        while true {
            let wait = text.due.map { max(0, $0 - cposix_monotonic_now()) }
            let event = try client.nextEvent(timeout: wait)
            let now = cposix_monotonic_now()
            if cposix_counter_take(bell) > 0 { return }
            var lines: [String] = []
            if remote.json {
                if let event { lines = [String(decoding: event.parameters.bytes, as: UTF8.self)] }
            } else {
                let stamp = fixed(now - start, 3).aligned(9) + "  "
                lines = (event.map { text.lines($0.plain, now: now) } ?? text.dueLines(now: now)).map { stamp + $0 }
            }
            // The wait ended without an event, a signal or a pending line: the output is closed.
            if event == nil, wait == nil { return }
            guard lines.allSatisfy(put) else { return }
        }
    }

    /// Prints a line. Returns false if the output is closed.
    private func put(_ line: String) -> Bool { printLine(line) }
}
