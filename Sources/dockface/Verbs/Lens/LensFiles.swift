import ArgumentParser
import Companion
import ControlProtocol
import DockControl
import DockTypes
import Files
import Geometry
import PlainText

/// The lens of a profile and the files of other programs: `calibrate --camera --import` and `--export`.
struct LensFiles {
    let arguments: RigArguments
    let saving: LensSaving

    /// Asks, and writes a profile with the lens of a file.
    func read(_ path: String, _ ending: JSONEnding) throws {
        let desk = try CheckDesk(usesErrors: saving.isJSON)
        defer { desk.close() }
        do {
            let program = try LensProgram(DetectorPlaces.words(module: "lens_file") + [path])
            guard let answer = try program.finish({ _ in }, isStopped: { desk.wasStopped }) else {
                throw ExitCode(desk.stoppedStatus)
            }
            guard var lens = CalibratedLens(answer) else {
                let problem = answer["problem"]?.string.map { ForeignText.line($0) } ?? "its numbers are impossible"
                throw DockError(
                    .invalidParameter, "\(path) has no lens that can be used: \(problem)",
                    hint: "import a camera_info file of ROS, or a file of OpenCV's FileStorage")
            }
            try checkOrientation()
            lens.source = "imported from \(ForeignText.line(path).suffix(200)) on \(Check.today)"
            // OpenCV and ROS count pixels from the middle of the first one, and a profile from its corner.
            lens.principal = Point(x: lens.principal.x + 0.5, y: lens.principal.y + 0.5)
            // Such a file does not know the head.
            lens.mount = arguments.profile.camera.lens?.mount ?? lens.mount
            ending.members["lens"] = lens.json
            desk.say(
                "\(path): \(Int(lens.width))x\(Int(lens.height)), focal length \(fixed(lens.focal.x, 1)) pixels "
                    + "(\(fixed(lens.horizontalFieldOfView.inDegrees, 1)) degrees wide)")
            try saving.save(lens, camera: 0, arguments, desk, ending)
        } catch let error as DockError {
            throw error.exit
        }
    }

    /// A file describes the pictures as the camera gives them, and a profile those that are upright.
    private func checkOrientation() throws(DockError) {
        let camera = arguments.profile.camera
        guard camera.rotate == 0, !camera.mirror else {
            throw DockError(
                .notSupported,
                "the profile turns or mirrors the camera's pictures, so the lens of a file does not fit them",
                hint: "measure it with `dockface calibrate --camera`")
        }
    }

    /// Prints the profile's lens as a file of another program.
    func write(_ format: LensExport) throws {
        let rig = arguments.profile
        guard let lens = rig.camera.lens else {
            throw fail(
                "the profile \"\(rig.name)\" has no lens: measure it with `dockface calibrate --camera`", status: 78,
                problem: DockError.Code.configuration.rawValue)
        }
        do {
            try checkOrientation()
        } catch {
            throw error.exit
        }
        print(format.text(lens, name: rig.name), terminator: "")
    }
}
