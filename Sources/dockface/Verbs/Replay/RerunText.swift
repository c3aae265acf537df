import Companion
import ControlProtocol
import DockControl
import Geometry

/// The result of deciding a session again, for people and programs.
enum RerunText {
    static func text(of report: RerunReport, from start: Seconds) -> String {
        let counts =
            "\(report.setpoints.same) of \(report.setpoints.all) set-points and "
            + (report.bytes.same == report.bytes.all
                ? "\(report.bytes.all) bytes" : "\(report.bytes.same) of \(report.bytes.all) bytes") + " the same"
        if let difference = report.difference {
            return """
                decided again: \(counts); the first difference is at \(fixed(difference.time - start, 3)) s
                  recorded: \(words(difference.recorded))
                  decided:  \(words(difference.decided))
                """
        }
        if report.isFromBeginning, report.tornAt == nil { return "decided again: " + counts }
        let why =
            report.tornAt.map { "records are missing at \(fixed($0 - start, 3)) s, so the rest begins in mid-session" }
            ?? "the trace begins in mid-session, with an unknown state"
        guard let since = report.sameSince else {
            return "decided again: \(counts); \(why), so the time from which all decisions are the same is unknown"
        }
        return "decided again: \(counts); \(why): from \(fixed(since - start, 3)) s on, all set-points are the same"
    }

    static func json(of report: RerunReport) -> JSONValue {
        .object([
            "setpoints": .number(report.setpoints.all), "sameSetpoints": .number(report.setpoints.same),
            "bytes": .number(report.bytes.all), "sameBytes": .number(report.bytes.same),
            "isSame": .bool(report.isSame), "isFromBeginning": .bool(report.isFromBeginning),
            "tornAt": .number(orNull: report.tornAt), "sameSince": .number(orNull: report.sameSince),
            "difference": report.difference.map { difference in
                .object([
                    "at": .number(difference.time), "recorded": .string(words(difference.recorded)),
                    "decided": .string(words(difference.decided)),
                ])
            } ?? .null,
        ])
    }

    private static func words(_ body: TraceRecord.Body?) -> String {
        switch body {
        case .set(let velocity, let owner, let reason):
            "set pan \(velocity.pan) tilt \(velocity.tilt) rad/s, \(owner): \(reason)"
        case .toDock(let bytes, let isCut):
            "written " + bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
                + (isCut ? ", cut off" : "")
        default: "nothing"
        }
    }
}
