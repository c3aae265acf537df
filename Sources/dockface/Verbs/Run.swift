public import ArgumentParser
import CPosix
import Camera
import Companion
public import DockControl
import FaceTracker
import Geometry
import Glibc
public import RobotFace

/// `dockface run`: the daemon.
struct Run: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Steer a dock, show the face, and accept keys and command words.",
        discussion: """
            Keys: arrows turn the dock, space stops, x is the emergency stop, m changes the mode, ? shows all keys. Command words \
            come on standard input, one per line (try: help). q, Ctrl-C or TERM stop the dock and end the daemon.

            For options that are not typed, values come from variables (DOCKFACE_PORT, ...), then from \
            ~/.config/dockface/dockface.toml and /etc/dockface/dockface.toml; dockface config shows the result. HUP reloads them, unless \
            the face uses the terminal.
            """)

    @Option(
        help: ArgumentHelp(
            "Port of the dock, name of an adopted rig, or sim for a simulated one. Default: the adopted rig that is plugged in. tcp: is neither authenticated nor encrypted: use a separate cable or an SSH tunnel.",
            valueName: "rig|path|usb:SERIAL|place:PLACE|tcp:HOST:PORT|sim"), completion: Completions.rigs)
    var port: String?

    @Option(
        help: "Rig profile: a path or a name (see: dockface profiles). Default: the adopted rig's profile.",
        completion: Completions.profiles)
    var profile: String?

    @Option(
        help: ArgumentHelp(
            "Camera for face detection: a device (see: dockface cameras), a video file, an address, or a test pattern.",
            valueName: "/dev/video0|file:PATH[,loop=again]|rtsp://...|test"), completion: Completions.cameras)
    var camera: String?

    @Option(
        help: ArgumentHelp(
            "Source of the detections: blazeface (with --camera, the default), blazeface-short, yunet, exec:COMMAND, unix:PATH, stdin, none, scene:PATH[,hfov=DEG][,loop=once|again|pingpong] (simulated camera), or file:PATH[,loop=...][,speed=X]. Repeatable: the first source steers; the word `source NAME` switches to another one.",
            valueName: "source"), completion: Completions.detectors)
    var detector: [String] = []

    @Option(help: "Highest frame rate for a detector, frames per second.")
    var detectorFps = 10.0

    @Option(
        help: ArgumentHelp(
            "Minimum scores to accept a new face and to keep a known one (0 to 1; our detectors: 0.7,0.5).",
            valueName: "acquire,hold"))
    var detectorScores: String?

    @Flag(inversion: .prefixedNo, help: "No face and no keys; print answers and errors as lines.")
    var headless = false

    @Flag(inversion: .prefixedNo, help: "Start even if the dock is not present yet, and wait for it.")
    var wait = false

    @Option(help: "Initial mode: system, custom or manual.")
    var mode: TrackingMode?

    @Flag(help: "Talk to the dock and make all decisions, but send no motion; the log shows what would be sent.")
    var dryRun = false

    @Option(help: "End after this many seconds.")
    var seconds: Double?

    @Flag(help: "Print one JSON line at the end: frames, time on target, latency, faults, stopped last.")
    var summary = false

    @Flag(
        help:
            "Allow a recording (--detector file:, --camera file:) although the camera turns with the dock and a recording does not."
    )
    var openLoop = false

    @Option(
        help: ArgumentHelp(
            "Write the whole session to this file as a trace (docs/TRACE.md), for dockface replay. The file ends at 1 GB, about eight hours of a busy dock.",
            valueName: "file"), completion: .file())
    var trace: String?

    @Flag(inversion: .prefixedNo, help: "Look for a lost face toward the side where it left.")
    var search = true

    @Flag(inversion: .prefixedNo, help: "Go home if the lost face does not return.")
    var home = true

    @Option(
        help: ArgumentHelp(
            "Group whose members may command this run through its socket. Default: only the daemon's user and root.",
            valueName: "name"))
    var socketGroup: String?

    @Option(
        help: ArgumentHelp(
            "Path of the control socket for other programs and shells, or none. Default: the user's usual path.",
            valueName: "path|none"))
    var socket: String?

    @Flag(inversion: .prefixedNo, help: "Move the head a little with the expressions.")
    var gestures = false

    @Option(
        help: ArgumentHelp("Initial face: a name or a number, including user-defined faces.", valueName: "name"),
        completion: Completions.faces)
    var face: String?

    @Option(help: "Where in the frame the face is placed.")
    var framing: FramingMode?

    @Option(help: ArgumentHelp("Speed of manual motion, 1 to 100.", valueName: "percent"))
    var speed: Double?

    @Option(
        help: ArgumentHelp(
            "Range (degrees) and speed (degrees per second) of an axis, within the profile's limits. Repeatable.",
            valueName: "pan|tilt MIN MAX [SPEED]"))
    var limits: [String] = []

    @Option(help: "Lowest level of the lines in the log.")
    var logLevel: LogThreshold?

    @Option(
        help: ArgumentHelp(
            "Read only this settings file, or none. Default: DOCKFACE_CONFIG, else the user's dockface.toml, then the one in /etc/dockface.",
            valueName: "path|none"), completion: .file(extensions: ["toml"]))
    var config: String?

    @Option(
        help: "How to detect plugged-in docks: udev, kernel or poll. Default: udev if it runs, else kernel."
    )
    var hotplug: PortMonitor.Source?

    @Option(
        help: ArgumentHelp(
            "Another rig for this daemon, without a face: an adopted rig's name, or PORT=PROFILE (sim=PROFILE is a simulated one). Repeatable.",
            valueName: "rig|port=profile"))
    var also: [String] = []

    @Option(help: "Seconds for which a chosen face (tap or Tab) stays; 0: until another one is chosen.")
    var faceTime = 3.0

    @OptionGroup var look: LookOptions

    mutating func validate() throws {
        if let seconds, !(seconds > 0 && seconds < 1e7) { throw ValidationError("--seconds must be above 0.") }
        if !(detectorFps > 0 && detectorFps <= 1000) {
            throw ValidationError("--detector-fps must be above 0 and at most 1000.")
        }
        if let detectorScores, DetectorScores(detectorScores) == nil { throw ValidationError(Detect.badScores) }
        if !(0...3600).contains(faceTime) { throw ValidationError("--face-time must be 0 to 3600 seconds.") }
        if let speed, !(1...100).contains(speed) { throw ValidationError("--speed must be 1 to 100 percent.") }
        for line in limits {
            if let flaw = Tuning.flaw(inLimits: line) { throw ValidationError("--limits \"\(line)\": \(flaw)") }
        }
    }

    /// The initial values of the settings that a reload may change.
    var tuning: Tuning {
        var tuning = Tuning()
        tuning.limits = limits
        tuning.speed = (speed ?? 100) / 100
        tuning.framing = framing ?? .automatic
        tuning.expression = face
        tuning.gestures = gestures
        tuning.logLevel = logLevel ?? .info
        return tuning
    }

    func run() async throws {
        cposix_keep_heap_small()
        let rig = try RigArguments(port: port, profile: profile, waits: wait)
        if let refusal = tuning.refusal(for: rig.profile) { throw refusal.exit }
        let eyes = try VisionArguments(camera: camera, detectors: detector)
        let bench = try bench(rig, eyes)
        defer { bench.close() }
        var configuration = try configuration(rig, bench)
        configuration.source = eyes.camera.map { "camera " + $0.name } ?? detector.first
        configuration.vision = bench.vision
        let others = try others(beside: rig)
        defer { for other in others { other.bench.close() } }
        do {
            let session = try CompanionSession(configuration)
            bench.start()
            let result = try await OtherRig.run(session, beside: others)
            if summary { SummaryLine(result: result, bench: bench).print() }
            if !result.loop.dockWasGone, !bench.stopWasLast(result) {
                throw fail("the stop could not be sent, because the port had disappeared: check the dock", status: 69)
            }
            if result.beginsAnew { NewBeginning.isWanted = true }
        } catch let error as DockError {
            throw error.exit
        } catch let error as TerminalError {
            throw fail("\(error): or run with --headless", status: 69)
        }
    }

    /// Creates camera, detectors and the rig's surroundings, without starting them.
    private func bench(_ rig: RigArguments, _ eyes: VisionArguments) throws -> Bench {
        let vision = try eyes.vision(
            profile: rig.profile, rate: detectorFps, scores: detectorScores, openLoop: openLoop)
        // A service's standard input is /dev/null; its end means nothing.
        let isFed = !isTerminal(0) && !(ProcessEnvironment.value("NOTIFY_SOCKET") != nil && isNull(0))
        let source = eyes.other ?? (vision == nil && isFed ? .standardInput : .none)
        return try Bench(port: rig.port, profile: rig.profile, source: source, openLoop: openLoop, vision: vision)
    }

    /// Checks for everything that would prevent a start: the port, camera and detectors, recordings. The running session still
    /// has its sockets and descriptors open, so this creates nothing.
    /// - Throws: the error with which a start would end.
    func rehearse(at rig: RigArguments, beside others: [String]) throws {
        do throws(DockError) {
            if !wait, rig.port != "sim" {
                try DockPort(try PortName(rig.port), serial: rig.profile.serial).look()
            }
        } catch {
            throw error.exit
        }
        let eyes = try VisionArguments(camera: camera, detectors: detector)
        if try eyes.ours(profile: rig.profile, openLoop: openLoop) == nil {
            _ = try Bench.recording(of: eyes.other ?? .none, rig.port, rig.profile, openLoop: openLoop)
        }
        for (place, port) in others.enumerated() where port != "sim" {
            if port == rig.port || others[..<place].contains(port) { throw Self.isTaken(port) }
        }
    }

    private static func isTaken(_ port: String) -> ExitCode {
        fail("--also: this daemon drives the rig at \(port) already", status: 64)
    }

    private func configuration(_ rig: RigArguments, _ bench: Bench) throws -> SessionConfiguration {
        var configuration = SessionConfiguration(profile: rig.profile, port: bench.portName)
        configuration.detections = bench.detections
        configuration.mode = mode
        configuration.headless = headless
        configuration.dryRun = dryRun
        configuration.seconds = seconds
        configuration.style = look.style
        configuration.depth = look.colour
        configuration.glyphs = look.painter?.glyphs
        configuration.graphics = look.painter?.graphics
        configuration.calmFace = look.calm
        configuration.faceTime = faceTime
        configuration.synchronizesFace = look.sync
        configuration.seed = look.seed
        configuration.tuning = tuning
        configuration.expressions = OwnFaces().book()
        configuration.hotplug = hotplug
        configuration.waitsForPort = wait
        configuration.control = socket.map { $0 == "none" ? .none : .socket($0) } ?? .usual
        configuration.controlGroup = socketGroup
        configuration.traceFile = trace
        // Programs that listen to topic `events` operate the camera.
        configuration.camera = AnnouncedCamera { _ in }
        configuration.guardian = try EarlyGuard.take()
        configuration.policy.searches = search
        configuration.policy.goesHome = home
        if let scene = bench.scene { configuration.onFrame = { scene.judge($0) } }
        configuration.reload = RunWords.reload(of: self, rig: rig)
        configuration.onEndSignal = { NewBeginning.isOver = true }
        return configuration
    }

    private func others(beside rig: RigArguments) throws -> [OtherRig] {
        var others: [OtherRig] = []
        for text in also {
            let other = try OtherRig(text, taken: Set(others.map(\.name)), dryRun: dryRun, hotplug: hotplug)
            others.append(other)
            guard other.port == "sim" || ([rig.port] + others.dropLast().map(\.port)).allSatisfy({ $0 != other.port })
            else {
                throw Self.isTaken(other.port)
            }
        }
        return others
    }
}

extension TrackingMode: ExpressibleByArgument {}
extension EyeStyle: ExpressibleByArgument {}
extension PortMonitor.Source: ExpressibleByArgument {}
extension FramingMode: ExpressibleByArgument {}
extension LogThreshold: ExpressibleByArgument {}
