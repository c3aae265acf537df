import Companion
import ControlProtocol
import DockControl
import Geometry

/// A summary of a trace in numbers.
struct ReplaySummary {
    /// The pause on the wire above which there is a gap, in seconds. It equals the dock's deadman.
    static let longestGap: Seconds = 0.25

    var pictures = 0
    var invalid = 0
    /// Whether the bytes on the wire are decoded. If not, the set-points are those that the loop decided.
    var isDecoded = true
    private var toDock = 0, fromDock = 0, setpoints = 0
    private var bytesToDock = 0, bytesFromDock = 0
    private var fastest = 0.0
    /// `cleared` is when the dock was ready again.
    private var faults: [(at: Seconds, cause: String, cleared: Seconds?)] = []
    private var gaps: [(at: Seconds, length: Seconds, isOurs: Bool)] = []
    private var lastHeard: Seconds?
    private var lastMoving: Seconds?
    private var turns: [Seconds] = []
    private var isMoving = false

    mutating func sent(_ messages: [WireLine], bytes: Int, at time: Seconds) {
        toDock += messages.count
        bytesToDock += bytes
        for velocity in messages.compactMap(\.velocity) {
            // During motion, a pause between set-points is a gap.
            if isMoving, let last = lastMoving, time - last > Self.longestGap { gaps.append((last, time - last, true)) }
            setpoint(velocity, at: time)
        }
    }

    /// Counts a decided velocity, in rad/s, if the wire does not show what was sent.
    mutating func decided(_ velocity: PanTilt, at time: Seconds) {
        if !isDecoded { setpoint(velocity, at: time) }
    }

    private mutating func setpoint(_ velocity: PanTilt, at time: Seconds) {
        setpoints += 1
        isMoving = velocity != .zero
        if isMoving {
            lastMoving = time
            turns.append(time)
        }
        fastest = max(fastest, abs(velocity.pan), abs(velocity.tilt))
    }

    mutating func received(_ messages: [WireLine], bytes: Int, at time: Seconds) {
        fromDock += messages.count
        bytesFromDock += bytes
        if let last = lastHeard, time - last > Self.longestGap { gaps.append((last, time - last, false)) }
        lastHeard = time
    }

    mutating func state(_ state: String, _ cause: String?, at time: Seconds) {
        if state == "faulted" { faults.append((time, cause ?? "?", nil)) }
        if state == "ready", let last = faults.indices.last, faults[last].cleared == nil { faults[last].cleared = time }
    }

    /// Returns the time from a fault to the last moving set-point before its end, in seconds, or nil if there was none.
    private func turnedAfter(_ fault: Seconds, until end: Seconds) -> Seconds? {
        turns.last { $0 > fault && $0 < end }.map { $0 - fault }
    }

    /// The faults, each with the time of the last moving set-point between it and its clear.
    private var faultReports: [(at: Seconds, cause: String, turned: Seconds?)] {
        faults.enumerated().map { index, fault in
            (
                fault.at, fault.cause,
                turnedAfter(
                    fault.at, until: fault.cleared ?? (index + 1 < faults.count ? faults[index + 1].at : .infinity))
            )
        }
    }

    private func duration(of trace: Trace) -> Seconds {
        (trace.records.last?.time ?? 0) - (trace.records.first?.time ?? 0)
    }

    func text(of trace: Trace) -> String {
        let start = trace.records.first?.time ?? 0
        var lines = [
            "summary: \(fixed(duration(of: trace), 3)) s, \(trace.records.count) records, \(pictures) frames",
            isDecoded
                ? "  wire: \(toDock) messages to the dock, \(fromDock) from it, \(invalid) invalid runs of bytes"
                : "  wire: \(bytesToDock) bytes to the dock, \(bytesFromDock) from it; messages of \(trace.driver) are not decoded",
            "  \(isDecoded ? "set-points" : "decided set-points"): \(setpoints), at most \(fixed(fastest.inDegrees, 1)) deg/s",
        ]
        for gap in gaps {
            let who = gap.isOurs ? "no set-point while moving" : "nothing from the dock"
            lines.append("  gap: \(who) for \(fixed(gap.length, 3)) s, from \(fixed(gap.at - start, 3)) s")
        }
        for fault in faultReports {
            let after = fault.turned.map { "the last moving set-point came \(fixed($0 * 1000, 1)) ms later" }
            lines.append(
                "  fault: \(fault.cause) at \(fixed(fault.at - start, 3)) s; \(after ?? "no moving set-point followed")"
            )
        }
        if faults.isEmpty { lines.append("  faults: none") }
        return lines.joined(separator: "\n")
    }

    func json(of trace: Trace) -> JSONValue {
        .object([
            "rig": .string(trace.rig), "cause": .string(trace.cause), "duration": .number(duration(of: trace)),
            "records": .number(trace.records.count), "pictures": .number(pictures),
            "sent": isDecoded ? .number(toDock) : .null, "received": isDecoded ? .number(fromDock) : .null,
            "invalid": isDecoded ? .number(invalid) : .null, "setpoints": .number(setpoints),
            "fastest": .number(fastest), "isCut": .bool(trace.isCut),
            "gaps": .array(
                gaps.map {
                    .object([
                        "at": .number($0.at), "length": .number($0.length),
                        "of": .string($0.isOurs ? "setpoints" : "dock"),
                    ])
                }),
            "faults": .array(
                faultReports.map {
                    .object([
                        "at": .number($0.at), "cause": .string($0.cause), "turnedAfter": .number(orNull: $0.turned),
                    ])
                }),
        ])
    }
}
