public import ArgumentParser
import CPosix
import Camera
import Companion
public import DockControl
import DockTypes
import FaceTracker
import Files
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

    @OptionGroup var rigs: RigOptions
    @OptionGroup var detection: DetectionOptions
    @OptionGroup var following: FollowingOptions
    @OptionGroup var settings: TuningOptions
    @OptionGroup var sockets: SocketOptions
    @OptionGroup var beside: BesideOptions
    @OptionGroup var trial: TrialOptions

    @Option(
        help: ArgumentHelp(
            "Read only this settings file, or none. Default: DOCKFACE_CONFIG, else the user's dockface.toml, then the one in /etc/dockface.",
            valueName: "path|none"), completion: .file(extensions: ["toml"]))
    var config: String?

    @Flag(inversion: .prefixedNo, help: "No face and no keys; print answers and errors as lines.")
    var headless = false

    @Option(help: "Seconds for which a chosen face (tap or Tab) stays; 0: until another one is chosen.")
    var faceTime = 3.0

    @OptionGroup var look: LookOptions

    mutating func validate() throws {
        if !(0...3600).contains(faceTime) { throw ValidationError("--face-time must be 0 to 3600 seconds.") }
    }

    /// The initial values of the settings that a reload may change.
    var tuning: Tuning { settings.tuning }

    func run() async throws {
        cposix_keep_heap_small()
        let (rig, hint) = try rigOrFace()
        if let refusal = tuning.refusal(for: rig.profile) { throw refusal.exit }
        let eyes = try detection.arguments()
        let bench = try bench(rig, eyes)
        defer { bench.close() }
        var configuration = try configuration(rig, bench)
        let story = try trial.findStory.map {
            try FindStory(of: $0, socket: sockets.socket, hasFace: !headless)
        }
        defer { _ = story?.finish() }
        if let story {
            configuration.control = .socket(story.socket)
            configuration.face.showsOverlay = true
        }
        configuration.face.hint = hint ?? Self.unseen(rig, bench)
        configuration.source = eyes.camera.map { "camera " + $0.name } ?? detection.detector.first
        configuration.vision = bench.vision
        configuration.extensions = try ExtensionVerbs.host(for: beside.with)
        let others = try others(beside: rig)
        defer { for other in others { other.bench.close() } }
        do {
            let session = try CompanionSession(configuration)
            bench.start()
            story?.start()
            let result = try await OtherRig.run(session, beside: others)
            let tale = story?.finish()
            if trial.summary { SummaryLine(result: result, bench: bench, tale: tale).print() }
            if let tale { try tell(tale) }
            if !result.loop.dockWasGone, !bench.stopWasLast(result) {
                throw fail("the stop could not be sent, because the port had disappeared: check the dock", status: 69)
            }
            if result.restarts { SelfRestart.isWanted = true }
        } catch let error as DockError {
            throw error.exit
        } catch let error as TerminalError {
            throw fail("\(error): or run with --headless", status: 69)
        }
    }

    /// Tells the story of a demo at its end.
    /// - Throws: an exit if it did not come to its end.
    private func tell(_ tale: FindTale) throws {
        if !trial.summary { for line in tale.lines { printLine(line) } }
        guard !tale.isComplete else { return }
        if let complaint = tale.complaint, tale.search == nil { throw fail("demo --find: \(complaint)", status: 69) }
        throw ExitCode(1)
    }

    /// Returns the rig. If nothing was named, plugged in or adopted, a terminal gets the face alone, and a hint for its
    /// status row.
    private func rigOrFace() throws -> (rig: RigArguments, hint: String?) {
        do {
            return (try RigArguments(resolving: rigs.port, profile: rigs.profile, waits: rigs.wait), nil)
        } catch {
            let isBare = rigs.port == nil && rigs.profile == nil && !rigs.wait && rigs.also.isEmpty
            guard isBare, !headless, isTerminal(0), isTerminal(1), error.message == RigChoice.nothingFound.message
            else { throw error.exit }
            let hint = "no dock: plug one in and run `dockface adopt`, or try --port sim"
            return (try RigArguments(port: "none", profile: nil), hint)
        }
    }

    /// Returns a hint for the status row if a simulated dock has no camera, because its head would follow no one.
    private static func unseen(_ rig: RigArguments, _ bench: Bench) -> String? {
        guard rig.port == "sim", case .none = bench.detections else { return nil }
        return "no camera: the arrow keys turn the head; it follows people with --detector scene:two-people"
    }

    /// Creates camera, detectors and the rig's surroundings, without starting them.
    private func bench(_ rig: RigArguments, _ eyes: VisionArguments) throws -> Bench {
        let vision = try detection.vision(eyes, for: rig.profile)
        // Services, nohup and cron give /dev/null as standard input. Its end has no meaning.
        let isFed = !isTerminal(0) && !isNull(0)
        let source = eyes.other ?? (vision == nil && isFed ? .standardInput : .none)
        return try Bench(
            port: rig.port, profile: rig.profile, source: source, openLoop: detection.openLoop, vision: vision,
            cued: trial.staged)
    }

    /// Checks for everything that would prevent a start: the port, camera and detectors, recordings. The running
    /// session still has its sockets and descriptors open, so this creates nothing.
    /// - Throws: the error with which a start would end.
    func rehearse(at rig: RigArguments, beside others: [String]) throws {
        do throws(DockError) {
            if !rigs.wait, rig.port != "sim" {
                try DockPort(try PortName(rig.port), serial: rig.profile.serial).look()
            }
        } catch {
            throw error.exit
        }
        _ = try ExtensionVerbs.host(for: beside.with)
        let eyes = try detection.arguments()
        if try eyes.ours(profile: rig.profile, openLoop: detection.openLoop) == nil {
            _ = try Bench.film(
                of: eyes.other ?? .none, rig.port, rig.profile, openLoop: detection.openLoop)
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
        configuration.dock.profileName = rig.profileName
        configuration.dock.mode = following.mode
        configuration.face.headless = headless
        configuration.dock.dryRun = trial.dryRun
        configuration.dock.cameraIsElsewhere = detection.isElsewhere(of: rig, isScene: bench.turnsCamera)
        configuration.host.seconds = trial.seconds
        configuration.face.style = look.style
        configuration.face.depth = look.colour
        configuration.face.glyphs = look.painter?.glyphs
        configuration.face.graphics = look.painter?.graphics
        configuration.face.calm = look.calm
        configuration.face.choiceTime = faceTime
        configuration.face.synchronizes = look.sync
        configuration.face.seed = look.seed
        if trial.staged {
            configuration.face.showsPlan = true
            configuration.dock.profile.display = .head
        }
        configuration.tuning = tuning
        configuration.face.expressions = OwnFaces().book()
        configuration.dock.hotplug = rigs.hotplug
        configuration.dock.waitsForPort = rigs.wait
        configuration.control = sockets.control
        configuration.controlGroup = sockets.socketGroup
        configuration.storage.traceFile = trial.trace
        // Without a camera of the daemon's own, programs that listen to topic `events` operate one.
        if bench.vision?.hasCamera != true { configuration.camera = AnnouncedCamera(needsListener: true) { _ in } }
        configuration.dock.guardian = try EarlyGuard.take()
        configuration.dock.policy.greets = following.greeting == .nod
        configuration.dock.policy.searches = following.search
        configuration.dock.slowsNear = following.near
        configuration.dock.policy.goesHome = following.home
        if let scene = bench.scene { configuration.onFrame = { scene.judge($0) } }
        configuration.host.reload = RunWords.reload(of: self, rig: rig)
        configuration.host.onEndSignal = { SelfRestart.isOver = true }
        return configuration
    }

    private func others(beside rig: RigArguments) throws -> [OtherRig] {
        var others: [OtherRig] = []
        for text in rigs.also {
            let other = try OtherRig(
                text, taken: Set(others.map(\.name)), dryRun: trial.dryRun, hotplug: rigs.hotplug)
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
extension LensExport: ExpressibleByArgument {}
