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
        abstract: "Measure latency, lag, speed and limits of a rig with small moves, and write them to a profile.",
        discussion: """
            Moves each axis back and forth by 5 degrees, at most 20 degrees per second, and asks which way it turned. Any key \
            stops it, and so does Ctrl-C. At the end you can turn the head to its ends by hand. Then the verb shows the results \
            and asks whether to write a profile.

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

    @Option(help: "Name of the new profile. Default: the rig's name with -measured.")
    var name: String?

    @Flag(help: "Print one JSON line at the end; everything else goes to standard error, without plots.")
    var json = false

    func validate() throws {
        if let name, name != Self.fileName(name) {
            throw ValidationError("--name may contain only letters, digits, - and _; it is not a path.")
        }
    }

    @OptionGroup var place: SystemOption

    func run() throws {
        // If the reader of the pipe ends, SIGPIPE must not end the program before the stop.
        signal(SIGPIPE, SIG_IGN)
        let ending = JSONEnding(
            isWanted: json, members: ["text": .null, "problem": .null, "written": .null, "dock": .null])
        try ending.tell { try calibrate(ending) }
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
        let name = name ?? Self.name(arguments), path = ProfileLibrary.ownFolder + "/\(name).toml"
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
        desk.ask("write \(path)" + (access(path, F_OK) == 0 ? " (it exists already)" : "") + "? [y/n]")
        guard desk.answer() == .yes else {
            if desk.wasStopped { throw stopped(desk, ending) }
            return desk.say("nothing is written")
        }
        do {
            _ = try ProfileLibrary.save(text, as: name)
            ending.members["written"] = .string(path)
            desk.say("written: \(path)")
            if var rig = arguments.adopted {
                // The profile is stored by name, unless a folder with precedence has another profile of that name.
                rig.profile = ProfileLibrary().path(of: name) == path ? name : path
                try RigRegistry().adopt(rig)
                desk.say("\"\(rig.name)\" now uses it. Next: dockface check")
            } else {
                desk.say("use it with: --profile \(name). Next: dockface check --profile \(name)")
            }
        } catch {
            throw error.exit
        }
    }

    private func detectionSource() throws -> DetectionSource {
        guard let detector else { return .none }
        do {
            return try DetectionSource(detector)
        } catch {
            throw ValidationError("--detector \(error)")
        }
    }

    private func stopped(_ desk: CheckDesk, _ ending: JSONEnding) -> ExitCode {
        ending.members["text"] = .string("stopped")
        return fail(
            "stopped: nothing is written; run `dockface calibrate` again", status: desk.stoppedStatus)
    }

    /// Returns the rig's name or its profile's, with a suffix, so that it hides no existing profile.
    private static func name(_ arguments: RigArguments) -> String {
        let file = arguments.profileName?.split(separator: "/").last.map(String.init) ?? "dlp-dock"
        let base = fileName(arguments.adopted?.name ?? (file.hasSuffix(".toml") ? String(file.dropLast(5)) : file))
        return base.hasSuffix("-measured") ? base : base + "-measured"
    }

    /// Replaces the characters that a file name must not contain.
    private static func fileName(_ text: String) -> String {
        let kept = text.map { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "-" || $0 == "_") ? $0 : "-" }
        return kept.isEmpty ? "rig" : String(kept)
    }
}
