import AllSpark
import ControlProtocol
import DockClient
import DockTypes
import ExtensionKit
import Networking
import Synchronization
import VideoRecorder
import VideoUpload

/// Holds the connection to the server that the owner has chosen, as long as the recorder runs.
final class ServerDesk: Sendable {
    private let recorder: Recorder
    private let settings: ServerSettings
    private let limits: RecorderSettings
    private let lines: LogLines
    private let file: ServerFile
    private let store: ChunkStore
    private let audit: AuditFile
    private let shared = Mutex(Shared())
    /// What the robot shows; only the newest counts.
    private let signs: AsyncStream<LinkState>
    private let put: AsyncStream<LinkState>.Continuation

    private struct Shared {
        var conversation: ServerConversation?
        var name = ""
    }

    init(
        _ recorder: Recorder, _ settings: ServerSettings, _ limits: RecorderSettings, in folder: ChunkFolder,
        _ lines: LogLines
    ) {
        (self.recorder, self.settings, self.limits, self.lines) = (recorder, settings, limits, lines)
        (file, store, audit) = (ServerFile(folder), ChunkStore(folder), AuditFile(folder))
        (signs, put) = AsyncStream<LinkState>.makeStream(bufferingPolicy: .bufferingNewest(1))
    }

    /// A recording is complete.
    func stored(_ record: ChunkRecord, bytes: Int) {
        let chunk = FolderSummary.Chunk(record: record, bytes: bytes)
        shared.withLock { $0.conversation }?.recorded(ChunkStore.reference(chunk))
    }

    /// Holds conversations until the task is cancelled. The owner may choose another server meanwhile, or none.
    func run(_ dock: Dock) async {
        await withTaskGroup { group in
            group.addTask { await self.showSigns(on: dock) }
            group.addTask { await self.follow() }
        }
    }

    /// Begins a conversation whenever the file changes, and ends the one before.
    private func follow() async {
        var known: ServerFile.Version?, work: Task<Void, Never>?
        repeat {
            let version = file.version
            if version != known {
                known = version
                work?.cancel()
                await work?.value
                work = Task { await talk() }
            }
        } while (try? await Task.sleep(for: .seconds(1))) != nil
        work?.cancel()
        await work?.value
    }

    private func talk() async {
        let server: ChosenServer
        do throws(DockError) {
            guard let chosen = try file.read() else { return }
            server = chosen
        } catch {
            return lines.add("nothing is uploaded: \(error.message); \(error.hint)", isWarning: true)
        }
        lines.add("the server is \(server.name) (\(server.url)): \(settings.words)")
        let conversation = ServerConversation(
            server, terms: settings.terms(limits), naming: settings.naming, desk: self,
            locate: { await ServerSearch.place(of: server) })
        shared.withLock { ($0.conversation, $0.name) = (conversation, server.name) }
        await conversation.run()
        shared.withLock { $0.conversation = nil }
        // What the server has asked for ends with it.
        recorder.stop(.server(server.name))
        recorder.set(length: limits.length)
        recorder.set(limits: limits.limits)
    }

    // MARK: what the robot shows

    private func showSigns(on dock: Dock) async {
        for await sign in signs {
            let name = shared.withLock { $0.name }
            let (state, text) = Self.indicator(sign, name)
            _ = try? await dock.setIndicator("server", state, text: RecordWords.short(text))
        }
    }

    static func indicator(_ state: LinkState, _ name: String) -> (IndicatorState, String) {
        switch state {
        case .off: (.off, "")
        case .disconnected: (.fault, "\(name): no connection")
        case .connecting: (.trying, name)
        case .connected: (.on, "\(name), not encrypted")
        case .secure: (.secure, name)
        }
    }
}

extension ServerDesk: UploadDesk {
    func chunks(in range: TimeRange, limit: Int) async -> (chunks: [ChunkReference], isComplete: Bool) {
        await finishOpenChunk(of: range)
        do throws(DockError) {
            return try store.chunks(in: range, limit: limit)
        } catch {
            lines.add("the recordings cannot be read: \(error.message)", isWarning: true)
            return ([], true)
        }
    }

    /// Ends the open chunk if it may have pictures of the time, and waits until it is complete, for at most 10 seconds.
    private func finishOpenChunk(of range: TimeRange) async {
        let dates = ChunkStore.dates(range)
        func open() -> [PartName] { (try? store.folder.list())?.parts.filter { $0.start < dates.to } ?? [] }
        // A list that was read a moment ago may name a chunk that has just ended.
        guard Double(dates.from) / 1000 < SystemTime.unix, let last = open().last else { return }
        recorder.cut()
        for _ in 0..<50 where open().contains(where: { $0.start <= last.start }) {
            guard (try? await Task.sleep(for: .milliseconds(200))) != nil else { return }
        }
    }

    func open(_ need: FileNeed) async throws(DockError) -> FileSource {
        recorder.mark(need.chunk, .busy(true))
        do throws(DockError) {
            return try store.open(need)
        } catch {
            recorder.mark(need.chunk, .busy(false))
            throw error
        }
    }

    func close(_ need: FileNeed) { recorder.mark(need.chunk, .busy(false)) }

    func keep(_ record: AuditRecord) throws(DockError) { try audit.append(record) }

    func note(_ news: UploadNews) {
        switch news {
        case .uploaded(let chunk): recorder.mark(chunk, .sent(at: Int(SystemTime.unix)))
        case .configured(let config):
            recorder.set(length: config.chunkLength)
            var ring = limits.limits
            ring.budget = config.budget
            recorder.set(limits: ring)
        case .recordingRequested(let request):
            recorder.start(.server(shared.withLock { $0.name }), seconds: request.duration)
        case .state(let state, let words):
            switch state {
            case .connected, .secure, .off: lines.add(words)
            // The machine says why, and does not repeat itself with each attempt.
            case .connecting, .disconnected: break
            }
            put.yield(state)
        case .log(let text, let isWarning): lines.add(text, isWarning: isWarning)
        case .progress, .idle: break
        }
    }
}
