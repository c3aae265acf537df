import ArgumentParser
import Companion
import DockControl
import DockTypes
import Geometry
import Plotting

/// `dockface plot`: draws traces as a chart.
struct PlotVerb: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "plot",
        abstract: "Draw traces of the flight recorder: target, head, error and commands over time, as SVG.",
        discussion: """
            Times are seconds from the first record of each trace; several traces are drawn over each other. The target is the pose that \
            puts the followed rectangle where framing wants it. For example:
              dockface plot $(dockface trace) -o motion.svg
              dockface plot before.jsonl after.jsonl --label before --label after --from 5 --to 12 -o both.svg
            """)

    /// The axes that are drawn.
    enum Axes: String, CaseIterable, ExpressibleByArgument {
        case pan, tilt, both
        var axes: [Axis] { self == .both ? [.pan, .tilt] : self == .pan ? [.pan] : [.tilt] }
    }

    /// More traces would be hard to tell apart.
    static let mostTraces = Plot.colours.count

    @Argument(help: ArgumentHelp("The traces; - is standard input.", valueName: "trace"))
    var traces: [String]

    @Option(name: .shortAndLong, help: ArgumentHelp("File for the chart; - is standard output.", valueName: "file"))
    var output: String

    @Option(help: "pan, tilt or both.")
    var axis = Axes.pan

    @Option(help: "Name of a trace in the legend, in their order. Repeatable. Default: the file's name.")
    var label: [String] = []

    @Option(help: "Title of the chart.")
    var title: String?

    @Option(help: "Begin this many seconds after the first record.")
    var from: Double?

    @Option(help: "End this many seconds after the first record.")
    var to: Double?

    @Option(
        help:
            "The rig's profile, a name or a path, for the camera that the target depends on. Default: the trace's own.")
    var profile: String?

    func validate() throws {
        guard traces.count <= Self.mostTraces else {
            throw ValidationError("At most \(Self.mostTraces) traces fit into one chart.")
        }
        guard label.count <= traces.count else { throw ValidationError("There are more --label than traces.") }
        if traces.count(where: { $0 == "-" }) > 1 { throw ValidationError("Only one trace can be standard input.") }
        for (name, value) in [("--from", from), ("--to", to)] where value.map({ !$0.isFinite || $0 < 0 }) ?? false {
            throw ValidationError("\(name) needs a number of seconds, 0 or more.")
        }
        if let from, let to, to <= from { throw ValidationError("--to must be after --from.") }
    }

    func run() throws {
        do {
            var left: [String] = [], runs: [TracePlot.Run] = []
            for (index, file) in traces.enumerated() {
                let name = file == "-" ? "standard input" : file
                let trace = try Trace(FileBytes.read(file), name: name)
                let rig = try TraceRig.profile(of: trace, named: profile)
                if rig == nil { left.append(TraceRig.unknown(trace, name)) }
                runs.append(
                    TracePlot.Run(
                        label: index < label.count ? label[index] : Self.stem(name), trace: trace,
                        motion: TraceMotion(trace, camera: rig?.camera)))
            }
            let drawn = TracePlot(runs: runs, axes: axis.axes)
            var plot = drawn.plot(title: title ?? runs.map(\.label).joined(separator: ", "))
            let end = runs.map { ($0.trace.records.last?.time ?? 0) - $0.start }.max() ?? 0
            let first = from ?? 0, last = to ?? end
            guard first < max(end, 1e-9) else {
                throw fail("--from \(fixed(first, 3)): the trace ends after \(fixed(end, 3)) s", status: 65)
            }
            plot.span = first...max(min(last, end), first + 1e-3)
            if !left.isEmpty {
                plot.note = "Target and error are omitted, because the camera is unknown."
                for text in left { warn("\(text): target and error are omitted; name the profile with --profile") }
            }
            try FileBytes.write(Array(plot.svg.utf8), to: output)
        } catch let error as DockError {
            // The file is data, not our configuration.
            throw fail("\(error.message): \(error.hint)", status: error.code == .configuration ? 65 : error.exitStatus)
        }
    }

    /// Returns a file's name without folder and extension.
    private static func stem(_ path: String) -> String {
        let name = path.split(separator: "/").last.map(String.init) ?? path
        return name.hasSuffix(".jsonl") ? String(name.dropLast(6)) : name
    }
}
