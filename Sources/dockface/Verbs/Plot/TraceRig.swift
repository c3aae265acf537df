import Companion
import DockControl

/// Whose profile goes with a trace.
enum TraceRig {
    /// The profile that somebody names; else the one that lies in the trace; else the one with the rig's name among those that are known.
    /// Nil: nobody knows the rig.
    /// - Throws: the exit of a named profile that is none.
    static func profile(of trace: Trace, named: String?) throws -> RigProfile? {
        if let named { return try loadProfile(named) }
        if let run = trace.run { return run.options.profile }
        if let text = trace.profile, let profile = try? ProfileReader.read(text, file: "the trace's profile") {
            return profile
        }
        return ProfileLibrary().all().lazy.compactMap { try? $0.profile.get() }.first { $0.name == trace.rig }
    }

    /// For people, where there is none.
    static func unknown(_ trace: Trace, _ name: String) -> String {
        "\(name) is of a rig that no profile here describes (\"\(trace.rig)\")"
    }
}
