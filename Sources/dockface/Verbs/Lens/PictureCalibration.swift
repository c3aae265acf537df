import ArgumentParser
import Companion
import ControlProtocol
import DockControl
import DockTypes
import Geometry
import PlainText

/// What the calibrations with pictures share: the head of a running daemon turns its camera from view to view, and a
/// program compares the pictures.
struct PictureCalibration {
    /// The port and the profile that the user named, or nil for those of the daemon.
    let port: String?, profile: String?
    let socket: String?

    /// What is done after a look at the first picture.
    struct Plan {
        /// The views.
        var views: [PanTilt]
        /// What the user reads before the question.
        var preview: [String]
        /// The program that compares the pictures: its module and its arguments.
        var module: String, arguments: [String]
    }

    /// What was found.
    struct Found {
        /// The last line of the program.
        var answer: JSONValue
        var rig: RigArguments
        /// The place of the camera among the rig's cameras.
        var camera: Int
    }

    /// Asks, turns the head, and compares the pictures.
    /// - Parameters:
    ///   - desk: the user.
    ///   - width: the greatest width of the pictures, in pixels, or nil for that of detectors.
    ///   - plan: decides what is done, for where the head is and a picture from there. It is asked again after the user
    ///     has agreed, because the user may have aimed the head meanwhile. Nothing has moved yet.
    /// - Throws: `LensTour.Stopped`, `DockError`, or what `plan` throws.
    func run(
        _ desk: CheckDesk, width: Int? = nil, plan: (LensTour.Beginning, LensShot, RigProfile) throws -> Plan
    ) throws -> Found {
        let isStopped = { desk.wantsStop(while: -1, seconds: 0) }
        let tour = try LensTour(socket: socket, width: width, interrupt: desk.interrupt, isStopped: isStopped)
        let before = try tour.begin(), arguments = try rig(of: before)
        // What a person types before the question is no stop.
        desk.forgetKeys()
        let first = try tour.look()
        try check(before, first, arguments.profile)
        let proposal = try plan(before, first, arguments.profile)
        // A missing program is reported before anything moves.
        let program = try LensProgram(DetectorPlaces.words(module: proposal.module) + proposal.arguments)
        guard try program.isReady(isStopped) else { throw LensTour.Stopped() }
        for line in proposal.preview { desk.say(line) }
        desk.say(
            "this takes about a minute; keep hands and cables away. "
                + (desk.isTerminal ? "Any key stops it." : "Ctrl-C stops it.") + " So do the keys of the daemon.")
        desk.ask("begin? [y/n]")
        guard desk.answer() == .yes else { throw LensTour.Stopped() }
        desk.forgetKeys()
        let now = try tour.begin(), picture = try tour.look()
        guard picture.camera == first.camera else {
            throw DockError(.busy, "another camera was chosen meanwhile", hint: "calibrate again")
        }
        let views = try plan(now, picture, arguments.profile).views
        do {
            try photograph(views, from: now, tour, program, isStopped)
        } catch {
            // Whatever ended it: the head must not go on to the next view.
            if tour.halt(), now.mode != .manual {
                desk.say("the daemon is left in mode manual; `dockface mode \(now.mode.rawValue)` resumes what it did")
            }
            throw error
        }
        return Found(answer: try compare(program, isStopped), rig: arguments, camera: first.camera)
    }

    /// Checks that the camera turns with the head, as the daemon sees it, which may know better than the profile.
    private func check(_ beginning: LensTour.Beginning, _ first: LensShot, _ rig: RigProfile) throws {
        let cameras = beginning.rig?.cameras ?? []
        let mount = cameras.indices.contains(first.camera) ? cameras[first.camera].mount : cameras.first?.mount
        guard (mount ?? rig.camera(at: first.camera).mount.rawValue) == RigProfile.Mount.head.rawValue else {
            throw DockError(
                .notSupported, "the camera does not turn with the head",
                hint: "import its lens from a file: dockface calibrate --camera --import FILE")
        }
    }

    /// Returns a line about the views.
    static func way(_ views: [PanTilt]) -> String {
        func degrees(_ angle: Double?) -> String { fixed((angle ?? 0).inDegrees, 0, isSigned: true) }
        let pans = views.map(\.pan), tilts = views.map(\.tilt)
        return
            "  the head turns to \(views.count) views: pan \(degrees(pans.min())) to \(degrees(pans.max())), "
            + "tilt \(degrees(tilts.min())) to \(degrees(tilts.max())) degrees"
    }

    /// Returns the rig of the daemon, with its profile.
    private func rig(of beginning: LensTour.Beginning) throws -> RigArguments {
        guard let reported = beginning.rig else {
            guard profile != nil else {
                throw DockError(
                    .notSupported, "the daemon is older than this program and does not report its profile",
                    hint: "name it: --profile NAME, or update the daemon")
            }
            return try RigArguments(port: port, profile: profile, waits: true)
        }
        let arguments = try RigArguments(port: port ?? reported.port, profile: profile ?? reported.profile, waits: true)
        guard arguments.profile.describes(reported) else {
            throw DockError(
                .configuration,
                "the daemon drives \"\(ForeignText.line(reported.name))\", and the profile \"\(arguments.profile.name)\" is another one",
                hint: "name the profile that the daemon was started with: --profile NAME")
        }
        return arguments
    }

    private func photograph(
        _ views: [PanTilt], from beginning: LensTour.Beginning, _ tour: LensTour, _ program: LensProgram,
        _ isStopped: () -> Bool
    ) throws {
        var progress = ProgressLine()
        defer { progress.clear() }
        try tour.run(views, from: beginning) { number in
            progress.show("view \(number + 1) of \(views.count)")
        } onShot: { shot in
            let head: [String: JSONValue] = [
                "view": .number(shot.view), "pan": .number(shot.pose.pan), "tilt": .number(shot.pose.tilt),
                "width": .number(shot.width), "height": .number(shot.height),
            ]
            guard try program.send(JSONValue.object(head).bytes + [0x0A] + shot.grey, isStopped) else {
                throw LensTour.Stopped()
            }
        }
    }

    private func compare(_ program: LensProgram, _ isStopped: () -> Bool) throws -> JSONValue {
        var progress = ProgressLine()
        defer { progress.clear() }
        progress.show("comparing the pictures")
        let last = try program.finish(
            { line in
                let share = Int((line["share"]?.number ?? 0).clamped(to: 0...1) * 100)
                progress.show(
                    (line["doing"]?.string == "points" ? "comparing the pictures" : "computing") + " \(share) %")
            }, isStopped: isStopped)
        guard let last else { throw LensTour.Stopped() }
        return last
    }
}
