import Companion
import DockControl
import DockSimulator
import Geometry
import Glibc

/// The one JSON line at the end of a run.
struct SummaryLine {
    let result: SessionSummary
    let bench: Bench
    /// What happened in a search demo, or nil for another run.
    var tale: FindTale?

    func print() {
        let counters = result.loop.counters, score = bench.scene?.score
        var fields = [
            ("frames", "\(result.frames)"), ("subjects", "\(result.subjects)"), ("commands", "\(counters.setpoints)"),
            ("onTarget", number(score?.onTarget, 3)), ("rmsErrorDeg", number(score?.rmsError?.inDegrees, 2)),
            (
                "latencyMs",
                "{\"p50\":\(number(result.loop.latency.percentile(0.5).map { $0 * 1000 }, 3)),"
                    + "\"p99\":\(number(result.loop.latency.percentile(0.99).map { $0 * 1000 }, 3))}"
            ),
            ("dropped", "\(counters.droppedFrames + counters.droppedSetpoints)"), ("faults", "\(counters.faults)"),
            ("guardStops", "\(counters.guardStops)"),
            ("stoppedLast", bench.stopWasLast(result) ? "true" : "false"),
        ]
        if let score {
            fields.append(("persons", "\(score.acquired.count)"))
            fields.append(("switches", "\(score.switches)"))
            fields.append(("falseFrames", "\(score.falseFrames)"))
        }
        if let tale { fields.append(("find", String(decoding: tale.json.bytes, as: UTF8.self))) }
        let line = "{" + fields.map { "\"\($0.0)\":\($0.1)" }.joined(separator: ",") + "}\n"
        writeAll(Array(line.utf8))
    }

    /// Formats a number with this many decimals; null if it was not computed.
    private func number(_ value: Double?, _ decimals: Int) -> String {
        guard let value, value.isFinite, abs(value) < 1e12 else { return "null" }
        return fixed(value, decimals)
    }
}
