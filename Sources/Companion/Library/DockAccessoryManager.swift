internal import CPosix
internal import DockClient
internal import DockControl
public import DockTypes
public import Geometry
internal import Processes

/// Finds the dock and reports when it is connected and disconnected (DockKit's manager, on Linux).
///
/// ```swift
/// for await change in try DockAccessoryManager.shared.accessoryStateChanges {
///     guard change.state == .docked, let dock = change.accessory else { continue }
///     try await DockAccessoryManager.shared.setSystemTrackingEnabled(false)
///     _ = try await dock.animate(motion: .yes)
/// }
/// ```
/// The run starts with the first access to `accessoryStateChanges`, and ends in `close()`, which stops what it moves.
public final class DockAccessoryManager: Sendable {
    /// The manager for this user's daemon, if one runs at the first access to `accessoryStateChanges`: a program like
    /// others, with the daemon's rig, camera and detectors. A port in `DOCKFACE_PORT` is used without the daemon, unless
    /// `DOCKFACE_SOCKET` names one. Otherwise the manager for the rig, the camera and the
    /// detectors of `dockface run`: as the variables (`DOCKFACE_PORT`, ...) and the settings file name them, else the
    /// adopted rig. `failure` says what is missing.
    public static let shared = DockAccessoryManager(
        settings: SharedConfiguration.read(), join: SharedConfiguration.join)

    private enum Phase {
        /// Not started. The configuration is the reason if there is none. `tracking`: whether system tracking was switched
        /// on or off before the start; nil if neither.
        case idle(Result<SessionConfiguration, DockError>, tracking: Bool?)
        case running(any DockRun, Task<Ending, Never>)
        /// How it ended, or ends.
        case closed(Task<Ending, Never>)
        case failed(DockError, hasRun: Bool)
    }

    /// How a manager ended.
    package enum Ending: Sendable {
        /// Nothing was started.
        case notStarted
        /// The run failed, so that nothing is known about its stop.
        case failed
        /// The run ended as it should.
        case ended(SessionSummary)
        /// The daemon goes on. `hasStopped`: whether it has confirmed that what this program moved has ended.
        case left(hasStopped: Bool)
    }

    private let phase: Locked<Phase>
    /// The settings whose camera and detectors are opened at the start, or nil if the configuration is complete.
    private let settings: SharedConfiguration?
    /// How the manager looks for a running daemon.
    private let join: Join
    private let watch = AccessoryWatch()

    /// Whether a manager becomes a client of a daemon that already runs.
    enum Join: Sendable {
        case never
        /// At this socket; nil is the default.
        case daemon(socket: String?)
    }

    /// Creates a manager for a dock at the port in the configuration. The session shows no face, reads no keys and
    /// handles no signals; these belong to the program.
    public init(_ configuration: SessionConfiguration) {
        phase = Locked(.idle(.success(Self.embedded(configuration)), tracking: nil))
        (settings, join) = (nil, .never)
    }

    /// Creates the manager for a daemon that runs at a socket, otherwise for these settings.
    init(settings: Result<SharedConfiguration, DockError>, join: Join) {
        self.join = join
        do throws(DockError) {
            let own = try settings.get()
            phase = Locked(.idle(.success(Self.embedded(try own.rigConfiguration())), tracking: nil))
            self.settings = own
        } catch {
            phase = Locked(.idle(.failure(error), tracking: nil))
            self.settings = nil
        }
    }

    // MARK: as in DockKit

    /// Changes of the dock's connection and of its tracking button. A new observer receives the present state first.
    /// The stream ends with `close()`, or if the port is unusable. `failure` then has the reason.
    /// - Throws: `DockError` if no port is named, the run has failed, or the manager was closed.
    public var accessoryStateChanges: AsyncStream<DockAccessory.StateChange> {
        get throws(DockError) {
            try start()
            return watch.stream()
        }
    }

    /// Whether the detector steers. Before the first access to `accessoryStateChanges`: whether it should, from then on.
    public var isSystemTrackingEnabled: Bool {
        switch phase.withLock({ $0 }) {
        case .idle(.success(let configuration), tracking: _): (configuration.dock.mode ?? .system) == .system
        case .idle(.failure, let tracking): tracking ?? false
        case .running(let run, _): run.snapshot.mode == .system
        case .closed, .failed: false
        }
    }

    /// Lets the detector steer, or reserves the dock for commands; a `track` then enters custom tracking. Before the
    /// first access to `accessoryStateChanges` it sets how the run begins.
    /// - Throws: `DockError`: `busy` if a person controls the dock.
    public func setSystemTrackingEnabled(_ enabled: Bool) async throws(DockError) {
        let isNoted = phase.withLock { phase in
            guard case .idle(let configuration, tracking: _) = phase else { return false }
            let own = configuration.map { configuration in
                var own = configuration
                own.dock.mode = enabled ? .system : .manual
                return own
            }
            phase = .idle(own, tracking: enabled)
            return true
        }
        if !isNoted { _ = try await perform(.setSystemTracking(enabled)) }
    }

    // MARK: additions for Linux

    /// Stops the dock, closes its port and ends every stream. Returns the summary of the run, or nil if there was none.
    /// Beside a daemon it ends what this program moves, and leaves the daemon; there is no summary either. Further calls
    /// wait for the same end.
    @discardableResult
    public func close() async -> SessionSummary? {
        if case .ended(let summary) = await end() { summary } else { nil }
    }

