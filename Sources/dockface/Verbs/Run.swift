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
        abstract: "Steer a dock, show the face, take keys and command words.",
        discussion: """
            Keys: arrows turn the dock, space stops, x is the emergency stop, m changes the mode, ? shows all. Command words \
            come on standard input, one a line (try: help). q, Ctrl-C or TERM stop the dock and end.

            What is not typed comes from variables (DOCKFACE_PORT, ...), from ~/.config/dockface/dockface.toml and from \
            /etc/dockface/dockface.toml; dockface config shows what holds. HUP reads them again where no face has the terminal.
            """)

    @Option(
        help: ArgumentHelp(
            "The dock's port or the name of an adopted rig, or sim for a simulated one. Default: the adopted rig that is there. tcp: is neither authenticated nor encrypted: use a wire of its own, or an SSH tunnel.",
            valueName: "rig|path|usb:SERIAL|place:PLACE|tcp:HOST:PORT|sim"), completion: Completions.rigs)
    var port: String?

    @Option(
        help: "Rig profile: a path or a name (see: dockface profiles); without it the adopted rig's.",
        completion: Completions.profiles)
    var profile: String?

    @Option(
        help: ArgumentHelp(
            "The camera that looks for faces: a device (see: dockface cameras), a film, an address, or a test pattern.",
            valueName: "/dev/video0|file:PATH[,loop=again]|rtsp://...|test"), completion: Completions.cameras)
    var camera: String?

    @Option(
        help: ArgumentHelp(
            "Where faces come from: blazeface (with --camera, the default), blazeface-short, yunet, exec:COMMAND, unix:PATH, stdin, none, scene:PATH[,hfov=DEG][,loop=once|again|pingpong] (simulated camera), or file:PATH[,loop=...][,speed=X]. Several: the first steers, the word `source NAME` lets another one.",
            valueName: "source"), completion: Completions.detectors)
    var detector: [String] = []

    @Option(help: "Pictures a second that a detector is given at most.")
    var detectorFps = 10.0

    @Option(
        help: ArgumentHelp(
            "How sure a detector has to be to take a face up, and to keep it (0 to 1; ours: 0.7,0.5).",
            valueName: "acquire,hold"))
    var detectorScores: String?

    @Flag(inversion: .prefixedNo, help: "No face, no keys: answers and errors as lines.")
    var headless = false

    @Flag(inversion: .prefixedNo, help: "Begin also if the dock is not there yet, and wait for it.")
    var wait = false

    @Option(help: "Who steers at first: system, custom or manual.")
    var mode: TrackingMode?

    @Flag(help: "Talk to the dock and decide everything, but write no motion; says what it would do.")
    var dryRun = false

    @Option(help: "End after so many seconds.")
    var seconds: Double?

    @Flag(help: "At the end print one JSON line: frames, time on target, latency, faults, stopped last.")
    var summary = false

    @Flag(
        help:
            "Allow a recording (--detector file:, --camera file:) with a camera that turns with the dock: it does not turn with it."
    )
    var openLoop = false

    @Option(
        help: ArgumentHelp(
            "Write the whole session to this file as a trace (docs/TRACE.md), to tell and decide again with dockface replay. It ends at 1 GB, about eight hours of a busy dock.",
            valueName: "file"), completion: .file())
    var trace: String?

    @Flag(inversion: .prefixedNo, help: "Look for a face that was lost toward the side where it left.")
    var search = true

    @Flag(inversion: .prefixedNo, help: "Go home when nobody comes back.")
    var home = true

    @Option(
        help: ArgumentHelp(
            "A group whose members may command this run through its socket. Default: only its user and root.",
            valueName: "name"))
    var socketGroup: String?

    @Option(
        help: ArgumentHelp(
            "Where other programs and shells reach this run: a socket's path, or none. Default: the user's usual one.",
            valueName: "path|none"))
    var socket: String?

    @Flag(inversion: .prefixedNo, help: "Let the head move a little with expressions.")
    var gestures = false

    @Option(
        help: ArgumentHelp("The face at first: a name or a number, also of one of your own.", valueName: "name"),
        completion: Completions.faces)
    var face: String?

    @Option(help: "Where in the picture the face is placed.")
    var framing: FramingMode?

    @Option(help: ArgumentHelp("Speed of manual motion, 1 to 100.", valueName: "percent"))
    var speed: Double?

    @Option(
        help: ArgumentHelp(
            "How far (degrees) and how fast (degrees a second) an axis may go, inside the profile's limits. Repeatable.",
            valueName: "pan|tilt MIN MAX [SPEED]"))
    var limits: [String] = []

    @Option(help: "The least important lines that the log tells.")
    var logLevel: LogThreshold?

    @Option(
        help: ArgumentHelp(
            "Read this file of settings and no other, or none. Default: DOCKFACE_CONFIG, else the user's dockface.toml over that of /etc/dockface.",
            valueName: "path|none"), completion: .file(extensions: ["toml"]))
    var config: String?

    @Option(
        help: "Who tells that docks are plugged in: udev, kernel or poll. Default: udev where it runs, else the kernel."
    )
    var hotplug: PortMonitor.Source?

    @Option(
        help: ArgumentHelp(
            "Another rig that this daemon drives, without a face: an adopted rig's name, or PORT=PROFILE (sim=PROFILE is a simulated one). Repeatable.",
            valueName: "rig|port=profile"))
    var also: [String] = []

    @Option(help: "Seconds that a face stays which a tap or Tab has chosen; 0: until something else is chosen.")
    var faceTime = 3.0

    @OptionGroup var look: LookOptions

    mutating func validate() throws {
        if let seconds, !(seconds > 0 && seconds < 1e7) { throw ValidationError("--seconds must be above 0.") }
        if !(detectorFps > 0 && detectorFps <= 1000) { throw ValidationError("--detector-fps is above 0, up to 1000.") }
        if let detectorScores, DetectorScores(detectorScores) == nil { throw ValidationError(Detect.badScores) }
        if !(0...3600).contains(faceTime) { throw ValidationError("--face-time is 0 to 3600 seconds.") }
        if let speed, !(1...100).contains(speed) { throw ValidationError("--speed is 1 to 100 percent.") }
        for line in limits {
            if let flaw = Tuning.flaw(inLimits: line) { throw ValidationError("--limits \"\(line)\": \(flaw)") }
        }
    }

    /// What it begins with, and what a reload may change.
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
                throw fail("the stop could not be written: the port was gone; look after the dock", status: 69)
            }
            if result.beginsAnew { NewBeginning.isWanted = true }
        } catch let error as DockError {
            throw error.exit
        } catch let error as TerminalError {
            throw fail("\(error): or run with --headless", status: 69)
        }
    }

    /// Camera, detectors and the rig's surroundings, made and not begun.
    private func bench(_ rig: RigArguments, _ eyes: VisionArguments) throws -> Bench {
        let vision = try eyes.vision(
            profile: rig.profile, rate: detectorFps, scores: detectorScores, openLoop: openLoop)
        // A service's standard input is /dev/null: that it ends says nothing.
        let isFed = !isTerminal(0) && !(ProcessEnvironment.value("NOTIFY_SOCKET") != nil && isNull(0))
        let source = eyes.other ?? (vision == nil && isFed ? .standardInput : .none)
        return try Bench(port: rig.port, profile: rig.profile, source: source, openLoop: openLoop, vision: vision)
    }

    /// Looks for what a start would refuse: the port, camera and detectors, recordings. What runs has sockets and descriptors open
    /// meanwhile, so nothing is made.
    /// - Throws: what a start would end with.
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
        // Programs that listen to topic `events` serve the camera.
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
