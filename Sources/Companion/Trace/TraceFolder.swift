internal import CPosix
internal import DockControl
internal import DockTypes
internal import Files
internal import Glibc

/// The folder with the newest traces: `$XDG_STATE_HOME/dockface/traces`, otherwise `~/.local/state/dockface/traces`.
struct TraceFolder: Sendable {
    /// The number of kept traces of faults, and of requested ones. They are counted separately, so requests never
    /// displace faults.
    static let mostFaults = 20, mostAsked = 5

    let path: String

    /// Opens the folder. The result is nil if no path is given and the user has no home.
    /// - Parameter path: the folder. If nil, it is the user's default folder.
    init?(path: String? = nil) {
        guard let path = path ?? UserFolder.state.map({ $0 + "/traces" }) else { return nil }
        self.path = path
    }

    /// Writes a trace, removes the oldest one, and returns a description of the new file.
    /// - Throws: `permission` or `cannotOpen`, as the system reports.
    func write(_ copy: TraceCopy, profile: RigProfile, program: String) throws(DockError) -> Outcome.Value {
        let unix = cposix_realtime_now(), records = copy.records
        let about = TraceWriter.About(
            rig: profile.name, driver: profile.driver, program: program, unix: unix, monotonic: cposix_monotonic_now())
        let file = try freeName("\(TraceWriter.stamp(unix))-\(MotionStore.slug(of: profile.name))-\(copy.cause)")
        do throws(DockError) {
            try StoredFile.write(TraceWriter.text(of: copy, records, about: about), to: file)
        } catch {
            throw DockError(
                error.code, error.message, hint: "free some space there, or set XDG_STATE_HOME to another folder")
        }
        try removeOldest(but: file)
        let duration = (records.last?.time ?? 0) - (records.first?.time ?? 0)
        return .trace(path: file, records: records.count, duration: duration)
    }

    /// Returns an unused file name. Traces of the same second are numbered, and each number is higher than all existing
    /// ones, so that it sorts last.
    private func freeName(_ name: String) throws(DockError) -> String {
        let last = try StoredFile.names(in: path).map(Self.parts).filter { $0.stem == name }.map(\.number).max() ?? 0
        guard last < 100 else {
            throw DockError(.busy, "there are already 100 traces of this second", hint: "retry in a second")
        }
        return "\(path)/\(name)" + (last == 0 ? "" : "_\(last + 1)") + ".jsonl"
    }

    /// Splits a file name into its stem and its number within the second, for sorting by age; 0 if it is not a trace.
    private static func parts(of name: String) -> (stem: String, number: Int) {
        guard name.hasSuffix(".jsonl") else { return (name, 0) }
        let stem = name.dropLast(6)
        guard let bar = stem.lastIndex(of: "_"), let number = Int(stem[stem.index(after: bar)...]), number > 1
        else { return (String(stem), 1) }
        return (String(stem[..<bar]), number)
    }

    /// Removes the oldest traces, but never the one just written, even if the clock was set back since the others were
    /// written.
    private func removeOldest(but written: String) throws(DockError) {
        let all = try StoredFile.names(in: path)
            .filter { $0.hasSuffix(".jsonl") && !$0.hasPrefix(".") && "\(path)/\($0)" != written }
            .sorted { Self.parts(of: $0) < Self.parts(of: $1) }
        let isAsked: (String) -> Bool = { $0.split(separator: "-").last?.hasPrefix("asked") == true }
        let asked = all.filter(isAsked), faults = all.filter { !isAsked($0) }
        // The new trace counts as one of its kind.
        let room = isAsked(written) ? (asked: 1, faults: 0) : (asked: 0, faults: 1)
        for name in asked.dropLast(Self.mostAsked - room.asked) + faults.dropLast(Self.mostFaults - room.faults) {
            try StoredFile.remove("\(path)/\(name)")
        }
    }
}
