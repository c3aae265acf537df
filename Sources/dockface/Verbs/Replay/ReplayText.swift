import ArgumentParser
import Companion
import DockControl
import Geometry

/// A trace as lines for people.
enum ReplayText {
    /// The kinds of line that can be selected.
    enum Kind: String, CaseIterable, ExpressibleByArgument {
        case wire, pose, rect, set, cmd, state, note, input
    }

    /// One line and its time.
    struct Line {
        var time: Seconds
        var text: String
    }

    static func head(of trace: Trace) -> String {
        var text =
            "trace of \"\(trace.rig)\" (\(trace.driver)), written \(trace.written) by dockface \(trace.program), "
        text += "because: \(trace.cause)"
        if trace.isCut { text += "\nits last line is cut off" }
        if trace.unknown > 0 { text += "\n\(trace.unknown) lines of unknown kinds" }
        return text
    }

    static func lines(
        of trace: Trace, from start: Seconds, span: ClosedRange<Seconds>, only: Set<Kind>,
        into summary: inout ReplaySummary
    ) -> [Line] {
        var wire = WireReader(driver: trace.driver), lines: [Line] = []
        summary.isDecoded = wire.isKnown
        for record in trace.records {
            var entries: [(Kind, String)] = []
            switch record.body {
            case .toDock(let bytes, let isCut):
                let messages = wire.sent(bytes)
                if span.contains(record.time) { summary.sent(messages, bytes: bytes.count, at: record.time) }
                entries = messages.map { (.wire, "> " + Self.words($0)) }
                if entries.isEmpty { entries = [(.wire, "> \(bytes.count) bytes")] }
                if isCut { entries.append((.wire, "> cut off: the system did not accept all bytes")) }
            case .fromDock(let bytes):
                let messages = wire.received(bytes)
                if span.contains(record.time) { summary.received(messages, bytes: bytes.count, at: record.time) }
                entries = messages.map { (.wire, "< " + Self.words($0)) }
            case .pose(let sample, let deadmanTripped):
                entries = [
                    (
                        .pose,
                        "pose  \(pair(sample.pose)) deg, \(pair(sample.rate)) deg/s"
                            + (deadmanTripped ? ", deadman" : "")
                    )
                ]
            case .rectangles(_, let all):
                if span.contains(record.time) { summary.pictures += 1 }
                entries = [(.rect, "rect  " + (all.isEmpty ? "none" : all.map(rectangle).joined(separator: ", ")))]
            case .set(let velocity, let owner, let reason):
                if span.contains(record.time) { summary.decided(velocity, at: record.time) }
                entries = [(.set, "set   \(pair(velocity)) deg/s, \(owner): \(reason)")]
            case .command(let name, let numbers, let text):
                // The keys of a taught motion are summarised by its name.
                let values = text.isEmpty ? numbers.map { fixed($0, 3) } : []
                entries = [(.cmd, "CMD   " + ([name, text] + values).filter { !$0.isEmpty }.joined(separator: " "))]
            case .state(let state, let cause, let mode):
                if span.contains(record.time) { summary.state(state, cause, at: record.time) }
                entries = [(.state, "STATE \(state)\(cause.map { " (\($0))" } ?? ""), mode \(mode)")]
            case .end(let motion, let name, let outcome):
                entries = [(.cmd, "END   motion \(motion) \(name): \(outcome)")]
            case .note(let text): entries = [(.note, "NOTE  \(text)")]
            case .input(let input): entries = Self.words(input).map { [(.input, $0)] } ?? []
            }
            guard span.contains(record.time) else { continue }
            for (kind, text) in entries where only.isEmpty || only.contains(kind) {
                lines.append(
                    Line(time: record.time, text: fixed(record.time - start, 3).aligned(8) + "  " + text))
            }
        }
        summary.invalid = wire.invalid
        return lines
    }

    /// Returns the inputs that people want to read. Turns, frames and readings appear through their effects.
    private static func words(_ input: TraceInput) -> String? {
        func point(_ point: Point) -> String { "\(fixed(point.x, 3)) \(fixed(point.y, 3))" }
        return switch input {
        case .tap(let place): "ASK   tap \(point(place))"
        case .select(let ids): "ASK   select \(ids.map(String.init).joined(separator: " "))"
        case .observed(let seen): "ASK   observe \(seen.faces.count)"
        case .distances(let all):
            "ASK   distances "
                + (all.isEmpty ? "none" : all.map { "#\($0.id) \(fixed($0.metres, 2)) m" }.joined(separator: ", "))
        case .zoom(let magnification): "ASK   zoom \(fixed(magnification, 2))"
        case .opened(let isHardware, _): "PORT  opened" + (isHardware ? "" : ", no hardware")
        case .notOpened(let problem): "PORT  not opened: \(problem)"
        case .hungUp: "PORT  hung up"
        case .guardian(_, let isAlive, let isAwaited):
            "GUARD \(isAlive ? "runs" : isAwaited ? "is expected" : "is gone")"
        case .gap(let records?): "GAP   \(records) records are missing: the disk was too slow"
        case .gap(nil): "GAP   the file was full"
        default: nil
        }
    }

    private static func words(_ line: WireLine) -> String {
        line.text.isEmpty ? line.name : "\(line.name) \(line.text)"
    }

    private static func pair(_ pair: PanTilt) -> String {
        "pan \(fixed(pair.pan.inDegrees, 2, isSigned: true)) tilt \(fixed(pair.tilt.inDegrees, 2, isSigned: true))"
    }

    private static func rectangle(_ one: FlightRecorder.Rectangle) -> String {
        let numbers = [one.rect.x, one.rect.y, one.rect.width, one.rect.height].map { fixed($0, 3) }
        return "#\(one.id) [\(numbers.joined(separator: " "))]" + (one.isFollowed ? " followed" : "")
            + (one.isCoasting ? " coasting" : "")
    }
}
