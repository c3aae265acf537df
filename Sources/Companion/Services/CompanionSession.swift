internal import CPosix
internal import DockControl
public import DockTypes
internal import FaceTracker
internal import Geometry
internal import Glibc
internal import Logging
internal import Processes
internal import RobotFace

/// One run of the companion: a dock, detections, a face, keys and words, which start and end together.
///
/// `SessionState` decides. This is the shell that passes events in and effects out. At the end the dock stops first,
/// because a terminal can block and a motor must not wait for it. The stop is the last message on the wire, because
/// nothing else can write there.
public final class CompanionSession: Sendable {
    let configuration: SessionConfiguration
    let loop: DockLoop
    let requests = PipelineRequests()
    let state: Locked<SessionState>
    /// The face, the keys, and where the answers to lines go.
    let terminal: SessionTerminal
    /// The lines of standard input.
    let intake = WordIntake()
    /// Everyone who asks this session or listens to it.
    let audience: SessionAudience
    /// The keeper of presets and taught motions on the disk.
    let keeper: Keeper
    /// The flight recorder's traces.
    let traces: SessionTraces
    let log: Logger
    /// The service manager to report to.
    let service: ServiceReport
    /// The guard. It is nil if a dry run needs none or none could be started.
    let guardian: DockGuard?
    /// The settings with which a reload compares.
    let tuned = Locked(Tuning())
    /// The reason and the time for the session's end.
    let ending: SessionEnd
    /// The program's camera, or the rig's own.
    let camera: (any CameraControl)?

    /// Creates a session that has not started.
    /// - Throws: `DockError` if the system has no descriptors left.
    public init(_ configuration: SessionConfiguration) throws(DockError) {
        try DescriptorReserve.check(DescriptorReserve.session)
        self.configuration = configuration
        audience = SessionAudience(answers: configuration.vision?.answers ?? AnswerTap())
        loop = try DockLoop()
        let hasFace = !configuration.face.headless && Self.hasTerminal
        terminal = try SessionTerminal(hasFace: hasFace, ownsProcess: configuration.host.ownsProcess)
        ending = SessionEnd(seconds: configuration.host.seconds)
        // A program that embeds the session has its own log.
        let rig = configuration.host.logName
        log =
            configuration.host.ownsProcess || rig != nil
            ? Logger(label: "dockface") { _ in LineLog.make(rig: rig) } : Logger(label: "dockface")
        service = ServiceReport(ownsProcess: configuration.host.ownsProcess)
        guardian = Self.guardian(configuration, log: log)
        var options = SessionState.Options(
            hasFace: hasFace, display: configuration.dock.profile.display, endsWithInput: false,
            dryRun: configuration.dock.dryRun, seed: configuration.face.seed)
        options.endsWithInput =
            !hasFace && configuration.detections != .none && !configuration.outlivesInput
        options.cameraIsElsewhere = configuration.dock.cameraIsElsewhere
        options.watchesNear = configuration.dock.slowsNear
        options.rig = RigReading(
            configuration.dock.profile, port: "\(configuration.dock.port)",
            cameraIsElsewhere: configuration.dock.cameraIsElsewhere)
        options.rig.profile = configuration.dock.profileName
        options.faceTime = configuration.face.choiceTime
        options.source = configuration.source ?? configuration.detections.name
        // A camera of the program's own comes first.
        var camera = configuration.camera ?? CaptureControl(configuration.vision)
        if let range = (try? DriverTable.make(for: configuration.dock.profile))?.abilities.magnification {
            camera = RigCamera(magnification: range, other: camera) { [loop] in loop.zoom(to: $0) }
        }
        self.camera = camera
        options.camera = camera
        options.expressions = configuration.face.expressions
        options.showsPlan = configuration.face.showsPlan
        options.showsOverlay = configuration.face.showsOverlay
        options.hint = configuration.face.hint
        keeper = Keeper(
            store: MotionStore(rig: configuration.dock.profile.name, root: configuration.storage.dataFolder))
        traces = SessionTraces(configuration)
        var first = SessionState(options: options)
        first.face.gestures = configuration.face.gestures
        let (library, problems) = keeper.load()
        first.motions = MotionDesk(library: library)
        for problem in problems { log.warning("\(problem.message): \(problem.hint)") }
        state = Locked(first)
    }

