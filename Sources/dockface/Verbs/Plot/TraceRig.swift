import Companion
import DockControl

/// Finds the profile for a trace.
enum TraceRig {
    /// Returns the profile that the user names, otherwise the one in the trace, otherwise the known profile with the
    /// rig's name. The result is nil if the rig is unknown.
    /// - Throws: an exit if the named profile cannot be read.
    static func profile(of trace: Trace, named: String?) throws -> RigProfile? {
        if let named { return try loadProfile(named) }
        if let run = trace.run { return run.options.profile }
        if let text = trace.profile, let profile = try? ProfileReader.read(text, file: "the trace's profile") {
            return profile
        }
        return ProfileLibrary().all().lazy.compactMap { try? $0.profile.get() }.first { $0.name == trace.rig }
    }

    /// Returns the message for people if there is no profile.
    static func unknown(_ trace: Trace, _ name: String) -> String {
        "no profile describes the rig of \(name) (\"\(trace.rig)\")"
    }
}
