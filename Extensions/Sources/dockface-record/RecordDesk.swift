import DockClient
import DockTypes
import ExtensionKit
import FacePrivacy
import Geometry
import Glibc
import VideoRecorder

/// The running recorder: it passes pictures and detections from the daemon to the recorder, and shows what that does.
struct RecordDesk: Sendable {
    private let session: ExtensionSession
    private let settings: RecordSettings
    private let limits: RecorderSettings
    private let recorder: Recorder
    private let orders: AsyncStream<RecorderOrder>
    private let signs = SignBoard()
    private let lines: LogLines
    private let feed: PictureFeed
    private let server: ServerDesk

    /// Opens the folder, finishes what an earlier run has left open, and says what will be recorded.
    private init(
        _ session: ExtensionSession, _ settings: RecordSettings, _ limits: RecorderSettings, in path: String
    ) throws(DockError) {
        Self.keepPicturesOutOfCores()
        (self.session, self.settings, self.limits) = (session, settings, limits)
        guard let lines = LogLines(session.log) else {
            throw DockError(.limitReached, "the system has no thread left", hint: "end other programs")
        }
        self.lines = lines
        let mark = try FolderMark()
        let folder = try ChunkFolder.open(path, makes: !mark.isRemembered(path))
        try mark.check(folder)
        let (orders, put) = AsyncStream<RecorderOrder>.makeStream()
        recorder = try Recorder(limits, in: folder) { put.yield($0) }
        (self.orders, feed) = (orders, PictureFeed(recorder, lines))
        server = ServerDesk(recorder, settings.server, limits, in: folder, lines)
        for line in try RecordWords.beginning(settings, limits, folder) { session.log.note(line) }
    }

    /// Forbids core dumps of this process and of its children: they would contain pictures that are not covered.
    private static func keepPicturesOutOfCores() {
        var none = rlimit(rlim_cur: 0, rlim_max: 0)
        setrlimit(__rlimit_resource_t(RLIMIT_CORE.rawValue), &none)
    }

    /// Why a recorder is over.
    private enum Ending {
        /// The task was cancelled.
        case done
        /// Its folder was removed, or the folder's disk is no longer mounted.
        case folderLost
    }

    /// Records until the task is cancelled, through all restarts of the daemon and its camera, and removals of the
    /// folder.
    /// - Throws: at the start: `portBusy` if another recorder uses the folder, `permission`, `cannotOpen`,
    ///   `notConnected` if its disk is not mounted. Later: the first three, if the folder cannot be made again.
    static func run(
        _ session: ExtensionSession, _ settings: RecordSettings, _ limits: RecorderSettings, in path: String
    ) async throws {
        let person = PersonRequest(isWanted: !settings.standby)
        defer { person.end() }
        var desk: RecordDesk? = try RecordDesk(session, settings, limits, in: path), dock: Dock?
        while case .folderLost? = try await desk?.run(&dock, person) {
            // Its descriptors would keep a disk from being unmounted.
            desk = nil
            desk = try await reopen(session) { () throws(DockError) in
                try RecordDesk(session, settings, limits, in: path)
            }
        }
    }

    /// How long a folder is tried to be made again, in seconds, unless its disk is away: in the sandbox of a service
    /// only a new start can make it.
    private static let patience: Seconds = 300

    /// Opens the folder again, as soon as that is possible.
    private static func reopen(
        _ session: ExtensionSession, _ open: () throws(DockError) -> RecordDesk
    ) async throws -> RecordDesk {
        var reported: String?
        let end = SystemTime.monotonic + patience
        while true {
            do throws(DockError) {
                return try open()
            } catch {
                if error.code != .notConnected, SystemTime.monotonic > end { throw error }
                session.report(.fault, RecordWords.short(error.message))
                if reported != error.message { session.log.warning("\(error.message); \(error.hint)") }
                reported = error.message
                session.beat()
            }
            try await Task.sleep(for: .seconds(1))
        }
    }

    /// Records until the task is cancelled or the folder is lost. `dock`: the connection, which is made once.
    private func run(_ dock: inout Dock?, _ person: PersonRequest) async throws -> Ending {
        defer { recorder.end() }
        // Not cancelled with the task: what is open must still be finished.
        let work = Task { await carryOut() }
        do {
            let connected = if let dock { dock } else { try await session.connect() }
            dock = connected
            person.watch(connected)
            person.attach(recorder, lines)
            defer { person.detach() }
            let ending = await withTaskGroup { group in
                group.addTask { await follow(connected) }
                let ending = await finish(work)
                group.cancelAll()
                return ending
            }
            if case .folderLost = ending { await clearSigns(on: connected) }
            return ending
        } catch {
            recorder.finish()
            _ = await work.value
            throw error
        }
    }

    /// The connection goes on, so what it shows of this recorder would stay.
    private func clearSigns(on dock: Dock) async {
        for name in ["record", "server"] { _ = try? await dock.setIndicator(name, .off, text: "") }
        try? await dock.closePictures()
    }

    /// Waits until the recorder is over. A cancelled task lets it finish.
    private func finish(_ work: Task<Ending, Never>) async -> Ending {
        await withTaskCancellationHandler {
            await work.value
        } onCancel: {
            recorder.finish()
        }
    }

    /// Carries out what the recorder wants, until it is over.
    private func carryOut() async -> Ending {
        var ending = Ending.done
        for await order in orders {
            switch order {
            case .show(let sign): signs.show(sign)
            case .watch(let isWanted): feed.watch(isWanted)
            case .say(let text, let isWarning): lines.add(text, isWarning: isWarning)
            case .stored(let record, let bytes): server.stored(record, bytes: bytes)
            case .folderLost:
                // It may come again before the recorder is over.
                guard case .done = ending else { break }
                ending = .folderLost
                lines.add("the folder of the recordings is gone, and is opened again", isWarning: true)
                recorder.finish()
            case .over:
                await lines.drain()
                return ending
            }
        }
        return ending
    }

    private func follow(_ dock: Dock) async {
        await withTaskGroup { group in
            group.addTask { await watchConnection(dock) }
            group.addTask { await signs.run(dock, recorder, limits, needsScreen: settings.needsScreen) }
            group.addTask { await feed.run(dock) }
            group.addTask { await server.run(dock) }
            group.addTask { await report() }
        }
    }

    private func watchConnection(_ dock: Dock) async {
        for await connection in dock.connections {
            if case .connected = connection { recorder.connected() }
        }
    }

    private func report() async {
        var pings = -1
        while (try? await Task.sleep(for: .seconds(1))) != nil {
            let status = recorder.status
            // The work is that of the recorder's thread, not of this loop.
            if status.pings != pings { session.beat() }
            pings = status.pings
            recorder.ping()
            let (state, text) = RecordWords.report(status, settings, hasCamera: feed.problem)
            session.report(state, text)
        }
    }
}
