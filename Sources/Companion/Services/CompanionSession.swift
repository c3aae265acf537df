internal import CPosix
public import DockControl
internal import FaceTracker
internal import Geometry
internal import Glibc
internal import Logging
internal import RobotFace
internal import ServiceLifecycle
internal import UnixSignals

/// One run of the companion: a dock, detections, a face, keys and words, tied together and ended together.
///
/// Decisions are `SessionState`'s; this is the shell that carries events in and effects out. At the end the dock is stopped
/// first, since a terminal can block and a motor must not wait for it; the stop is the last thing on its wire because
/// nobody else can write there.
public final class CompanionSession: Sendable {
    let configuration: SessionConfiguration
    let loop: DockLoop
    let requests = PipelineRequests()
    let state: Guarded<SessionState>
    let screen = Guarded<FaceScreen?>(nil)
    /// Calls whose answer is still out.
    let calls = WaitingCalls()
    /// Programs and tasks that listen.
    let hub = ListenerHub()
    /// The control API's side of it.
    let control = ControlBridge()
    /// Presets and taught motions on disk.
    let keeper: Keeper
    /// Where the flight recorder's traces go; nil: nowhere.
    let traceFolder: TraceFolder?
    let traces = Guarded(TraceDesk())
    let log: Logger
    /// Nil: a dry run needs none, or none could be had.
    let guardian: DockGuard?
    let endOutput: AsyncStream<Void>.Continuation
    let answersToOutput: Bool
    private let suspension = Suspension()
    private let endRequests: AsyncStream<Void>
    private let endAt: Seconds?
    private let hasFace: Bool

    /// A session that has not begun.
    /// - Throws: `DockError` if the system has no descriptors left.
    public init(_ configuration: SessionConfiguration) throws(DockError) {
        self.configuration = configuration
        loop = try DockLoop()
        hasFace = !configuration.headless && Self.hasTerminal
        answersToOutput = configuration.ownsProcess && (!hasFace || isatty(1) == 0)
        (endRequests, endOutput) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
        endAt = configuration.seconds.map { cposix_monotonic_now() + $0 }
        // A program that embeds this has its own log.
        log = configuration.ownsProcess ? Logger(label: "dockface") { _ in LineLog.make() } : Logger(label: "dockface")
        guardian = Self.guardian(configuration, log: log)
        var options = SessionState.Options(
            hasFace: hasFace, display: configuration.profile.display, endsWithInput: false,
            dryRun: configuration.dryRun, seed: configuration.seed)
        options.endsWithInput =
            !hasFace && configuration.detections != .none && !configuration.outlivesInput
        options.rig = configuration.profile.name
        options.source = configuration.source ?? configuration.detections.name
        options.camera = configuration.camera
        keeper = Keeper(store: MotionStore(rig: configuration.profile.name, root: configuration.dataFolder))
        let namesFolder = configuration.traceFolder != nil
        traceFolder = configuration.ownsProcess || namesFolder ? TraceFolder(path: configuration.traceFolder) : nil
        var first = SessionState(options: options)
        first.gesturesOn = configuration.gestures
        let (library, problems) = keeper.load()
        first.library = library
        for problem in problems { log.warning("\(problem.message): \(problem.hint)") }
        state = Guarded(first)
    }

    /// Whether the process has a terminal for a face and keys.
    public static var hasTerminal: Bool {
        let descriptor = open("/dev/tty", O_RDWR | O_NOCTTY | O_CLOEXEC)
        guard descriptor >= 0 else { return false }
        close(descriptor)
        return isatty(1) == 1 || isatty(2) == 1
    }

