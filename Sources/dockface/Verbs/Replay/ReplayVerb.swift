import ArgumentParser
import Companion
import DockControl
import FaceTracker
import Geometry
import Glibc

/// `dockface replay`: what a trace tells, in order.
struct ReplayVerb: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "replay",
        abstract: "Tell what a trace of the flight recorder holds: the wire in words, poses, rectangles, states.",
        discussion: """
            Times are seconds from the trace's first record. > went to the dock, < came from it. For example:
              dockface replay $(dockface trace) --only state --only wire --from 25
              dockface replay FILE --detections | dockface track
            """)

    @Argument(help: ArgumentHelp("The trace; - is standard input.", valueName: "file"))
    var file: String

    @Option(help: "Tell it at this many times its own speed; without: at once.")
    var speed: Double?

    @Option(help: "Begin so many seconds after the first record.")
    var from: Double?

    @Option(help: "End so many seconds after the first record.")
    var to: Double?

    @Option(help: "Only these: \(ReplayText.Kind.allCases.map(\.rawValue).joined(separator: " ")). May be given again.")
    var only: [ReplayText.Kind] = []

    @Flag(help: "Print the summary alone, as one JSON line.")
    var json = false

    @Flag(help: "Print the rectangles as a detection stream, for `dockface track` and --detector file:.")
    var detections = false

    func validate() throws {
        if let speed, !(speed > 0 && speed <= 1000) {
            throw ValidationError("--speed is a number above 0, at most 1000.")
        }
        for (name, value) in [("--from", from), ("--to", to)] where value.map({ !$0.isFinite || $0 < 0 }) ?? false {
            throw ValidationError("\(name) is a number of seconds, 0 or more.")
        }
        if let from, let to, to <= from { throw ValidationError("--to must be after --from.") }
        if json, detections { throw ValidationError("--json and --detections are two different outputs.") }
    }

    func run() throws {
        do {
            var trace = try Trace(FileBytes.read(file), name: file == "-" ? "standard input" : file)
            let start = trace.records.first?.time ?? 0
            let span = (start + (from ?? 0))...(start + (to ?? .infinity))
            // The wire is read from its beginning, so that no message at the edge is cut.
            var summary = ReplaySummary(driver: trace.driver, span: span)
            let lines = ReplayText.lines(of: trace, from: start, span: span, only: Set(only), into: &summary)
            trace.records.removeAll { !span.contains($0.time) }
            if json { return try FileBytes.write(summary.json(of: trace).bytes + [0x0A], to: "-") }
            if detections { return try FileBytes.write(Self.stream(of: trace), to: "-") }
            try tell(ReplayText.head(of: trace))
            var last = lines.first?.time ?? 0
            for line in lines {
                if let speed, line.time > last { usleep(useconds_t(min(line.time - last, 60) / speed * 1e6)) }
                last = max(last, line.time)
                try tell(line.text)
            }
            try tell(summary.text(of: trace))
        } catch {
            // What is in the file is data, not a configuration of ours.
            throw fail("\(error.message): \(error.hint)", status: error.code == .configuration ? 65 : error.exitStatus)
        }
    }

    private func tell(_ text: String) throws(DockError) { try FileBytes.write(Array((text + "\n").utf8), to: "-") }

    /// What the detector had seen, as a stream of its own; what was only predicted is left out.
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
