internal import ControlProtocol
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

    /// A connection that lasted this time counts as one that works, in seconds.
    private static let steady: Seconds = 5

    /// Prepares a folder for recording.
    /// - Throws: `portBusy` if another program records there, `permission`, `cannotOpen`.
    public init(_ session: ExtensionSession, _ settings: LogSettings, _ folder: LogFolder) throws(DockError) {
        lock = try LogLock(folder)
        removed = try folder.repair(today: LocalZone.system.today)
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
        await desk.handle(.started(version: session.identity.version, removed: removed))
        let result = await withTaskGroup(of: Void.self, returning: Result<Void, any Error>.self) { group in
            // From the beginning: also without a daemon, lines must reach the disk.
            group.addTask { await keepTime() }
            defer { group.cancelAll() }
            do {
                try await record()
                return .success(())
            } catch {
                return .failure(error)
            }
        }
        await desk.end()
        try result.get()
    }

    private func keepTime() async {
        repeat {
            await desk.tick()
            if let problem = await desk.problem { session.report(.fault, problem) } else { session.report(.ready) }
            session.beat()
        } while (try? await Task.sleep(for: .seconds(1))) != nil
    }

    private func record() async throws {
        var runs = DaemonRuns(), pause = BackOff()
        while true {
            // Each connection has a dock of its own. Its sequences end with it, so that what a daemon said last is
            // recorded before what the next one says first.
            let dock = try await session.connect(reconnects: false), start = SystemTime.monotonic
            let uptime = try? await dock.status().uptime
            let run = runs.connected(uptime: uptime, times: start...max(start, SystemTime.monotonic))
            // People may know that their presence is recorded.
            if isKeepingPeople { try await announce(on: dock) }
            await follow(dock, run)
            dock.close()
            try Task.checkCancellation()
            await desk.handle(.disconnected("the connection has ended"))
            if SystemTime.monotonic - start >= Self.steady { pause.succeeded() }
            try await Task.sleep(for: .seconds(pause.failed()))
        }
    }

    /// Records until the connection ends.
    private func follow(_ dock: Dock, _ run: DaemonRun) async {
        guard case .connected(let greeting) = dock.connection else { return }
        await desk.handle(.connected(version: greeting.version, run: run))
        await withTaskGroup { group in
            group.addTask { await readQueue(.events, of: dock) { .event($0) } }
            group.addTask { await readQueue(.log, of: dock) { .message($0) } }
            group.addTask { await read(.accessory, of: dock) { .accessory($0) } }
            group.addTask { await read(.tracking, of: dock) { .tracking($0) } }
            group.addTask { await read(.battery, of: dock) { .battery($0) } }
            group.addTask { await read(.indicators, of: dock) { .indicators($0) } }
        }
    }

    private func announce(on dock: Dock) async throws(DockError) {
        do throws(DockError) {
            try await dock.setIndicator("log", .on, text: "who was here")
        } catch {
            // The connection has ended. The next one tries again.
            guard error.code == .notConnected || error.code == .timeout else { throw error }
        }
    }

    private func read<Value>(
        _ topic: TopicKey<Value>, of dock: Dock, _ news: @Sendable (Value) -> LogNews
    ) async {
        // An older daemon lacks some topics. Their records are then missing.
        guard let updates = try? dock.updates(topic) else { return }
        for await update in updates { await desk.handle(news(update.value)) }
    }

    private func readQueue<Value>(
        _ topic: TopicKey<Value>, of dock: Dock, _ news: @Sendable (Value) -> LogNews
    ) async {
        guard let updates = try? dock.updates(topic) else { return }
        for await update in updates {
            await desk.handle(
                LogEntry(
                    topic: topic.topic, sequence: update.sequence, isSnapshot: update.isSnapshot, lost: update.lost,
                    news: news(update.value)))
        }
    }
}
