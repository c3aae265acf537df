import ArgumentParser
import Companion
import DockControl
import DockTypes
import FaceTracker
import Files
import Geometry
import Glibc

/// `dockface calibrate`: measures how a rig responds, and writes the results to a profile.
struct Calibrate: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Measure latency, lag, speed, limits, lens or place of a rig, and write them to a profile.",
        discussion: """
            Moves each axis back and forth by 5 degrees, at most 20 degrees per second, and asks which way it turned. Any key \
            stops it, and so does Ctrl-C. At the end you can turn the head to its ends by hand. Then the verb shows the results \
            and asks whether to write a profile.

            With --camera it measures the camera's lens beside a running daemon, and with --board where the rig stands.

            Answers are y, n, a (again) or q, and Enter to skip a step. Without a terminal they are read from standard input, one \
            per line. See docs/CALIBRATE.md.
            """)

    @OptionGroup var dock: PortOption

    @Option(
        help: "Rig profile to start from: a path or a name (see: dockface profiles).",
        completion: Completions.profiles)
    var profile: String?

    @Option(
        help: ArgumentHelp(
            "Also measure the camera, with detections from stdin (answers then come from the terminal), or scene:PATH with --port sim.",
            valueName: "source"))
    var detector: String?

    @Flag(
        help:
            "Measure the camera's lens instead: the head of a running daemon turns the camera before a still scene, and the pictures tell the rest."
    )
    var camera = false

    @Option(
        name: .customLong("import"),
        help: ArgumentHelp(
            "With --camera: take the lens from a file of ROS (camera_info) or OpenCV, without moving.",
            valueName: "file"))
    var lensFile: String?

    @Option(
        help: ArgumentHelp(
            "With --camera: print the profile's lens as a file of another program, without moving: ros or opencv.",
            valueName: "format"))
    var export: LensExport?

    @Option(
        help: ArgumentHelp(
            "Measure where the rig stands and where its lens is instead. The value is the height of the middle of an upright printed board (dockface board) above the floor, in metres.",
            valueName: "metres"))
    var board: Double?

    @Option(
        help: ArgumentHelp(
            "With --camera or --board: path of the daemon's socket. Default: DOCKFACE_SOCKET, else the usual path.",
            valueName: "path"))
    var socket: String?

    @Option(help: "Name of the new profile. Default: the rig's name with -measured.")
    var name: String?

    @Flag(help: "Print one JSON line at the end; everything else goes to standard error, without plots.")
    var json = false

    func validate() throws {
        if let name, name != MeasuredProfile.fileName(name) {
            throw ValidationError("--name may contain only letters, digits, - and _; it is not a path.")
        }
        if camera {
            if detector != nil || board != nil {
                throw ValidationError("--camera, --board and --detector measure different things: use one of them.")
            }
            if lensFile != nil, export != nil { throw ValidationError("Use --import or --export, not both.") }
            if export != nil, json { throw ValidationError("--export prints the file itself: omit --json.") }
        } else if let board {
            if detector != nil {
                throw ValidationError("--board and --detector measure different things: use one of them.")
            }
            guard (-5...20).contains(board) else {
                throw ValidationError("--board needs a height in metres, as in --board 1.4.")
            }
        } else if socket != nil {
            throw ValidationError("--socket needs --camera or --board.")
        }
        if !camera, lensFile != nil || export != nil { throw ValidationError("--import and --export need --camera.") }
    }

    @OptionGroup var place: SystemOption

    func run() throws {
        // If the reader of the pipe ends, SIGPIPE must not end the program before the stop.
        signal(SIGPIPE, SIG_IGN)
        let ending = JSONEnding(
            isWanted: json, members: ["text": .null, "problem": .null, "written": .null, "dock": .null])
        try ending.tell { camera || board != nil ? try calibrateCamera(ending) : try calibrate(ending) }
    }

    private func calibrateCamera(_ ending: JSONEnding) throws {
        let saving = LensSaving(name: name, isJSON: json)
        if lensFile != nil || export != nil {
            // No port is opened, so the rig need not be plugged in, and a profile alone is enough.
            let found = try? RigArguments(resolving: dock.port, profile: profile, waits: true)
            let arguments = try found ?? RigArguments(port: profile == nil ? dock.port : "sim", profile: profile)
            let files = LensFiles(arguments: arguments, saving: saving)
            if let lensFile { return try files.read(lensFile, ending) }
            if let export { return try files.write(export) }
        }
        let pictures = PictureCalibration(port: dock.port, profile: profile, socket: socket)
        if let board {
            try BoardCalibration(pictures: pictures, saving: saving, height: board).run(ending)
        } else {
            try CameraCalibration(pictures: pictures, saving: saving).run(ending)
        }
    }

    private func calibrate(_ ending: JSONEnding) throws {
        let guardian = try EarlyGuard.take()
        defer { guardian?.close() }
        let arguments = try RigArguments(port: dock.port, profile: profile), rig = arguments.profile
        let bench = try Bench(port: arguments.port, profile: rig, source: try detectionSource(), openLoop: false)
        defer { bench.close() }
        let camera = bench.detections.descriptor.map { CalibrationCamera(profile: rig, descriptor: $0) }
        let path = bench.portName
        let desk = try CheckDesk(usesErrors: json, inputIsTaken: bench.detections == .standardInput)
        defer { desk.close() }
        let link = try bench.openPort(serial: rig.serial)
        preview(desk, path, rig, camera: camera)
        desk.ask("begin? [y/n]")
        guard desk.answer() == .yes else {
            link.close()
            throw stopped(desk, ending)
        }
        let isReal = link.isHardware
        // If hands may be near, a latch persists after the program that it stopped.
        let latch: PortLatch?
        do throws(DockError) {
            latch = rig.safety.isNearHands(isHardware: isReal) ? try PortLatch(port: path) : nil
        } catch {
            link.close()
            throw error.exit
        }
        let mover = try CalibrationMover(
            link: link, profile: rig, desk: desk, guardian: guardian, latch: latch, fastest: Wiggle.fastest,
            verb: "calibrate", camera: camera)
        bench.start()
        let outcome = try mover.carryOut(ending) { try mover.calibrate() }
        ending.members["dock"] = .string(orNull: outcome.dock)
        switch outcome.result {
        case .stopped: throw stopped(desk, ending)
        case .failed(let problem): throw fail(problem.text(rig), status: 69, problem: problem.word)
        case .measured: break
        }
        guard var findings = outcome.findings else { return }
        findings.fit()
        let seen = camera.map { CameraFinding($0, findings: findings) }
        let report = CalibrationReport(findings, camera: seen, date: Check.today, isReal: isReal)
        show(report, findings, desk)
        try finish(report, desk, arguments, ending)
    }

    private func preview(_ desk: CheckDesk, _ path: String, _ rig: RigProfile, camera: CalibrationCamera?) {
        desk.say("calibrating \(path) with the profile \"\(rig.name)\"")
        for axis in Axis.allCases {
            let speed = min(Wiggle.fastest, rig[axis].maxSpeed).inDegrees
            desk.say(
                "  \(axis.rawValue): \(Int(Wiggle.reach.inDegrees)) degrees to either side, at most \(Int(speed.rounded())) deg/s, "
                    + "never farther than \(Int(Wiggle.room.inDegrees)); if less than that is left to an end, it first "
                    + "turns away from that end")
        }
        desk.say(
            camera == nil
                ? "  the camera is not measured; add --detector to measure it"
                : "  the camera: sit still in the middle of the frame, about a metre away, until it is finished")
        desk.say(
            "this takes about 15 s for each axis; keep hands and cables away. "
                + (desk.isTerminal ? "Any key stops it." : "Ctrl-C stops it."))
    }

    private func show(_ report: CalibrationReport, _ findings: CalibrationFindings, _ desk: CheckDesk) {
        if !json {
            for axis in Axis.allCases {
                guard let recording = findings[axis].recording else { continue }
                desk.say("")
                for line in CalibrationPlot.lines(recording, title: axis.rawValue) { desk.say(line) }
            }
        }
        desk.say("")
        for line in report.lines { desk.say(line) }
        desk.say("")
    }

    /// Asks the user, writes the profile, and makes the adopted rig use it.
    private func finish(
        _ report: CalibrationReport, _ desk: CheckDesk, _ arguments: RigArguments, _ ending: JSONEnding
    ) throws {
        ending.members.merge(report.json) { $1 }
        let text: String
        do throws(FileError) {
            text = try report.text(
                comment: ["Written by `dockface calibrate` on \(Check.today), from \"\(arguments.profile.name)\"."])
        } catch {
            throw fail(
                "nothing is written, because the resulting profile would be invalid: "
                    + error.problems.map(\.text).joined(separator: "; ")
                    + ": fix the profile \"\(arguments.profile.name)\", and calibrate again", status: 78,
                problem: DockError.Code.configuration.rawValue)
        }
        let profile = MeasuredProfile(arguments: arguments, desk: desk, ending: ending, name: name)
        guard try !profile.save(text), desk.wasStopped else { return }
        throw stopped(desk, ending)
    }

    private func detectionSource() throws -> DetectionSource {
        guard let detector else { return .none }
        do {
            let source = try DetectionSource(detector)
            guard case .room = source else { return source }
        } catch {
            throw ValidationError("--detector \(error)")
        }
        throw ValidationError("--detector \(detector): a room has no faces to measure with; use stdin or scene:PATH")
    }

    private func stopped(_ desk: CheckDesk, _ ending: JSONEnding) -> ExitCode {
        ending.members["text"] = .string("stopped")
        return fail(
            "stopped: nothing is written; run `dockface calibrate` again", status: desk.stoppedStatus)
    }
}
