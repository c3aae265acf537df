internal import CPosix
internal import DockControl
internal import Glibc

/// Where traces are kept: `$XDG_STATE_HOME/dockface/traces`, else `~/.local/state/dockface/traces`; the newest ones only.
struct TraceFolder: Sendable {
    /// So many written for faults are kept, and so many that were asked for: asking pushes no fault's out.
    static let mostFaults = 20, mostAsked = 5

    let path: String

    /// - Parameter path: nil: the user's usual one; nil as well where the user has no home.
    init?(path: String? = nil) {
        guard let path = path ?? UserFolder.state.map({ $0 + "/traces" }) else { return nil }
        self.path = path
    }

    /// Writes a trace, removes the oldest, and tells what was written.
    /// - Throws: `permission`, `cannotOpen`: what the disk says.
    func write(_ copy: TraceCopy, profile: RigProfile, program: String) throws(DockError) -> Outcome.Value {
        let unix = cposix_realtime_now(), records = copy.records
        let about = TraceWriter.About(
            rig: profile.name, driver: profile.driver, program: program, unix: unix, monotonic: cposix_monotonic_now())
        let file = try freeName("\(TraceWriter.stamp(unix))-\(MotionStore.slug(of: profile.name))-\(copy.cause)")
        do throws(DockError) {
            try StoredFile.write(TraceWriter.text(of: copy, records, about: about), to: file)
        } catch {
            throw DockError(error.code, error.message, hint: "make room there, or set XDG_STATE_HOME to another folder")
        }
        try removeOldest()
        let duration = (records.last?.time ?? 0) - (records.first?.time ?? 0)
        return .trace(path: file, records: records.count, duration: duration)
    }

    /// Two in one second have numbers.
    private func freeName(_ name: String) throws(DockError) -> String {
        let taken = Set(try StoredFile.names(in: path))
        for number in 1...100 {
            let file = name + (number == 1 ? "" : "_\(number)") + ".jsonl"
            if !taken.contains(file) { return "\(path)/\(file)" }
        }
        throw DockError(.busy, "a hundred traces in one second", hint: "slow down")
    }

    private func removeOldest() throws(DockError) {
        let all = try StoredFile.names(in: path).filter { $0.hasSuffix(".jsonl") && !$0.hasPrefix(".") }
        let isAsked: (String) -> Bool = { $0.split(separator: "-").last?.hasPrefix("asked") == true }
        let asked = all.filter(isAsked), faults = all.filter { !isAsked($0) }
        for name in asked.dropLast(Self.mostAsked) + faults.dropLast(Self.mostFaults) {
            try StoredFile.remove("\(path)/\(name)")
        }
    }
}
