import Companion
import ControlProtocol
import DockControl
import DockTypes
import Geometry
import ServoTrials

/// `dockface replay --what-if`: the same recording with another controller or another latency, in a closed loop.
struct WhatIfReplay {
    let file: String
    /// The file for the run's trace, or nil if there is none.
    let output: String?
    let profile: String?
    let isJSON: Bool

    /// Runs the trace again.
    /// - Parameter span: the interval for the figures, in seconds from the first record.
    func run(_ trace: Trace, _ text: String, span: ClosedRange<Seconds>) throws {
        let change: WhatIf
        do throws(DockError) {
            change = try WhatIf(text)
        } catch {
            throw fail("\(error.message): \(error.hint)", status: 64)
        }
        guard let rig = try TraceRig.profile(of: trace, named: profile) else {
            throw fail(
                "\(TraceRig.unknown(trace, file)): its camera and motors are unknown: name the profile with --profile",
                status: 78)
        }
        var run: WhatIfRun
        do throws(DockError) {
            run = try WhatIfRun(trace, profile: rig, change, span: span)
        } catch {
            throw fail("\(file): \(error.message): \(error.hint)", status: 65)
        }
        run.trace.written = trace.written
        if let output { try FileBytes.write(Array(run.trace.text.utf8), to: output) }
        // Standard output carries only one of the two.
        if output == "-" { return }
        let report = isJSON ? json(run, text, trace).bytes + [0x0A] : Array(table(run, text, rig).utf8)
        try FileBytes.write(report, to: "-")
    }

    private func table(_ run: WhatIfRun, _ text: String, _ rig: RigProfile) -> String {
        let columns = [run.recorded, run.asItIs, run.changed]
        func row(_ name: String, _ value: (WhatIfScore) -> String) -> String {
            "  " + name.padded(34) + columns.map { value($0).aligned(12) }.joined() + "\n"
        }
        let length = run.span.upperBound - run.span.lowerBound
        var report =
            "what if \(text): \(file), \(fixed(length, 1)) s, \(run.recorded.pictures) frames with a followed person\n\n"
        report += "  " + "".padded(34) + ["recorded", "as it is", "what if"].map { $0.aligned(12) }.joined() + "\n"
        report += row("error, degrees rms") { fixed($0.error.inDegrees, 2) }
        report += row("face in the middle third") { fixed(100 * $0.central, 1) + " %" }
        report += row("set-points per second") { $0.commands.map { fixed($0, 1) } ?? "?" }
        report += row("reversals per second") { fixed($0.reversals, 2) }
        report += """

            "as it is" is the simulation without a change. The difference from "recorded" is the simulation's error; the difference
            between "as it is" and "what if" is the effect of the change. The rig is simulated from the profile "\(rig.name)".

            """
        if run.isCold {
            report += "The recording begins with the daemon's start, with unproven signs, and so does the simulation.\n"
        }
        if run.commands > 0 {
            report +=
                "\(run.commands) commands of people and programs in the recording were ignored; the simulation only follows faces.\n"
        }
        return report
    }

    private func json(_ run: WhatIfRun, _ text: String, _ trace: Trace) -> JSONValue {
        func score(_ one: WhatIfScore) -> JSONValue {
            .object([
                "error": .number(one.error), "central": .number(one.central),
                "commandsPerSecond": .number(orNull: one.commands), "reversalsPerSecond": .number(one.reversals),
                "pictures": .number(one.pictures),
            ])
        }
        return .object([
            "whatIf": .string(text), "rig": .string(trace.rig), "from": .number(run.span.lowerBound),
            "to": .number(run.span.upperBound), "isCold": .bool(run.isCold), "commandsLeftOut": .number(run.commands),
            "recorded": score(run.recorded), "asItIs": score(run.asItIs), "changed": score(run.changed),
        ])
    }
}
