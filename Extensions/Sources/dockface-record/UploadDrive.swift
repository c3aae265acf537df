import AllSpark
import DockTypes
import ExtensionKit
import Networking
import Synchronization
import VideoRecorder
import VideoUpload

/// Sends recordings for a verb, and shows how far it is.
final class UploadDrive: Sendable {
    private let folder: ChunkFolder
    private let store: ChunkStore
    private let audit: AuditFile
    private let chunks: [Int: FolderSummary.Chunk]
    private let showsProgress: Bool
    private let shared = Mutex(Shared())
    private let ends: AsyncStream<DockError?>
    private let put: AsyncStream<DockError?>.Continuation

    private struct Shared {
        var patience = UploadPatience()
        var sent: Set<Int> = []
        /// The share of a file that was shown last, in percent.
        var shown: (need: FileNeed, percent: Int)?
    }

    init(_ folder: ChunkFolder, _ chunks: [FolderSummary.Chunk], isQuiet: Bool) {
        (self.folder, store, audit) = (folder, ChunkStore(folder), AuditFile(folder))
        self.chunks = Dictionary(chunks.map { ($0.record.name.start, $0) }) { first, _ in first }
        showsProgress = !isQuiet && TextOutput.isTerminal(2)
        (ends, put) = AsyncStream.makeStream(bufferingPolicy: .bufferingOldest(1))
    }

    /// Sends the recordings of a time. Returns how many the server has confirmed.
    /// - Throws: `notConnected` if there is no connection at all.
    func send(
        _ time: TimeRange, to server: ChosenServer, _ terms: OwnerTerms, _ naming: UploadName
    ) async throws(DockError) -> Int {
        let conversation = ServerConversation(
            server, terms: terms, naming: naming, desk: self, locate: { await ServerSearch.place(of: server) })
        let work = Task { await conversation.run() }
        conversation.upload(time)
        var problem: DockError?
        for await end in ends {
            problem = end
            break
        }
        work.cancel()
        await work.value
        if showsProgress { TextOutput.draw("\r\u{1B}[K", to: 2) }
        if let problem { throw problem }
        return shared.withLock { $0.sent.count }
    }
}

extension UploadDrive: UploadDesk {
    func chunks(in range: TimeRange, limit: Int) async -> (chunks: [ChunkReference], isComplete: Bool) {
        // Only those that the owner has agreed to: a recorder may have finished another one meanwhile.
        let chosen = chunks.values.map(ChunkStore.reference).filter { range.overlaps(start: $0.start, end: $0.end) }
            .sorted { $0.number < $1.number }
        return (Array(chosen.prefix(limit)), chosen.count <= limit)
    }

    func open(_ need: FileNeed) async throws(DockError) -> FileSource { try store.open(need) }

    func close(_ need: FileNeed) {}

    func keep(_ record: AuditRecord) throws(DockError) {
        do throws(DockError) {
            try audit.append(record)
        } catch {
            // Nothing can be sent without it.
            put.yield(error)
            throw error
        }
    }

    func note(_ news: UploadNews) {
        switch news {
        case .uploaded(let number): uploaded(number)
        case .progress(let need, let sent, let size): show(need, sent, size)
        case .state(let state, _): note(state)
        case .idle(true): put.yield(nil)
        case .log(let text, let isWarning):
            if isWarning { RecordPlace.log.warning(text) } else { RecordPlace.log.note(text) }
        case .idle, .configured, .recordingRequested: break
        }
    }

    private func note(_ state: LinkState) {
        let (end, sent) = shared.withLock { ($0.patience.note(state), $0.sent.count) }
        switch end {
        case nil: break
        case .neverThere(let reason):
            put.yield(DockError(.notConnected, reason, hint: "check the server, or choose it again with `join`"))
        case .lost(let reason):
            put.yield(
                DockError(
                    .notConnected,
                    "the connection to the server was lost after \(sent) of \(chunks.count) recordings: \(reason)",
                    hint: "run the same command again when it is back"))
        }
    }

    private func uploaded(_ number: Int) {
        shared.withLock { shared in
            shared.sent.insert(number)
            shared.patience.confirmed()
        }
        guard let chunk = chunks[number] else { return }
        do throws(DockError) {
            try folder.markSent(chunk.record, at: Int(SystemTime.unix))
        } catch {
            RecordPlace.log.warning("the list does not say that it was sent: \(error.message)")
        }
    }

    private func show(_ need: FileNeed, _ sent: Int, _ size: Int) {
        guard showsProgress, need.role.isVideo, size > 0 else { return }
        let percent = sent * 100 / size
        let done = shared.withLock { shared -> Int? in
            if let shown = shared.shown, shown.need == need, shown.percent == percent { return nil }
            shared.shown = (need, percent)
            return shared.sent.count
        }
        guard let done else { return }
        TextOutput.draw("\r\u{1B}[K\(done + 1) of \(chunks.count): \(percent) % of \(ByteSize.words(size))", to: 2)
    }
}
