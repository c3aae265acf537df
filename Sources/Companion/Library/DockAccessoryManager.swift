internal import CPosix
public import DockControl
public import Geometry

/// Finds the dock and tells when it comes and goes (DockKit's manager, on Linux).
///
/// ```swift
/// for await change in try DockAccessoryManager.shared.accessoryStateChanges {
///     guard change.state == .docked, let dock = change.accessory else { continue }
///     try await DockAccessoryManager.shared.setSystemTrackingEnabled(false)
///     _ = try await dock.animate(motion: .yes)
/// }
/// ```
/// The dock's loop begins with the first look at `accessoryStateChanges`, and ends, with the stop, in `close()`.
public final class DockAccessoryManager: Sendable {
    /// The dock at `DOCKFACE_PORT`, with the rig profile `DOCKFACE_PROFILE` (a path or a name; without it our own dock's).
    public static let shared = DockAccessoryManager()

    private enum Phase {
        case idle(SessionConfiguration)
        case running(CompanionSession, Task<SessionSummary?, Never>)
        case closed(Task<SessionSummary?, Never>?)
        case failed(DockError)
    }

    private let phase: Guarded<Phase>
    private let watch = AccessoryWatch()

    /// A dock on a port of one's own choice. The configuration's face, keys and signals are left to the program.
    public init(_ configuration: SessionConfiguration) {
        phase = Guarded(.idle(Self.embedded(configuration)))
    }

    private init() {
        do {
            phase = Guarded(.idle(Self.embedded(try Self.fromEnvironment())))
        } catch {
            phase = Guarded(.failed(error))
        }
    }

    // MARK: DockKit's part

    /// The dock's coming and going, and its tracking button. A new observer is told the present state first. Ends with
    /// `close()`, or where the port cannot be used at all: `failure` tells then why.
    /// - Throws: `DockError` where no port is named, the run has failed, or the manager was closed.
    public var accessoryStateChanges: AsyncStream<DockAccessory.StateChange> {
        get throws(DockError) {
            try start()
            return watch.stream()
        }
    }

    /// Whether the detector steers.
    public var isSystemTrackingEnabled: Bool { status?.loop.mode == .system }

    /// Lets the detector steer, or takes the dock over for commands; a `track` then enters custom tracking.
    /// - Throws: `DockError`: `busy` where a person has the dock.
    public func setSystemTrackingEnabled(_ enabled: Bool) async throws(DockError) {
        _ = try await perform(.setSystemTracking(enabled))
    }

    // MARK: what Linux needs besides

    /// Stops the dock and lets it go; every stream ends. Returns what the run came to; nil if none was. Whoever calls it
    /// again waits for the same end.
    @discardableResult
    public func close() async -> SessionSummary? {
        let task = phase.withLock { phase -> Task<SessionSummary?, Never>? in
            switch phase {
            case .running(let session, let task):
                phase = .closed(task)
                session.requestEnd()
                return task
            case .closed(let task): return task
            case .idle, .failed:
                phase = .closed(nil)
                return nil
            }
        }
        let summary = await task?.value
        watch.end()
        return summary
    }

    /// Why there is no run: no port was named, or it can never be used; nil: there is one, or there was.
    public var failure: DockError? { phase.withLock { if case .failed(let error) = $0 { error } else { nil } } }

    /// Releases a latched fault or emergency stop; the mode is manual then.
    /// - Throws: `DockError.faulted` while the cause lasts.
    public func clearFault() async throws(DockError) { _ = try await perform(.motion(.clear)) }

    /// Everything that is known now; nil before the first look at `accessoryStateChanges` and after `close()`.
    public var status: SessionStatus? {
        guard case .running(let session, _) = phase.withLock({ $0 }) else { return nil }
        return session.status
    }

    /// The clock of all times here, CLOCK_MONOTONIC: of motion and tracking states, and of exposures for `track`.
    public static var now: Seconds { cposix_monotonic_now() }

    // MARK: parts

    /// The run.
    /// - Throws: `DockError` where there is none: why.
    func running() throws(DockError) -> CompanionSession {
        switch phase.withLock({ $0 }) {
        case .running(let session, _): return session
        case .failed(let error): throw error
        case .closed: throw Self.closed
        case .idle:
            throw DockError(
                .notConnected, "no dock is looked for yet", hint: "observe accessoryStateChanges before controlling")
        }
    }

    func perform(_ command: Command) async throws(DockError) -> Outcome {
        let session = try running()
        let answer = await withCheckedContinuation { continuation in
            session.call(command, from: .client(0)) { continuation.resume(returning: $0) }
        }
        return try answer.get()
    }

    private static let closed = DockError(.notConnected, "this manager was closed", hint: "make a new one")

    private func start() throws(DockError) {
        try phase.withLock { phase throws(DockError) in
            let configuration: SessionConfiguration
            switch phase {
            case .idle(let own): configuration = own
            case .running: return
            case .failed(let error): throw error
            case .closed: throw Self.closed
            }
            let session = try CompanionSession(configuration)
            _ = session.listen(to: [.accessory]) { [weak self] in self?.take($0) }
            phase = .running(session, Task { await self.run(session) })
        }
    }

    private func run(_ session: CompanionSession) async -> SessionSummary? {
        // Last of all, when the reason is there for whoever asks after it.
        defer { watch.end() }
        do {
            return try await session.run()
        } catch {
            let reason = error as? DockError ?? DockError(.cannotOpen, "\(error)", hint: "see the log")
            phase.withLock { if case .running = $0 { $0 = .failed(reason) } }
            return nil
        }
    }

    private func take(_ update: SessionUpdate) {
        guard case .state(.accessory, let status) = update else { return }
        watch.take(status) { DockAccessory(manager: self, status: status) }
    }

    /// What a program that embeds the library keeps for itself.
    private static func embedded(_ configuration: SessionConfiguration) -> SessionConfiguration {
        var own = configuration
        own.headless = true
        own.ownsProcess = false
        own.outlivesInput = true
        own.waitsForPort = true
        return own
    }

    private static func fromEnvironment() throws(DockError) -> SessionConfiguration {
        guard let port = ProcessEnvironment.value("DOCKFACE_PORT") else {
            throw DockError(
                .configuration, "no port is named", hint: "set DOCKFACE_PORT, or make a manager with a configuration")
        }
        guard let name = ProcessEnvironment.value("DOCKFACE_PROFILE") else {
            return SessionConfiguration(profile: .dlpDock, port: port)
        }
        do {
            return SessionConfiguration(profile: try ProfileLibrary().load(name), port: port)
        } catch {
            throw DockError(.configuration, lines: error.lines, hint: "mend DOCKFACE_PROFILE")
        }
    }
}