    /// Closes, and returns how the manager ended. Every call returns the same.
    package func end() async -> Ending {
        let (task, run) = phase.withLock { phase -> (Task<Ending, Never>, (any DockRun)?) in
            let ending: Task<Ending, Never>
            var ended: (any DockRun)?
            switch phase {
            case .running(let run, let task): (ending, ended) = (task, run)
            case .closed(let task): return (task, nil)
            case .failed(_, hasRun: true): ending = Task { .failed }
            case .idle, .failed: ending = Task { .notStarted }
            }
            phase = .closed(ending)
            return (ending, ended)
        }
        // Outside the lock, because a connection that is being made again is waited for.
        run?.requestEnd()
        let ending = await task.value
        watch.end()
        return ending
    }

    /// The reason why there is no run: no port was named, or the port is unusable, or nil if there is no failure.
    public var failure: DockError? {
        switch phase.withLock({ $0 }) {
        case .idle(.failure(let error), tracking: _): error
        case .failed(let error, hasRun: _): error
        case .idle, .running, .closed: nil
        }
    }

    /// The path of the socket of the daemon that carries out the calls, or nil if this program runs the dock itself or
    /// has not started. `DockClient` offers what a daemon has beyond DockKit.
    public var daemon: String? {
        guard case .running(let run as DaemonRun, _) = phase.withLock({ $0 }) else { return nil }
        return run.dock.path
    }

    /// Clears a latched fault or emergency stop. The mode is then manual.
    /// - Throws: `DockError.faulted` while the cause lasts.
    public func clearFault() async throws(DockError) { _ = try await perform(.motion(.clear)) }

    /// The current state of the session. It is nil before the first access to `accessoryStateChanges`, after `close()`,
    /// and beside a daemon.
    public var status: SessionStatus? {
        guard case .running(let run as SessionRun, _) = phase.withLock({ $0 }) else { return nil }
        return run.session.status
    }

    /// The present time on the clock of motion and tracking states and of exposures for `track`: CLOCK_MONOTONIC.
    public static var now: Seconds { cposix_monotonic_now() }

    // MARK: parts

    /// Returns what carries out the calls.
    /// - Throws: `DockError` with the reason if there is nothing.
    func running() throws(DockError) -> any DockRun {
        switch phase.withLock({ $0 }) {
        case .running(let run, _): return run
        case .failed(let error, _): throw error
        case .closed: throw Self.closed
        case .idle:
            throw DockError(
                .notConnected, "the manager has not started",
                hint: "observe accessoryStateChanges before you control a dock")
        }
    }

    func perform(_ command: Command) async throws(DockError) -> Outcome { try await running().perform(command) }

    private static let closed = DockError(.notConnected, "this manager was closed", hint: "create a new one")

    private func start() throws(DockError) {
        guard case .idle = phase.withLock({ $0 }) else { return try check() }
        // Outside the lock, because a daemon that hangs is waited for. Of two threads, one drops its connection.
        var daemon: DaemonRun?
        if case .daemon(let socket) = join { daemon = try DaemonRun(socket: socket) }
        try phase.withLock { phase throws(DockError) in
            guard case .idle(let configuration, let tracking) = phase else { return }
            if let daemon {
                if let tracking { try daemon.request(.setSystemTracking(tracking)) }
                phase = .running(daemon, Task { await self.run(daemon) })
                return
            }
            var own: SessionConfiguration
            do throws(DockError) {
                own = try configuration.get()
                try settings?.addVision(to: &own)
            } catch {
                phase = .failed(error, hasRun: false)
                throw error
            }
            phase = try started(own, tracking)
        }
        try check()
    }

    /// Throws the reason why there is no run.
    private func check() throws(DockError) { _ = try running() }

    private func started(
        _ configuration: SessionConfiguration, _ tracking: Bool?
    ) throws(DockError) -> Phase {
        let session = try CompanionSession(configuration)
        _ = session.listen(to: [.accessory]) { [weak self] update in
            guard case .state(.accessory, let status) = update else { return }
            self?.handle(AccessorySnapshot(status))
        }
        // The first `track` may then enter custom tracking.
        if tracking == false { session.call(.setSystemTracking(false), from: .client(0)) { _ in } }
        return .running(SessionRun(session), Task { await self.run(session) })
    }

    private func run(_ daemon: DaemonRun) async -> Ending {
        defer { watch.end() }
        return await daemon.run { [weak self] in self?.handle($0) }
    }

    private func run(_ session: CompanionSession) async -> Ending {
        // Deferred to the end, so that `failure` has its value when the streams end.
        defer { watch.end() }
        do {
            return .ended(try await session.run())
        } catch {
            let reason = error as? DockError ?? DockError(.cannotOpen, "\(error)", hint: "see the log")
            phase.withLock { if case .running = $0 { $0 = .failed(reason, hasRun: true) } }
            return .failed
        }
    }

    private func handle(_ snapshot: AccessorySnapshot) {
        watch.update(snapshot) { DockAccessory(manager: self, snapshot: snapshot) }
    }

    /// Returns a configuration that leaves terminal, process and input to the program that embeds the library.
    private static func embedded(_ configuration: SessionConfiguration) -> SessionConfiguration {
        var own = configuration
        own.face.headless = true
        own.host.ownsProcess = false
        own.outlivesInput = true
        own.dock.waitsForPort = true
        return own
    }
}
