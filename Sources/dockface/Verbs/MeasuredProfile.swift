import Companion
import DockTypes
import Files
import Glibc

/// The end of a calibration: a person is asked, the profile is written, and the adopted rig uses it.
struct MeasuredProfile {
    let arguments: RigArguments
    let desk: CheckDesk
    let ending: JSONEnding
    /// The name that the user chose, or nil for the rig's own with a suffix.
    let name: String?

    /// Asks, and writes the text of a profile. Returns false if the user did not agree.
    /// - Parameter next: what to do next, or nil for a check of the rig.
    /// - Throws: `ExitCode` if it cannot be written.
    func save(_ text: String, next: String? = nil) throws -> Bool {
        let name = name ?? Self.name(arguments), path = ProfileLibrary.ownFolder + "/\(name).toml"
        desk.ask("write \(path)" + (access(path, F_OK) == 0 ? " (it exists already)" : "") + "? [y/n]")
        guard desk.answer() == .yes else {
            if !desk.wasStopped { desk.say("nothing is written") }
            return false
        }
        do {
            _ = try ProfileLibrary.save(text, as: name)
            ending.members["written"] = .string(path)
            desk.say("written: \(path)")
            if var rig = arguments.adopted {
                // The profile is stored by name, unless a folder with precedence has another profile of that name.
                rig.profile = ProfileLibrary().path(of: name) == path ? name : path
                try RigRegistry().adopt(rig)
                desk.say("\"\(rig.name)\" now uses it. \(next.map { "Next: \($0)" } ?? "Next: dockface check")")
            } else {
                desk.say("use it with: --profile \(name). Next: \(next ?? "dockface check --profile \(name)")")
            }
        } catch {
            throw error.exit
        }
        return true
    }

    /// Returns the rig's name or its profile's, with a suffix, so that it hides no existing profile.
    private static func name(_ arguments: RigArguments) -> String {
        let file = arguments.profileName?.split(separator: "/").last.map(String.init) ?? "dlp-dock"
        let base = fileName(arguments.adopted?.name ?? (file.hasSuffix(".toml") ? String(file.dropLast(5)) : file))
        return base.hasSuffix("-measured") ? base : base + "-measured"
    }

    /// Replaces the characters that a file name must not contain.
    static func fileName(_ text: String) -> String {
        let kept = text.map { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "-" || $0 == "_") ? $0 : "-" }
        return kept.isEmpty ? "rig" : String(kept)
    }
}
