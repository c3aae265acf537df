import ArgumentParser
import Camera
import Companion
import CPosix
import FaceTracker
import Geometry
import Glibc
import Processes
import RobotFace

/// `dockface detect`: detects faces with a camera, without a dock.
struct Detect: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Detect faces with a camera; on a terminal, show a small image with boxes.",
        discussion: """
            Nothing is stored. Every frame of a video file is processed, as fast as the detector can, with the file's own times.

            For example:
              dockface detect --camera /dev/video0
              dockface detect --camera file:people.mp4 --json > people.jsonl
              dockface detect --camera test --detector "exec:python3 my_detector.py"
            """)

    @Option(
        help: ArgumentHelp(
            "The camera (see: dockface cameras).", valueName: "/dev/video0|file:PATH[,loop=again]|rtsp://...|test"))
    var camera: String?

    @Option(
        help: ArgumentHelp(
            "The detector: blazeface (default), blazeface-short, yunet, exec:COMMAND, or unix:PATH.",
            valueName: "source"))
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
        if camera == nil, detector == nil { throw ValidationError("--camera is missing (see: dockface cameras).") }
    }

    func run() throws {
        let eyes = try VisionArguments(camera: camera, detectors: detector.map { [$0] } ?? [])
        let isFilm = eyes.camera?.isFilm ?? false
        guard
            let vision = try eyes.vision(
                profile: try loadProfile(profile), rate: fps ?? (isFilm ? .infinity : 10), scores: scores,
                isPaced: !isFilm)
        else {
            throw fail(
                "detect needs a detector that it can start: blazeface, yunet, exec:COMMAND or unix:PATH; recordings are for `dockface run` and `dockface track`",
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
                show.waits(state)
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

    /// Returns the reason why no frame arrived.
    private static func failure(_ state: VisionHealth) -> String? {
        state.camera?.problem ?? state.detectors.first?.problem
    }
}

extension CameraSource {
    /// Whether the source is a file with an end, whose own times apply.
    var isFilm: Bool { if case .file(_, false) = self { true } else { false } }
}

/// Reads the detections and counts them.
struct DetectReader {
    private(set) var descriptor: Int32
    private var decoder: DetectionDecoder
    private var buffer = [UInt8](repeating: 0, count: 1 << 16)
    private(set) var frames = 0
    private var faces = 0, most = 0
    private var began: Seconds?, last: Seconds = 0
    /// The last informational messages. They are printed at the end, when no image is on the screen.
    private(set) var said: [String] = [] { didSet { if said.count > 4 { said.removeFirst() } } }

    init(descriptor: Int32, isFilm: Bool) {
        self.descriptor = descriptor
        var options = DecoderOptions()
        options.isLive = !isFilm
        options.acceptsCommands = false
        decoder = DetectionDecoder(options: options)
    }

    /// Whether more can arrive.
    var isOpen: Bool { descriptor >= 0 }

    /// Reads once. Returns false if the output no longer has a reader.
    mutating func read(_ show: (DetectEvent) -> Bool) -> Bool {
        let count = Glibc.read(descriptor, &buffer, buffer.count)
        if count < 0 { return errno == EINTR || errno == EAGAIN }
        if count == 0 {
            decoder.finish()
            descriptor = -1
        } else {
            buffer[..<count].withUnsafeBytes { decoder.feed($0) }
        }
        let now = cposix_monotonic_now()
        while let event = decoder.next(arrival: now, realtime: cposix_realtime_now()) {
            switch event {
            case .frame:
                frames += 1
                faces += decoder.frame.detections.count
                most = max(most, decoder.frame.detections.count)
                began = began ?? now
                last = now
                if !show(.frame(decoder.frame)) { return false }
            case .hello(let hello): if !show(.hello(hello)) { return false }
            case .status("info", _, let text): said.append(text)
            case .status(_, _, let text): warn(text)
            case .bye: descriptor = -1
            default: break
            }
        }
        return true
    }

    func summary(_ state: VisionHealth) -> String {
        func milliseconds(_ value: Seconds?) -> String {
            value.map { "\(Double(Int($0 * 1e5 + 0.5)) / 100)" } ?? "null"
        }
        let detector = state.detectors.first, elapsed = last - (began ?? last)
        let rate = elapsed > 0 ? Double(Int(Double(frames - 1) / elapsed * 10 + 0.5)) / 10 : 0
        return """
            {"frames":\(frames),"faces":\(faces),"mostInAPicture":\(most),"framesPerSecond":\(rate),\
            "latencyMs":{"p50":\(milliseconds(detector?.latency)),"p95":\(milliseconds(detector?.latencyP95))},\
            "restarts":\((detector?.restarts ?? 0) + (state.camera?.restarts ?? 0))}
            """
    }
}
