internal import CPosix
public import DockControl
internal import Geometry
internal import Glibc
internal import Synchronization

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
        case idle(SessionConfiguration?, DockError?)
        case running(CompanionSession, Task<SessionSummary?, Never>)
        case closed
    }

    private struct Known {
        var accessory: DockAccessory?
        var state = DockAccessory.State.undocked
        var isButtonOn = true
    }

    private let phase: Mutex<Phase>
    private let known = Mutex(Known())
    private let changes = Mutex<[Int: AsyncStream<DockAccessory.StateChange>.Continuation]>([:])
    private let nextStream = Atomic<Int>(1)

    /// A dock on a port of one's own choice. The configuration's face, keys and signals are left to the program.
    public init(_ configuration: SessionConfiguration) {
        phase = Mutex(.idle(Self.embedded(configuration), nil))
    }

    private convenience init() {
        do {
            self.init(configuration: try Self.fromEnvironment(), nil)
        } catch {
            self.init(configuration: nil, error)
        }
    }

    private init(configuration: SessionConfiguration?, _ error: DockError?) {
        phase = Mutex(.idle(configuration.map(Self.embedded), error))
    }

    // MARK: DockKit's part

    /// The dock's coming and going, and its tracking button. A new observer is told the present state first. Ends with `close()`.
    /// - Throws: `DockError` where no port is named, or no loop can be started.
    public var accessoryStateChanges: AsyncStream<DockAccessory.StateChange> {
        get throws(DockError) {
            let session = try start()
            let (stream, output) = AsyncStream<DockAccessory.StateChange>.makeStream(
                bufferingPolicy: .bufferingNewest(16))
            let number = nextStream.wrappingAdd(1, ordering: .relaxed).newValue
            output.onTermination = { [weak self] _ in self?.changes.withLock { $0[number] = nil } }
            changes.withLock { $0[number] = output }
            output.yield(change)
            _ = session
            return stream
        }
    }

    /// Whether the detector steers.
    public var isSystemTrackingEnabled: Bool { session?.status.loop.mode == .system }

    /// Lets the detector steer, or takes the dock over for commands; a `track` then enters custom tracking.
    /// - Throws: `DockError`: `busy` where a person has the dock.
    public func setSystemTrackingEnabled(_ enabled: Bool) async throws(DockError) {
        _ = try await perform(.setSystemTracking(enabled))
    }

    // MARK: what Linux needs besides

    /// Stops the dock and lets it go; every stream ends. Returns what the run came to; nil if none was.
    @discardableResult
    public func close() async -> SessionSummary? {
        let old = phase.withLock { phase in
            defer { phase = .closed }
            return phase
        }
        guard case .running(let session, let task) = old else { return nil }
        session.requestEnd()
        return await task.value
    }

    /// Releases a latched fault or emergency stop; the mode is manual then.
    /// - Throws: `DockError.faulted` while the cause lasts.
    public func clearFault() async throws(DockError) { _ = try await perform(.motion(.clear)) }

    /// Everything that is known now; nil before the first look at `accessoryStateChanges` and after `close()`.
    public var status: SessionStatus? { session?.status }

    // MARK: parts

    var session: CompanionSession? {
        phase.withLock { if case .running(let session, _) = $0 { session } else { nil } }
    }

    func perform(_ command: Command) async throws(DockError) -> Outcome {
        guard let session else {
            throw DockError(
                .notConnected, "no dock is looked for yet", hint: "observe accessoryStateChanges before controlling")
        }
        let answer = await withCheckedContinuation { continuation in
            session.call(command, from: .client(0)) { continuation.resume(returning: $0) }
        }
        return try answer.get()
    }

    private func start() throws(DockError) -> CompanionSession {
        let result: Result<CompanionSession, DockError> = phase.withLock { phase in
            switch phase {
            case .running(let session, _): return .success(session)
            case .closed:
                return .failure(DockError(.notConnected, "this manager was closed", hint: "make a new one"))
            case .idle(let configuration, let error):
                guard let configuration else { return .failure(error ?? Self.noPort) }
                do throws(DockError) {
                    let session = try CompanionSession(configuration)
                    _ = session.listen(
                        to: [.accessory], onUpdate: { [weak self] in self?.take($0) },
                        onEnd: { [weak self] in self?.finish() })
                    phase = .running(session, Task { try? await session.run() })
                    return .success(session)
                } catch {
                    return .failure(error)
                }
            }
        }
        return try result.get()
    }

    private var change: DockAccessory.StateChange {
        known.withLock {
            DockAccessory.StateChange(accessory: $0.accessory, state: $0.state, trackingButtonEnabled: $0.isButtonOn)
        }
    }

    private func take(_ update: SessionUpdate) {
        guard case .state(.accessory, let status) = update else { return }
        let news: DockAccessory.StateChange? = known.withLock { known in
            let isThere = status.loop.isThere
            let state = isThere ? DockAccessory.State.docked : .undocked
            let isSame = state == known.state && status.trackingButtonEnabled == known.isButtonOn
            let uid = status.loop.identity?.uid ?? ""
            if isThere, known.accessory?.identifier.uuid != uid {
                known.accessory = DockAccessory(manager: self, status: status)
            } else if isSame {
                return nil
            }
            (known.state, known.isButtonOn) = (state, status.trackingButtonEnabled)
            return DockAccessory.StateChange(
                accessory: isThere ? known.accessory : nil, state: state, trackingButtonEnabled: known.isButtonOn)
        }
        guard let news else { return }
        for output in changes.withLock({ Array($0.values) }) { output.yield(news) }
    }

    private func finish() {
        for output in changes.withLock({ Array($0.values) }) { output.finish() }
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

    private static let noPort = DockError(
        .configuration, "no port is named", hint: "set DOCKFACE_PORT, or make a manager with a configuration")

    private static func fromEnvironment() throws(DockError) -> SessionConfiguration {
        guard let port = getenv("DOCKFACE_PORT").map({ String(cString: $0) }), !port.isEmpty else { throw noPort }
        guard let name = getenv("DOCKFACE_PROFILE").map({ String(cString: $0) }), !name.isEmpty else {
            return SessionConfiguration(profile: .dlpDock, port: port)
        }
        do {
            return SessionConfiguration(profile: try ProfileLibrary().load(name), port: port)
        } catch {
            throw DockError(.configuration, "\(error)", hint: "mend DOCKFACE_PROFILE")
        }
    }
}

extension LoopSnapshot {
    /// The dock answers; it may be latched by a fault all the same.
    fileprivate var isThere: Bool {
        switch dock {
        case .ready: true
        case .faulted: identity != nil
        case .detached, .greeting: false
        }
    }
}
