import Foundation
import Synchronization
import TestSupport

/// The observations of one fault in one mode: a row of the table.
struct FaultRow: CustomStringConvertible {
    var fault = ""
    var mover = ""
    /// The highest speed since the fault (or, on a line that still carries set-points, since the stop command), deg/s.
    var speed = 0.0
    /// The time from then until it stood still, ms; nil: never.
    var standing: Double?
    /// How far a blocked axis was commanded to turn until no set-point pressed it any more, deg; nil: it was not blocked.
    var pushed: Double?
    /// The reported states, in order.
    var said: [String] = []
    /// From the end of the fault to "ready", seconds.
    var recovery: Double?
    /// ... and to following again.
    var following: Double?
    private(set) var readyAgain: Double?
    private(set) var isReady = true

    /// Takes a state of the accessory.
    mutating func hear(_ accessory: JSON) {
        guard let dock = accessory["dock"].string else { return }
        let name = accessory["reason"].string ?? dock
        isReady = name == "ready"
        if isReady, said.contains(where: { $0 != "ready" }) { readyAgain = readyAgain ?? monotonicNow() }
        if said.last != name { said.append(name) }
    }

    mutating func forget() { said = [] }

    /// Whether the dock must stop. Not required in tracking if set-points still arrive, or arrive again after a tenth
    /// of a second.
    var isJudged = true
    var isLatched = false

    /// The deadman's 250 ms, 100 ms, and the plant's braking: 600 deg/s² down, then its lag of 40 ms down to 0.5 deg/s.
    /// For a blocked axis, instead of the deadman: until it is 6 degrees behind, and 500 ms for the dock to detect it; the
    /// other axis continues meanwhile.
    var limit: Double {
        let tail = 40 * log(max(min(speed, 600 * 0.04), 0.5) / 0.5)
        let watchdog = fault == LineFault.blocked.rawValue ? 500 + 6 / max(speed, 1) * 1000 : 250
        return watchdog + 100 + speed / 600 * 1000 + tail
    }

    /// Tracking that has not proven its signs pushes in bursts, as often as frames arrive. The limit is one of the
    /// commanded motion: 12 degrees, what half a second adds, and the retreat of 3 degrees.
    var mostPushed: Double { 15 + 0.5 * speed }
    var isPushedInBursts: Bool { fault == LineFault.blocked.rawValue && mover == Mover.tracking.rawValue }

    var description: String {
        "\(fault), \(mover): \(said), \(speed) deg/s, stopped after \(standing ?? -1) ms, pushed \(pushed ?? -1) deg"
    }

    /// How it ended.
    private var ending: String {
        if isLatched { return "at rest, cleared by hand" }
        guard mover == Mover.tracking.rawValue else { return "at rest" }
        return isJudged ? following.map { String(format: "follows after %.1f s", $0) } ?? "-" : "follows"
    }

    private static let rows = Mutex<[FaultRow]>([])

    /// Appends rows to the table in the folder that DOCKFACE_TABLES names.
    static func write(_ new: [FaultRow]) throws {
        let all = rows.withLock { rows in
            rows += new
            return rows
        }
        guard let folder = ProcessInfo.processInfo.environment["DOCKFACE_TABLES"] else { return }
        var text = """
            | fault | while | from (deg/s) | stopped after (ms) | limit (ms) | reported state | ready again (s) | then |
            | --- | --- | ---: | ---: | ---: | --- | ---: | --- |

            """
        for row in all {
            let stood = row.isJudged ? row.standing.map { "\(Int($0))" } ?? "never" : "continues"
            let cells = [
                row.fault, row.mover, "\(Int(row.speed))", stood,
                !row.isJudged
                    ? "-"
                    : row.isPushedInBursts
                        ? "\(Int(row.limit)), or \(Int(row.mostPushed)) deg (pushed \(Int(row.pushed ?? .infinity)))"
                        : "\(Int(row.limit))",
                row.said.filter { $0 != "ready" }.joined(separator: ", "),
                row.recovery.map { String(format: "%.1f", $0) } ?? "-",
                row.ending,
            ]
            text += "| " + cells.joined(separator: " | ") + " |\n"
        }
        try text.write(toFile: folder + "/line-faults.md", atomically: true, encoding: .utf8)
    }
}
