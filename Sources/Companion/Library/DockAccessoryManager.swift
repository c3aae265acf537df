internal import CPosix
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
/// The dock's loop starts with the first access to `accessoryStateChanges`. It stops the dock and ends in `close()`.
public final class DockAccessoryManager: Sendable {
    /// The manager for the rig, the camera and the detectors of `dockface run`: as the variables (`DOCKFACE_PORT`, ...)
    /// and the settings file name them, else the adopted rig. `failure` says what is missing.
    public static let shared = DockAccessoryManager()

    private enum Phase {
        /// Not started. `tracking`: whether system tracking was switched on or off before the start; nil if neither.
        case idle(SessionConfiguration, tracking: Bool?)
        case running(CompanionSession, Task<SessionSummary?, Never>)
        /// `otherwise`: how it ended if there is no run to wait for.
        case closed(Task<SessionSummary?, Never>?, otherwise: Ending)
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
    }

    private let phase: Locked<Phase>
    /// The settings whose camera and detectors are opened at the start, or nil if the configuration is complete.
    private let settings: SharedConfiguration?
    private let watch = AccessoryWatch()

    /// Creates a manager for a dock at the port in the configuration. The session shows no face, reads no keys and
    /// handles no signals; these belong to the program.
    public init(_ configuration: SessionConfiguration) {
        phase = Locked(.idle(Self.embedded(configuration), tracking: nil))
        settings = nil
    }

    private init() {
        do {
            let own = try SharedConfiguration.current()
            phase = Locked(.idle(Self.embedded(try own.rigConfiguration()), tracking: nil))
            settings = own
        } catch {
            phase = Locked(.failed(error, hasRun: false))
            settings = nil
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
        case .idle(let configuration, tracking: _): (configuration.dock.mode ?? .system) == .system
        case .running(let session, _): session.status.loop.mode == .system
        case .closed, .failed: false
        }
    }

    /// Lets the detector steer, or reserves the dock for commands; a `track` then enters custom tracking. Before the
    /// first access to `accessoryStateChanges` it sets how the run begins.
    /// - Throws: `DockError`: `busy` if a person controls the dock.
    public func setSystemTrackingEnabled(_ enabled: Bool) async throws(DockError) {
        let isNoted = phase.withLock { phase in
            guard case .idle(var configuration, tracking: _) = phase else { return false }
            configuration.dock.mode = enabled ? .system : .manual
            phase = .idle(configuration, tracking: enabled)
            return true
        }
        if !isNoted { _ = try await perform(.setSystemTracking(enabled)) }
    }

    // MARK: additions for Linux

    /// Stops the dock, closes its port and ends every stream. Returns the summary of the run, or nil if there was none.
    /// Further calls wait for the same end.
    @discardableResult
    public func close() async -> SessionSummary? {
        if case .ended(let summary) = await end() { summary } else { nil }
    }

    /// Closes, and returns how the manager ended. Every call returns the same.
    package func end() async -> Ending {
        let (task, otherwise) = phase.withLock { phase -> (Task<SessionSummary?, Never>?, Ending) in
            switch phase {
            case .running(let session, let task):
                phase = .closed(task, otherwise: .failed)
                session.requestEnd()
                return (task, .failed)
            case .closed(let task, let otherwise): return (task, otherwise)
            case .failed(_, hasRun: true):
                phase = .closed(nil, otherwise: .failed)
                return (nil, .failed)
            case .idle, .failed:
                phase = .closed(nil, otherwise: .notStarted)
                return (nil, .notStarted)
            }
        }
        let summary = await task?.value
        watch.end()
        return summary.map { .ended($0) } ?? otherwise
    }

    /// The reason why there is no run: no port was named, or the port is unusable, or nil if there is no failure.
    public var failure: DockError? { phase.withLock { if case .failed(let error, _) = $0 { error } else { nil } } }

    /// Clears a latched fault or emergency stop. The mode is then manual.
    /// - Throws: `DockError.faulted` while the cause lasts.
    public func clearFault() async throws(DockError) { _ = try await perform(.motion(.clear)) }

    /// The current state of the session. It is nil before the first access to `accessoryStateChanges` and after
    /// `close()`.
    public var status: SessionStatus? {
        guard case .running(let session, _) = phase.withLock({ $0 }) else { return nil }
        return session.status
    }

    /// The present time on the clock of motion and tracking states and of exposures for `track`: CLOCK_MONOTONIC.
    public static var now: Seconds { cposix_monotonic_now() }

    // MARK: parts

    /// Returns the running session.
    /// - Throws: `DockError` with the reason if there is none.
    func running() throws(DockError) -> CompanionSession {
        switch phase.withLock({ $0 }) {
        case .running(let session, _): return session
        case .failed(let error, _): throw error
        case .closed: throw Self.closed
        case .idle:
            throw DockError(
                .notConnected, "the manager has not started",
                hint: "observe accessoryStateChanges before you control a dock")
        }
    }

    func perform(_ command: Command) async throws(DockError) -> Outcome {
        let session = try running()
        let answer = await withCheckedContinuation { continuation in
            session.call(command, from: .client(0)) { continuation.resume(returning: $0) }
        }
        return try answer.get()
    }

    private static let closed = DockError(.notConnected, "this manager was closed", hint: "create a new one")

    private func start() throws(DockError) {
        try phase.withLock { phase throws(DockError) in
            var configuration: SessionConfiguration
            let tracking: Bool?
            switch phase {
            case .idle(let own, let wanted): (configuration, tracking) = (own, wanted)
            case .running: return
            case .failed(let error, _): throw error
            case .closed: throw Self.closed
            }
            do throws(DockError) {
                try settings?.addVision(to: &configuration)
            } catch {
                phase = .failed(error, hasRun: false)
                throw error
            }
            let session = try CompanionSession(configuration)
            _ = session.listen(to: [.accessory]) { [weak self] in self?.handle($0) }
            // The first `track` may then enter custom tracking.
            if tracking == false { session.call(.setSystemTracking(false), from: .client(0)) { _ in } }
            phase = .running(session, Task { await self.run(session) })
        }
    }

    private func run(_ session: CompanionSession) async -> SessionSummary? {
        // Deferred to the end, so that `failure` has its value when the streams end.
        defer { watch.end() }
        do {
            return try await session.run()
        } catch {
            let reason = error as? DockError ?? DockError(.cannotOpen, "\(error)", hint: "see the log")
            phase.withLock { if case .running = $0 { $0 = .failed(reason, hasRun: true) } }
            return nil
        }
    }

    private func handle(_ update: SessionUpdate) {
        guard case .state(.accessory, let status) = update else { return }
        watch.update(status) { DockAccessory(manager: self, status: status) }
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
