import ArgumentParser
import Companion
import DockControl
import DockTypes
import Files

/// Writes a profile with a lens, after a question.
struct LensSaving {
    /// The name of the new profile, or nil for the rig's own with a suffix.
    let name: String?
    /// Whether standard output is reserved for the last line.
    let isJSON: Bool

    /// Asks, and writes the profile of a rig with the lens of one of its cameras.
    func save(
        _ lens: CalibratedLens, camera: Int, _ arguments: RigArguments, _ desk: CheckDesk, _ ending: JSONEnding
    ) throws {
        try save(arguments.profile.with(lens, camera: camera), arguments, desk, ending)
    }

    /// Asks, and writes the profile of a rig with the place where it stands, and how its camera sits on the head.
    func save(
        _ finding: StandFinding, camera: Int, _ arguments: RigArguments, _ desk: CheckDesk, _ ending: JSONEnding
    ) throws {
        var profile = arguments.profile
        profile.stand = finding.stand
        if var lens = profile.camera(at: camera).lens {
            lens.mount = finding.mount
            profile = profile.with(lens, camera: camera)
        }
        try save(profile, arguments, desk, ending)
    }

    private func save(
        _ profile: RigProfile, _ arguments: RigArguments, _ desk: CheckDesk, _ ending: JSONEnding
    ) throws {
        let text: String
        do throws(FileError) {
            text = try ProfileWriter.checked(
                profile, comment: ["Written by `dockface calibrate` on \(Check.today), from \"\(profile.name)\"."])
        } catch {
            throw fail(
                "nothing is written, because the profile would be invalid: "
                    + error.problems.map(\.text).joined(separator: "; "), status: 78,
                problem: DockError.Code.configuration.rawValue)
        }
        let place = MeasuredProfile(arguments: arguments, desk: desk, ending: ending, name: name)
        if try place.save(text, next: "a daemon uses it when it is started again with this profile") { return }
        if desk.wasStopped { throw Self.stopped(desk, ending) }
    }

    /// The end of a verb that the user stopped.
    static func stopped(_ desk: CheckDesk, _ ending: JSONEnding) -> ExitCode {
        ending.members["text"] = .string("stopped")
        return fail("stopped: nothing is written", status: desk.stoppedStatus)
    }
}
