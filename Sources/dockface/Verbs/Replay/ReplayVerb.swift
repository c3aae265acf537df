import ArgumentParser
import Companion
import ControlProtocol
import DockControl
import DockTypes
import FaceTracker
import Geometry
import Glibc

/// The error that a decision differed, which the exit status reports.
private struct Different: Error {}

/// `dockface replay`: shows the contents of a trace in order.
struct ReplayVerb: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "replay",
        abstract: "Show a trace of the flight recorder, and check that the same decisions result again.",
        discussion: """
            Times are seconds from the trace's first record. > marks bytes to the dock, < bytes from it. For example:
              dockface run --port sim --detector scene:FILE --trace session.jsonl; dockface replay session.jsonl
              dockface replay $(dockface trace) --only state --only wire --from 25
              dockface replay FILE --detections | dockface track
              dockface replay FILE --what-if latency=+40ms,controller=p --output other.jsonl
            The session is then run once more in virtual time, with the same program code. The exit status is 1 if a decision \
            differs that must be the same. A trace that begins in mid-session (dockface trace, or after a fault) shows only from \
            which time on all decisions are the same.
            """)

    @Argument(help: ArgumentHelp("The trace; - is standard input.", valueName: "file"))
    var file: String

    @Option(help: "Play at this multiple of the real speed. Default: at once.")
    var speed: Double?

    @Option(help: "Begin this many seconds after the first record.")
    var from: Double?

    @Option(help: "End this many seconds after the first record.")
    var to: Double?

    @Option(
        help: "Show only this kind: \(ReplayText.Kind.allCases.map(\.rawValue).joined(separator: " ")). Repeatable.")
    var only: [ReplayText.Kind] = []

    @Flag(help: "Print only the summary, as one JSON line.")
    var json = false

    @Flag(help: "Print the rectangles as a detection stream, for `dockface track` and --detector file:.")
    var detections = false

    @Flag(help: "Only show the trace; do not decide again.")
    var tell = false

    @Flag(help: "Print only the new decisions, set-points and bytes, as lines of a trace.")
    var decisions = false

    @Option(
        help: "Simulate the session with a change: latency=+40ms,delay=,controller=p,rig=,fps=.")
    var whatIf: String?

    @Option(
        name: .shortAndLong,
        help: ArgumentHelp(
            "With --what-if: write the run as a trace to this file; - is standard output.", valueName: "file"))
    var output: String?

    @Option(help: "With --what-if: the rig's profile, a name or a path. Default: the trace's own.")
    var profile: String?

    func validate() throws {
        if whatIf == nil, output != nil || profile != nil {
            throw ValidationError("--output and --profile need --what-if.")
        }
        if whatIf != nil, detections || decisions || tell || speed != nil || !only.isEmpty {
            throw ValidationError(
                "--what-if cannot be combined with --detections, --decisions, --tell, --speed or --only.")
        }
        if let speed, !(speed > 0 && speed <= 1000) {
            throw ValidationError("--speed must be above 0 and at most 1000.")
        }
        for (name, value) in [("--from", from), ("--to", to)] where value.map({ !$0.isFinite || $0 < 0 }) ?? false {
            throw ValidationError("\(name) needs a number of seconds, 0 or more.")
        }
        if let from, let to, to <= from { throw ValidationError("--to must be after --from.") }
        if [json, detections, decisions].filter({ $0 }).count > 1 {
            throw ValidationError("--json, --detections and --decisions exclude each other.")
        }
        if tell, decisions { throw ValidationError("--decisions and --tell exclude each other.") }
    }

    func run() throws {
        do {
            var trace = try Trace(
                FileBytes.read(file, atMost: Self.largest), name: file == "-" ? "standard input" : file)
            if decisions { return try printDecisions(of: trace) }
            if let whatIf {
                let span = (from ?? 0)...(to ?? .infinity)
                return try WhatIfReplay(file: file, output: output, profile: profile, isJSON: json)
                    .run(trace, whatIf, span: span)
            }
            let start = trace.records.first?.time ?? 0
            let span = (start + (from ?? 0))...(start + (to ?? .infinity))
            // The wire is read from the start of the trace, so that no message at the edge is truncated.
            var summary = ReplaySummary()
            let lines = ReplayText.lines(of: trace, from: start, span: span, only: Set(only), into: &summary)
            let whole = trace
            trace.records.removeAll { !span.contains($0.time) }
            if detections { return try FileBytes.write(Self.stream(of: trace), to: "-") }
            if json {
                let report = tell ? nil : Self.decide(whole)
                var members = summary.json(of: trace).object ?? [:]
                members["decided"] = report.map(RerunText.json) ?? .null
                try FileBytes.write(JSONValue.object(members).bytes + [0x0A], to: "-")
                if report?.isSame == false { throw Different() }
                return
            }
            try say(ReplayText.head(of: trace))
            var last = lines.first?.time ?? 0
            for line in lines {
                if let speed, line.time > last { usleep(useconds_t(min(line.time - last, 60) / speed * 1e6)) }
                last = max(last, line.time)
                try say(line.text)
            }
            try say(summary.text(of: trace))
            if tell { return }
            guard let report = Self.decide(whole) else { return try say(Self.undecidable) }
            try say(RerunText.text(of: report, from: start))
            if !report.isSame { throw Different() }
        } catch is Different {
            throw ExitCode(1)
        } catch let error as DockError {
            // The file is data, not our configuration.
            throw fail("\(error.message): \(error.hint)", status: error.code == .configuration ? 65 : error.exitStatus)
        }
    }

    /// The size limit of a session's trace (1 GB), with a margin.
    private static let largest = 1100 << 20
    private static let undecidable =
        "not decided again: the trace does not hold all inputs (dockface run --trace FILE records them)"

    /// Decides the trace again. The result is nil if the trace does not contain enough.
    private static func decide(_ trace: Trace) -> RerunReport? {
        guard var run = try? Rerun(trace) else { return nil }
        return run.run()
    }

    private func printDecisions(of trace: Trace) throws {
        var lines: [UInt8] = [], setup = Rerun.Setup()
        setup.onDecision = { lines += TraceWriter.line(of: $0) }
        var run = try Rerun(trace, setup)
        let report = run.run()
        try FileBytes.write(lines, to: "-")
        if !report.isSame { throw Different() }
    }

    private func say(_ text: String) throws(DockError) { try FileBytes.printEscaped(text) }

    /// Returns the detections as a stream. Predicted rectangles are omitted.
    private static func stream(of trace: Trace) -> [UInt8] {
        var encoder = DetectionEncoder(), bytes: [UInt8] = [], number = 0
        encoder.writeHello(detector: "trace of \(trace.rig)", clock: .media, to: &bytes)
        for record in trace.records {
            guard case .rectangles(let exposure, let all) = record.body else { continue }
            number += 1
            encoder.writeFrame(
                sequence: number, time: exposure,
                detections: all.filter { !$0.isCoasting }.map { Detection(rect: $0.rect) }, to: &bytes)
        }
        encoder.writeBye(reason: "the end of the trace", to: &bytes)
        return bytes
    }
}
