import Companion
import DockControl
import DockTypes
import Synchronization

/// The port and profile of a verb that drives a rig, from the typed options, the adopted rigs and the plugged-in
/// devices.
typealias RigArguments = ChosenRig

extension ChosenRig {
    /// Resolves the typed options. An error exits and says what to do. `waits`: the rig need not be present yet.
    init(port: String?, profile: String?, waits: Bool = false) throws {
        do {
            try self.init(resolving: port, profile: profile, waits: waits)
        } catch {
            throw error.exit
        }
    }

    /// Does the same for callers that continue after an error.
    init(resolving port: String?, profile: String?, waits: Bool = false) throws(DockError) {
        try self.init(port: port, profile: profile, waits: waits, unreadable: Self.warnOnce)
    }

    private static let hasWarned = Mutex(false)

    /// Reports once that the list of adopted rigs cannot be read, although port and profile were named.
    private static func warnOnce(_ error: DockError) {
        let isFirst = hasWarned.withLock { hasWarned in
            defer { hasWarned = true }
            return !hasWarned
        }
        if isFirst { warn("\(error.message); port and profile are named, so it is not needed: \(error.hint)") }
    }
}

/// Returns the named profile, or exits if it cannot be read.
func loadProfile(_ name: String?) throws -> RigProfile {
    do {
        return try RigProfile(named: name)
    } catch {
        throw fail(plain: error.message, status: 78, problem: DockError.Code.configuration.rawValue)
    }
}

/// Returns the short name of a profile: its file name without folder and extension.
func shortName(ofProfile profile: String) -> String {
    let file = profile.split(separator: "/").last.map(String.init) ?? profile
    return file.hasSuffix(".toml") ? String(file.dropLast(5)) : file
}
