import Companion
import ControlProtocol

/// The answer of method `latency` for people.
enum LatencyText {
    /// Returns a table: stage, p50 and p99 of the newest samples and of all, in milliseconds, or the reason why there
    /// are none.
    static func table(_ figures: JSONValue) -> [String] {
        let window = figures["window"]?.number.map { fixed($0, 0) } ?? "?"
        let stages = figures["stages"]?.array ?? []
        let width = max(24, (stages.map { name($0).count }.max() ?? 0) + 2)
        var lines = [
            "ms".padded(width) + "last \(window)".aligned(8) + "p50".aligned(9) + "p99".aligned(9) + "all".aligned(10)
                + "p50".aligned(9) + "p99".aligned(9)
        ]
        for stage in stages {
            var line = name(stage).padded(width)
            if let why = stage["why"]?.string {
                line += "  - " + why
            } else {
                line += columns(stage.member("recent"), first: 8) + columns(stage.member("all"), first: 10)
            }
            lines.append(line)
        }
        if stages.isEmpty { lines.append("nothing is known yet: the dock has not been ready since the daemon started") }
        lines.append("times of the frames".padded(width) + "  - " + lag(figures.member("pictureLag")))
        return lines
    }

    /// Returns the accuracy of the times of the frames.
    private static func lag(_ found: JSONValue) -> String {
        guard let lag = found["seconds"]?.number, let deviation = found["deviation"]?.number else {
            return "not known yet: the head has to follow a person back and forth"
        }
        guard deviation < 0.015 else { return "not known precisely yet, to +- \(fixed(deviation * 1000, 0)) ms" }
        let corrected = found["corrected"]?.number ?? 0
        return "taken \(fixed(abs(lag) * 1000, 0)) +- \(fixed(deviation * 1000, 0)) ms "
            + (lag < 0 ? "sooner" : "later") + " than reported, corrected by: \(fixed(corrected * 1000, 0)) ms"
    }

    /// Returns one line with the medians of the newest samples.
    static func line(_ figures: JSONValue) -> String {
        (figures["stages"]?.array ?? []).map { stage in
            "\(stage.word("stage")) " + (stage.member("recent")["p50"]?.number.map { fixed($0 * 1000, 2) } ?? "-")
        }.joined(separator: "  ")
    }

    private static func name(_ stage: JSONValue) -> String { "\(stage.word("from")) -> \(stage.word("to"))" }

    private static func columns(_ spread: JSONValue, first: Int) -> String {
        func milliseconds(_ name: String) -> String {
            (spread[name]?.number.map { fixed($0 * 1000, 2) } ?? "-").aligned(9)
        }
        return (spread["count"]?.number.map { fixed($0, 0) } ?? "-").aligned(first) + milliseconds("p50")
            + milliseconds("p99")
    }
}
