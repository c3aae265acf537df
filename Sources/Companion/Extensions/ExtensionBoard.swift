internal import ControlProtocol
internal import DockTypes
internal import Geometry

/// The extensions as the status shows them: what they report by the control API, and what the daemon knows of those
/// that it has started.
struct ExtensionBoard: Sendable, Equatable {
    private struct Report: Sendable, Equatable {
        var reading: ExtensionReading
        var client: Int
        /// When the next report is due, CLOCK_MONOTONIC.
        var due: Seconds
    }

    /// The maximum number of reporting connections. Those of the daemon's own children come on top: others that take
    /// all places would otherwise let the daemon end a child whose reports it refuses.
    static let most = 64

    private var reports: [Report] = []
    private var children: [ExtensionReading] = []

    /// Records what an extension reports of itself.
    /// - Returns: whether it says something new. Other numbers in the same words are not new: figures change each second.
    /// - Throws: `limitReached` if too many report.
    mutating func set(_ reading: ExtensionReading, client: Int, until due: Seconds) throws(DockError) -> Bool {
        var old: ExtensionReading?
        if let place = reports.firstIndex(where: { $0.client == client }) {
            old = reports[place].reading
            (reports[place].reading, reports[place].due) = (reading, due)
        } else {
            let isChild = reading.process.map { process in children.contains { $0.process == process } } ?? false
            guard isChild || reports.count < Self.most else {
                throw DockError(.limitReached, "\(Self.most) extensions report already", hint: "end one of them first")
            }
            reports.append(Report(reading: reading, client: client, due: due))
        }
        return reading.withoutNumbers != old?.withoutNumbers
    }

    /// Removes the report of a connection that has ended. Returns what it reported last, or nil if it was nothing.
    mutating func leave(client: Int) -> ExtensionReading? {
        guard let place = reports.firstIndex(where: { $0.client == client }) else { return nil }
        return reports.remove(at: place).reading
    }

    /// Marks those whose report is overdue. Returns them, each program once, unless another connection of it still
    /// reports.
    mutating func overdue(now: Seconds) -> [ExtensionReading] {
        var silent: [ExtensionReading] = []
        for index in reports.indices where now >= reports[index].due && reports[index].reading.state != .silent {
            reports[index].reading.state = .silent
            silent.append(reports[index].reading)
        }
        guard !silent.isEmpty else { return [] }
        let alive = reports.map(\.reading).filter { $0.state != .silent }
        var programs: [ExtensionReading] = []
        for one in silent where !(alive + programs).contains(where: one.isSameProgram) { programs.append(one) }
        return programs.sorted { $0.name < $1.name }
    }

    /// Replaces what is known of the extensions that the daemon has started.
    mutating func setChildren(_ new: [ExtensionReading]) { children = new }

    /// All extensions by name. What a child reports of itself completes what the daemon knows of its process. Others may
    /// use its name, and do not speak for it.
    var all: [ExtensionReading] {
        var rest = reports.map(\.reading)
        var all = children.map { child in
            guard let process = child.process, let place = rest.firstIndex(where: { $0.process == process }) else {
                return child
            }
            var known = rest.remove(at: place)
            (known.name, known.isChild, known.restarts) = (child.name, true, child.restarts)
            // A process that runs is what it says; one that does not is what the daemon says.
            if child.state != .ready { (known.state, known.text) = (child.state, child.text) }
            return known
        }
        all += rest
        return all.sorted { ($0.name, $0.isChild ? 0 : 1) < ($1.name, $1.isChild ? 0 : 1) }
    }
}

extension ExtensionReading {
    /// Whether both come from one program.
    fileprivate func isSameProgram(_ other: ExtensionReading) -> Bool {
        process == other.process && (process != nil || name == other.name)
    }

    /// Its state on the screen, where there is little room.
    var mark: String { "\(name.uppercased()) \(state.rawValue)" }
    /// Its state in words, for the status and the log: "log ready", "pad fault: no gamepad".
    var words: String { "\(name) \(state.rawValue)" + (text.isEmpty ? "" : ": \(text)") }
}

extension ExtensionReading {
    /// The same report without the numbers of its text.
    fileprivate var withoutNumbers: ExtensionReading {
        var reading = self
        reading.text.removeAll { $0.isNumber || $0 == "." }
        return reading
    }
}