    /// Runs until TERM, INT, QUIT or HUP, `q`, the end of the time, or the end of all input. The dock has stopped when
    /// it returns.
    /// - Throws: `DockError` if the port cannot be opened, `TerminalError` if the face cannot be shown.
    public func run() async throws -> SessionSummary {
        if configuration.host.ownsProcess { signal(SIGPIPE, SIG_IGN) }
        var marker: RunMarker?, trace: SessionTrace?
        // This also applies after a failed start: the dock is at rest, and all pending calls and listeners are ended.
        defer {
            loop.requestStop()
            loop.join()
            configuration.vision?.stop()
            trace?.finish()
            guardian?.close()
            keeper.finish()
            marker?.remove()
            audience.calls.endAll()
            audience.hub.end()
        }
        let profile = configuration.dock.profile, port = configuration.dock.port
        // The monitor is created before the port is opened, so that no device that is plugged in meanwhile is missed.
        let ports = PortMonitor(configuration.dock.hotplug)
        let dockPort = DockPort(try PortName(port), serial: profile.serial)
        let link = try openLink(dockPort)
        // Signals are trapped before anything can move, and before the terminal is taken over.
        let hangUps = await trapSignals()
        var options = LoopOptions(profile: profile, mode: .manual)
        if profile.safety.isNearHands(isHardware: link?.isHardware ?? (dockPort.name != .absent)) {
            let kept = RunMarker(port: port)
            // A dock that could not be latched must not be moved near hands.
            if !configuration.dock.dryRun { try kept.prepare() }
            marker = kept
            options.checkedDocks = checkedDocks
        }
        let latch = marker?.latch
        options.latched = latch?.fault
        options.released = marker?.isReleased ?? false
        options.mode = begin(marker: marker, latch: latch, checked: options.checkedDocks)
        options.dryRun = configuration.dock.dryRun
        options.policy = configuration.dock.policy
        options.cameraIsElsewhere = configuration.dock.cameraIsElsewhere
        let driver = try DriverTable.make(for: profile)
        trace = try openTrace()
        options.trace = trace?.spool
        options.poses = configuration.vision?.poses
        if terminal.hasFace { try openScreen() }
        try startLoop(link: link, options: options, driver: driver, port: dockPort, ports: ports, marker: marker)
        // The settings apply before any client can request a motion.
        begin(with: configuration.tuning)
        if let vision = configuration.vision {
            vision.listen(
                .init(
                    // The current state is published, not the state of the event: of two simultaneous publications, the
                    // later one must not be the older.
                    onChange: { [weak self, weak vision] _ in
                        guard let vision else { return }
                        self?.handle { .vision(vision.state) }
                    },
                    onLog: { [weak self] in self?.log.info("\($0)") }))
            send(.vision(vision.state))
            vision.start()
        }
        let server = try openControlServer()
        defer {
            server?.stop()
            audience.control.server = nil
        }
        let words = try SessionThread(
            descriptor: wordsDescriptor, suspension: terminal.suspension,
            callbacks: .init(
                onLine: { [self] in carryOut($0, turn: $1) }, onUrgent: { [self] in carryOutAtOnce($0) },
                onTick: { [self] in tick() },
                onSuspend: { [self] in suspend() }, onContinue: { [self] in reclaimTerminal() }))
        intake.thread.withLock { $0 = words }
        words.start()
        if configuration.host.ownsProcess { terminal.suspension.install() }
        defer {
            if configuration.host.ownsProcess { terminal.suspension.remove() }
            intake.thread.withLock { $0 = nil }
            words.stop()
        }
        startExtensions(at: server?.path)
        // They may finish their work while the daemon still answers. The dock has stopped by then.
        defer { configuration.extensions?.stop() }
        service.manager?.ready()
        // A service manager that is notified of an end waits for the process to end, and would kill it during a
        // restart.
        defer { if ending.reason != .restart { service.manager?.stopping() } }
        try await serve(hangUps: hangUps)
        var summary = SessionSummary()
        summary.restarts = ending.reason == .restart
        summary.loop = loop.end
        summary.frames = loop.end.counters.frames
        summary.subjects = state.withLock { $0.tracking.subjects }
        return summary
    }

    /// Ends the session as `q` does.
    public func requestEnd() { end(.over) }

    /// Ends the session. The order of several calls does not matter.
    func end(_ reason: SessionEnd.Reason) { ending.request(reason) }

    private func tick() {
        // The status line depends on the width of the screen.
        if let size = terminal.face.withLock({ $0 })?.size { send(.screen(columns: size.columns, rows: size.rows)) }
        send(.tick)
        beat()
        audience.control.server?.look()
        configuration.vision?.look()
        LineOutput.answers.flush()
        LineOutput.log.flush()
        if ending.isDue(now: cposix_monotonic_now()) { end(.over) }
    }

    static func print(_ text: String) { LineOutput.answers.put(text) }
}
