import ArgumentParser
import Camera
import Companion
import CPosix
import DockSimulator
import FaceTracker
import Glibc
import Processes
import RobotFace

/// `dockface detect`: shows what a detector finds in the pictures of a camera, or of the running daemon.
struct Detect: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Show the faces that a detector finds; on a terminal, in a small image.",
        discussion: """
            Nothing is stored. Without --camera and --detector, it shows the pictures of the running daemon, the rectangles of \
            its detector, and what other programs draw over them. While it shows pictures, the robot's screen says "seen by 1".

            With --camera or --detector, it opens a camera and starts a detector itself, without a dock. Every frame of a video \
            file is processed, as fast as the detector can, with the file's own times.

            For example:
              dockface detect
              dockface detect --camera /dev/video0
              dockface detect --camera file:people.mp4 --json > people.jsonl
              dockface detect --camera test --detector "exec:python3 my_detector.py"
            """)

    @Option(
        help: ArgumentHelp(
            "The camera (see: dockface cameras). Default: the running daemon's pictures.",
            valueName: "/dev/video0|file:PATH[,loop=again]|rtsp://...|phone:PORT|exec:COMMAND|test"))
    var camera: String?

    @Option(
        help: ArgumentHelp(
            "The detector: blazeface (with --camera, the default), blazeface-short, blazepose (also skeletons), hands (also hands), things (names things, finds no faces), yunet, exec:COMMAND, unix:PATH, or room:NAME (a recorded room, as a head sees it that looks straight ahead).",
            valueName: "source"), completion: Completions.detectors)
    var detector: String?

    @Option(help: "Highest frame rate for the detector, frames per second. Default: 10; for a video file every frame.")
    var fps: Double?

    @Option(
        help: ArgumentHelp(
            "Minimum scores to accept a new face and to keep a known one (0 to 1; our detectors: 0.7,0.5).",
            valueName: "acquire,hold"))
    var scores: String?

    static let badScores = "The scores must be two numbers from 0 to 1, the larger one first: 0.7,0.5."

    @Option(
        help: ArgumentHelp(
            "The rig's profile, for the camera's orientation and latency.", valueName: "path|name"))
    var profile: String?

    @Option(
        help: ArgumentHelp(
            "Path of the running daemon's socket. Default: DOCKFACE_SOCKET, else the usual path.", valueName: "path"))
    var socket: String?

    @Flag(help: "Print the stream for programs: JSON Lines as in docs/DETECTORS.md.")
    var json = false

    @Flag(help: "Print one JSON line at the end: frames, faces, and the time per frame.")
    var summary = false

    @Option(help: "End after this many seconds.")
    var seconds: Double?

    mutating func validate() throws {
        if let seconds, !(seconds > 0 && seconds < 1e7) { throw ValidationError("--seconds must be above 0.") }
        if let fps, !(fps > 0 && fps <= 1000) { throw ValidationError("--fps must be above 0 and at most 1000.") }
        if let scores, DetectorScores(scores) == nil { throw ValidationError(Self.badScores) }
        if isBesideDaemon, fps != nil || scores != nil || profile != nil {
            throw ValidationError(
                "--fps, --scores and --profile need --camera or --detector: the running daemon has its own.")
        }
        if !isBesideDaemon, socket != nil {
            throw ValidationError("--socket names the running daemon: leave out --camera and --detector.")
        }
    }

    /// Whether it shows what the running daemon sees, and starts nothing itself.
    private var isBesideDaemon: Bool { camera == nil && detector == nil }

    func run() throws {
        if isBesideDaemon {
            try DetectBeside(socket: socket, isJSON: json, hasSummary: summary, seconds: seconds).run()
        } else {
            try runAlone()
        }
    }

    private func runAlone() throws {
        let eyes = try VisionArguments(camera: camera, detectors: detector.map { [$0] } ?? [])
        let isFilm = eyes.camera?.isFilm ?? false
        let rig = try loadProfile(profile)
        let room = try RoomSight.camera(of: eyes.other ?? .none, rig).map { room in
            try RoomSight(room, head: { _ in HeadView(.zero) }).vision()
        }
        let own = try eyes.vision(
            profile: rig, rate: fps ?? (isFilm ? .infinity : 10), scores: scores, isPaced: !isFilm)
        guard let vision = room ?? own else {
            throw fail(
                "detect needs a detector that it can start: blazeface, yunet, exec:COMMAND, unix:PATH or room:NAME; recordings are for `dockface run` and `dockface track`",
                status: 64)
        }
        signal(SIGPIPE, SIG_IGN)
        vision.onLog { line in warn(line) }
        let wantsPicture = isTerminal(1) && !json && eyes.camera != nil
        var show: any DetectShow = json ? JSONShow(isFilm: isFilm) : TextShow()
        if wantsPicture {
            do {
                show = try PictureShow(tap: vision.tap(.newest))
            } catch let error as TerminalError {
                throw fail("\(error): or pass --json", status: 69)
            }
        }
        // With a picture on the screen, Ctrl-Z and Ctrl-\\ also end it, so that the terminal is restored.
        let signals = cposix_signal_descriptor(wantsPicture)
        let end = seconds.map { cposix_monotonic_now() + $0 }
        var reader = DetectReader(descriptor: vision.descriptor, isFilm: isFilm)
        vision.start()
        defer { vision.stop() }
        guard show.begin() else { throw fail("the terminal's settings cannot be changed: pass --json", status: 69) }
        while reader.isOpen {
            var waits = [reader.descriptor, signals, show.keys].map {
                pollfd(fd: $0, events: Int16(POLLIN), revents: 0)
            }
            let left = end.map { max(0, $0 - cposix_monotonic_now()) } ?? .infinity
            let count = poll(&waits, 3, Int32(min(left, 0.25) * 1000 + 0.5))
            if waits[1].revents != 0 || left <= 0 { break }
            if waits[2].revents != 0, show.readsEnd() { break }
            if count <= 0 {
                let state = vision.state
                // A source that cannot start is an immediate error. One that has delivered frames may return, except a
                // file, which would start over.
                if reader.frames == 0 || isFilm, Self.hasFailed(state) { break }
                show.waits(Self.pause(state))
                continue
            }
            if waits[0].revents != 0, !reader.read({ show.show($0) }) { break }
        }
        show.finish()
        for text in reader.said { note(text) }
        let state = vision.state
        if let failure = Self.failure(state), reader.frames == 0 || isFilm && Self.hasFailed(state) {
            throw fail(failure, status: 69)
        }
        if summary { print(reader.summary(vision.state)) }
    }

    private static func hasFailed(_ state: VisionHealth) -> Bool {
        state.camera?.state == .failed || state.detectors.first?.state == .failed
    }

    private static func pause(_ state: VisionHealth) -> DetectPause {
        DetectPause(isCameraRunning: state.camera?.state == .running, problem: failure(state))
    }

    /// Returns the reason why no frame arrived.
    private static func failure(_ state: VisionHealth) -> String? {
        state.camera?.problem ?? state.detectors.first?.problem
    }
}

extension CameraSource {
    /// Whether the source is a file with an end, whose own times apply.
    var isFilm: Bool { if case .file(_, false) = self { true } else { false } }
}
