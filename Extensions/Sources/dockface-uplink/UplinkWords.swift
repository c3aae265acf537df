import ControlProtocol
import Uplink

/// What people read of the uplink.
enum UplinkWords {
    /// Returns what the daemon shows of this extension.
    static func report(
        _ state: UplinkState, _ readout: UplinkReadout, problem: String?, server: String
    ) -> (ExtensionState, String) {
        switch state {
        case .streaming: (.ready, figures(readout))
        case .paused: (.ready, short(problem ?? "connected; no frames are sent"))
        case .off: (.starting, "")
        case .connecting, .authenticating: (.starting, short(state.text(server)))
        case .waiting(let reason), .refused(let reason): (.fault, short(reason))
        }
    }

    /// The figures in one line: `29.7/s 6.1 Mbit/s, 640 px q60, rtt 2 ms, age 31 ms`.
    static func figures(_ readout: UplinkReadout) -> String {
        var parts = [
            "\(tenths(readout.rate))/s \(tenths(readout.megabits)) Mbit/s",
            "\(readout.shape.width) px " + (readout.shape.isVideo ? "h264" : "q\(readout.shape.quality)"),
        ]
        if let time = readout.roundTrip { parts.append("rtt \(milliseconds(time))") }
        if let age = readout.age { parts.append("age \(milliseconds(age))") }
        parts.append(readout.peopleAge.map { "people \(milliseconds($0))" } ?? "no people yet")
        return short(parts.joined(separator: ", "))
    }

    /// A number of bytes, as `12.3 MB`.
    static func megabytes(_ bytes: Int) -> String { "\(tenths(Double(bytes) / 1e6)) MB" }

    /// Returns one report of several: the gravest state, and all texts.
    static func merged(_ reports: [(ExtensionState, String)]) -> (ExtensionState, String) {
        let state = [ExtensionState.fault, .starting].first { state in reports.contains { $0.0 == state } } ?? .ready
        return (state, short(reports.map(\.1).filter { !$0.isEmpty }.joined(separator: "; ")))
    }

    private static func tenths(_ value: Double) -> String {
        let tenths = Int((value * 10).rounded())
        return "\(tenths / 10).\(tenths % 10)"
    }

    private static func milliseconds(_ time: Double) -> String {
        "\(Int((min(max(time, 0), 1e6) * 1000).rounded())) ms"
    }

    /// Cuts a text to the length that a report may have.
    static func short(_ text: String) -> String {
        guard text.utf8.count > 80 else { return text }
        var cut = Substring(text)
        while cut.utf8.count > 77 { cut.removeLast() }
        return cut + "..."
    }
}
