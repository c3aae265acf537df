internal import DockClient
public import DockTypes
public import ExtensionKit
internal import Geometry

/// Records what happens until its task is cancelled.
public struct LogRecorder: Sendable {
    private let session: ExtensionSession
    private let desk: LogDesk
    /// Held as long as this value exists, so that no other program writes in the folder.
    private let lock: LogLock
    private let removed: Int
    private let isKeepingPeople: Bool

    /// Prepares a folder for recording.
    /// - Throws: `portBusy` if another program records there, `permission`, `cannotOpen`.
    public init(_ session: ExtensionSession, _ settings: LogSettings, _ folder: LogFolder) throws(DockError) {
        lock = try LogLock(folder)
        removed = try folder.repair()
        isKeepingPeople = settings.people
        let log = session.log
        desk = try LogDesk(settings, folder) {
            Moment(monotonic: SystemTime.monotonic, wall: LocalZone.system.wall(SystemTime.unix))
        } say: { text, isWarning in
            if isWarning { log.warning(text) } else { log.note(text) }
        }
        self.session = session
    }

    /// Records until the task is cancelled, through all restarts of the daemon.
    /// - Throws: errors of the connection that waiting does not solve.
    public func run() async throws {
        await desk.take(.started(version: session.identity.version, removed: removed))
        do {
            let dock = try await session.connect()
            await reportHealth()
            // People may know that their presence is recorded. It is shown again after a reconnection.
            if isKeepingPeople { try await announce(on: dock) }
            await follow(dock)
        } catch {
            await desk.end()
            throw error
        }
        await desk.end()
    }

    private func announce(on dock: Dock) async throws(DockError) {
        do throws(DockError) {
            try await dock.setIndicator("log", .on, text: "who was here")
        } catch {
            // While the daemon is away, the client keeps it for the next connection.
            guard error.code == .notConnected || error.code == .timeout else { throw error }
        }
    }

    private func follow(_ dock: Dock) async {
        await withTaskGroup { group in
            group.addTask { await watchConnection(dock) }
            group.addTask { await read(.events, of: dock) { .event($0) } }
            group.addTask { await read(.log, of: dock) { .message($0) } }
            group.addTask { await read(.accessory, of: dock) { .accessory($0) } }
            group.addTask { await read(.tracking, of: dock) { .tracking($0) } }
            group.addTask { await read(.battery, of: dock) { .battery($0) } }
            group.addTask { await read(.indicators, of: dock) { .indicators($0) } }
            group.addTask {
                while (try? await Task.sleep(for: .seconds(1))) != nil {
                    await desk.tick()
                    await reportHealth()
                }
            }
        }
    }

    private func watchConnection(_ dock: Dock) async {
        for await connection in dock.connections {
            switch connection {
            case .connected(let greeting): await desk.take(.connected(version: greeting.version))
            case .disconnected(let error): await desk.take(.disconnected(error.message))
            case .closed: return
            }
        }
    }

    private func read<Value>(
        _ topic: TopicKey<Value>, of dock: Dock, _ news: @Sendable (Value) -> LogNews
    ) async {
        // An older daemon lacks some topics. Their records are then missing.
        guard let updates = try? dock.updates(topic) else { return }
        for await update in updates {
            if topic.topic.isQueue {
                if update.lost > 0 { await desk.take(.dropped(update.lost)) }
                // These events happened before the log began.
                if update.isSnapshot { continue }
            }
            await desk.take(news(update.value))
        }
    }

    private func reportHealth() async {
        if let problem = await desk.problem { session.report(.fault, problem) } else { session.report(.ready) }
    }
}