    /// Runs until TERM, INT, QUIT or HUP, `q`, the end of the time, or the end of all input. The dock is stopped when it returns.
    /// - Throws: `DockError` if the port cannot be opened, `TerminalError` if the face cannot be shown.
    public func run() async throws -> SessionSummary {
        if configuration.ownsProcess { signal(SIGPIPE, SIG_IGN) }
        var marker: RunMarker?
        // Also where it fails on the way up: the dock stands still, and whoever waits gets to know that it is over.
        defer {
            loop.requestStop()
            loop.join()
            guardian?.close()
            keeper.finish()
            marker?.remove()
            calls.endAll()
            hub.end()
        }
        let profile = configuration.profile, port = configuration.port
        let link = try openLink(port)
        var options = LoopOptions(profile: profile, mode: .manual)
        if profile.safety.isNearHands(isHardware: link?.isHardware ?? true) {
            marker = RunMarker(port: port)
            options.checkedDocks = checkedDocks
        }
        let latch = marker?.latch
        options.latched = latch?.fault
        options.mode = begin(marker: marker, latch: latch, checked: options.checkedDocks)
        options.dryRun = configuration.dryRun
        options.policy = configuration.policy
        let driver = try DriverTable.make(for: profile)
        if hasFace { try openScreen() }
        try startLoop(link: link, options: options, driver: driver, port: port, marker: marker)
        let server = try openControlServer()
        defer {
            server?.stop()
            control.server = nil
        }
        let words = SessionThread(
            descriptor: wordsDescriptor, suspension: suspension, onLine: { [self] in take(line: $0) },
            onTick: { [self] in tick() }, onSuspend: { [self] in suspend() }, onContinue: { [self] in takeTerminal() })
        words.start()
        if configuration.ownsProcess { suspension.install() }
        defer {
            if configuration.ownsProcess { suspension.remove() }
            words.stop()
        }
        try await serve()
        var summary = SessionSummary()
        summary.loop = loop.end
        summary.frames = loop.end.counters.frames
        summary.subjects = state.withLock { $0.subjects }
        return summary
    }

    /// Ends the session as `q` does.
    public func requestEnd() { endOutput.yield() }

    private func tick() {
        send(.tick)
        LineOutput.answers.flush()
        LineOutput.log.flush()
        if let endAt, cposix_monotonic_now() >= endAt { endOutput.yield() }
    }

    static func print(_ text: String) { LineOutput.answers.put(text) }

    /// Ctrl-Z: the dock stops, the terminal is given back, and only then the process is halted.
    private func suspend() {
        let stopped = cposix_wake_create()
        call(.motion(.stop), from: .keys) { _ in cposix_wake_ring(stopped) }
        var wait = pollfd(fd: stopped, events: Int16(POLLIN), revents: 0)
        let isAnswered = poll(&wait, 1, 500) > 0
        let face = screen.withLock { $0 }
        face?.suspend()
        LineLog.release()
        suspension.halt()
        if face != nil { LineLog.holdForTerminal() }
        face?.resume()
        // A loop that has not answered may still ring.
        if isAnswered { close(stopped) }
    }

    /// The process was halted without warning: the shell has had the terminal since.
    private func takeTerminal() {
        let face = screen.withLock { $0 }
        face?.suspend()
        face?.resume()
    }

    // MARK: parts

    /// The guard that stands before the port is opened; a dock with a deadman of its own does without if need be.
    private static func guardian(_ configuration: SessionConfiguration, log: Logger) -> DockGuard? {
        if configuration.dryRun { return nil }
        if let given = configuration.guardian { return given }
        do throws(DockError) {
            return try DockGuard()
        } catch {
            log.warning("\(error.message): \(error.hint)")
            return nil
        }
    }

    /// The guard of a daemon that has just died writes its stop first: it is waited for a moment.
    private func openPort(_ port: String) throws(DockError) -> any ByteLink {
        for _ in 0..<15 {
            do {
                return try LinkOpener.open(port, serial: configuration.profile.serial)
            } catch  where error.code == .portBusy {
                poll(nil, 0, 20)
            }
        }
        return try LinkOpener.open(port, serial: configuration.profile.serial)
    }

    private func openLink(_ port: String) throws(DockError) -> (any ByteLink)? {
        do {
            return try openPort(port)
        } catch {
            guard configuration.waitsForPort, error.code == .notConnected || error.code == .cannotOpen else {
                throw error
            }
            log.warning("\(error.message): waiting for it")
            return nil
        }
    }

    /// The docks that were checked with this profile; stamps that cannot be read are none.
    private var checkedDocks: Set<String> {
        do throws(DockError) {
            return try CheckStamps(folder: configuration.checksFolder).docks(checkedWith: configuration.profile)
        } catch {
            log.warning("\(error.message): \(error.hint)")
            return []
        }
    }

    /// How it begins: the mode for now. A marker is there where hands may be near.
    private func begin(marker: RunMarker?, latch: RunMarker.Latch?, checked: Set<String>) -> TrackingMode {
        let hasCrashed = marker?.tellsOfCrash ?? false
        if hasCrashed {
            log.warning(
                "the last run on this port died: mode manual until the detector has been healthy for 3 s; see its log")
        }
        var rule = StartRule(
            asked: configuration.mode, isCareful: marker != nil, checked: checked, hasCrashed: hasCrashed)
        if let latch {
            log.warning(
                "latched by \(latch.fault.rawValue) since \(latch.date), in an earlier run: make sure all is well, then type `clear`; mode manual"
            )
            rule.acted()
        }
        let mode = latch == nil ? rule.first : .manual
        state.withLock { $0.start = rule }
        return mode
    }

    /// Standard input, unless the detections come on it, or a person types there whose keys the face reads.
    private var wordsDescriptor: Int32 {
        if configuration.detections == .standardInput || !configuration.ownsProcess { return -1 }
        return hasFace && isatty(0) == 1 ? -1 : 0
    }

    private func openScreen() throws {
        var options = TerminalOptions()
        options.style = configuration.style
        options.depth = configuration.depth
        options.seed = configuration.seed
        options.expression = configuration.expression
        let face = try FaceScreen(
            options: options, onInput: { [weak self] in self?.take(input: $0) },
            onEnd: { [weak self] _ in self?.endOutput.yield() })
        screen.withLock { $0 = face }
    }

    private func startLoop(
        link: (any ByteLink)?, options: LoopOptions, driver: any DockDriver, port: String, marker: RunMarker?
    ) throws(DockError) {
        let profile = options.profile
        var decoding = DecoderOptions()
        decoding.cameraLatency = profile.camera.latency
        decoding.mirror = profile.camera.mirror
        decoding.rotate = profile.camera.rotate
        let descriptor: Int32
        switch configuration.detections {
        case .none: descriptor = -1
        case .standardInput: descriptor = 0
        case .descriptor(let own): descriptor = own
        }
        decoding.acceptsCommands = configuration.detections == .standardInput
        let listener = DetectionPipeline.Listener(
            onFrame: { [weak self] frame in
                self?.configuration.onFrame?(frame)
                self?.send(.tracked(frame))
            },
            onEvent: { [weak self] event in
                if case .command(let line) = event { self?.take(line: line) } else { self?.send(.tracking(event)) }
            })
        try loop.start(
            link: link, options: options, driver: driver, guardian: guardian,
            reopen: { () throws(DockError) in try LinkOpener.open(port, serial: profile.serial) },
            makeInput: { [requests, decoding] in
                DetectionPipeline(
                    descriptor: descriptor, profile: profile, options: decoding, requests: requests,
                    listener: listener)
            }, onSnapshot: { [weak self] in self?.send(.snapshot($0)) },
            onEvent: { [weak self] event in
                // The loop's thread does not wait for a disk.
                if let marker, case .dock(let state, _) = event {
                    _ = self?.keeper.run {
                        if state == .ready { marker.set() }
                        marker.keep(state, time: time(nil))
                    }
                }
                self?.send(.loop(event))
            }, onTrace: { [weak self] in self?.take($0) })
    }

    /// Services in the order of starting; they end in the reverse order: the dock first.
    private func serve() async throws {
        var parts: [any Service] = [SessionService()]
        if let face = screen.withLock({ $0 }) { parts.append(FaceService(screen: face)) }
        parts.append(
            DockLoopService(dock: DockService(loop: loop)))
        var group = ServiceGroupConfiguration(
            services: parts.map {
                .init(
                    service: $0, successTerminationBehavior: .gracefullyShutdownGroup,
                    failureTerminationBehavior: .gracefullyShutdownGroup)
            },
            gracefulShutdownSignals: configuration.ownsProcess ? [.sigterm, .sigint, .sigquit, .sighup] : [],
            logger: Self.silent)
        group.maximumGracefulShutdownDuration = .seconds(3)
        defer {
            // Whatever became of the group: the stop is written, and the terminal is free.
            loop.requestStop()
            loop.join()
            keeper.finish()
            calls.endAll()
            hub.end()
            screen.withLock { $0 }?.stop()
            LineLog.release()
            LineOutput.answers.finish(within: 0.2)
            LineOutput.log.finish(within: 0.2)
        }
        let services = ServiceGroup(configuration: group)
        async let _: Void = {
            for await _ in endRequests { await services.triggerGracefulShutdown() }
        }()
        try await services.run()
    }

    /// The group's own log is about services, which no user knows.
    private static var silent: Logger { Logger(label: "services") { _ in SwiftLogNoOpLogHandler() } }
}
