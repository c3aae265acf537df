internal import Geometry
internal import Glibc
internal import Processes

/// Copies finished chunks, one at a time and with the lowest priority, into files that begin with their index. Each
/// copy replaces its chunk, if it has all of its pictures. A chunk that cannot be copied stays as it is, and plays,
/// too.
final class FastStart {
    private let folder: ChunkFolder
    private let program: String
    private var waiting: [ChunkName] = []
    private var current: (name: ChunkName, child: ChildProcess, startedAt: Seconds)?
    private var errors = ChildPipe()
    private var log = ChildLog()
    private var hasFailed = false

    /// The maximum number of chunks that wait; of more, the oldest stay as they are.
    static let most = 64
    /// The longest time for one chunk, in seconds.
    static let patience: Seconds = 120

    init(_ folder: ChunkFolder, program: String) { (self.folder, self.program) = (folder, program) }

    /// Whether all copies are made.
    var isIdle: Bool { waiting.isEmpty && current == nil }

    /// The chunk of which a copy is being made, or nil.
    var copied: ChunkName? { current?.name }

    /// Adds a chunk.
    func add(_ name: ChunkName) {
        waiting.append(name)
        if waiting.count > Self.most { waiting.removeFirst() }
    }

    /// The descriptors to wait for.
    var waits: [pollfd] {
        [
            pollfd(fd: errors.descriptor, events: Int16(POLLIN), revents: 0),
            pollfd(fd: current?.child.descriptor ?? -1, events: Int16(POLLIN), revents: 0),
        ]
    }

    /// The latest time for the next `turn`, CLOCK_MONOTONIC.
    func deadline(now: Seconds) -> Seconds? {
        guard let current else { return nil }
        let end = current.startedAt + Self.patience
        return current.child.descriptor < 0 ? min(end, now + 0.25) : end
    }

    /// Starts the next copy, if none is being made and `hasRoom` allows it, and takes the result of the last one.
    func turn(now: Seconds, hasRoom: (ChunkName) -> Bool) -> [DiskReport] {
        if errors.descriptor >= 0 { _ = errors.read { log.feed($0, now: now) } }
        var reports = reap(now)
        while current == nil, let next = waiting.first {
            waiting.removeFirst()
            guard hasRoom(next) else { continue }
            reports += start(next, now)
        }
        return reports
    }

    private func start(_ name: ChunkName, _ now: Seconds) -> [DiskReport] {
        let words = EncoderCommand.remux(program, from: folder.path(of: name.file), to: folder.path(of: draft(name)))
        log.begin()
        let end = errors.open(toChild: false)
        defer { if let end { close(end) } }
        do throws(FileTrouble) {
            try makeDraft(name)
        } catch {
            errors.close()
            return failed(name, error.description)
        }
        do throws(ChildProcess.Failure) {
            let child = try ChildProcess(words, pipes: [2: end])
            setpriority(__priority_which_t(PRIO_PROCESS.rawValue), id_t(child.identifier), 19)
            current = (name, child, now)
            return []
        } catch {
            errors.close()
            try? folder.remove(draft(name))
            return failed(name, error.description)
        }
    }

    /// Creates the file of a copy, which only its owner can read. ffmpeg writes into the file that exists.
    private func makeDraft(_ name: ChunkName) throws(FileTrouble) {
        try folder.remove(draft(name))
        let made = try folder.open(draft(name), O_WRONLY | O_CREAT | O_EXCL)
        fchmod(made, 0o600)
        close(made)
    }

    private func reap(_ now: Seconds) -> [DiskReport] {
        guard let current else { return [] }
        if now >= current.startedAt + Self.patience { current.child.signal(SIGKILL) }
        guard let ending = current.child.ending() else { return [] }
        errors.drain { log.feed($0, now: now) }
        _ = log.lines(now: now, isEnd: true)
        errors.close()
        current.child.close()
        self.current = nil
        defer { try? folder.remove(draft(current.name)) }
        guard ending == .exited(0) else {
            return failed(current.name, log.last.map { "\(ending): \($0)" } ?? "\(ending)")
        }
        do throws(FileTrouble) {
            return try replace(current.name)
        } catch {
            return failed(current.name, error.description)
        }
    }

    private func replace(_ name: ChunkName) throws(FileTrouble) -> [DiskReport] {
        let draft = draft(name)
        // If a deletion has removed ours, it is ffmpeg's, which others may read.
        let descriptor = try folder.open(draft, O_RDWR)
        defer { close(descriptor) }
        let new = try FilmScanner.scan(descriptor)
        guard fchmod(descriptor, 0o600) == 0, fsync(descriptor) == 0 else { throw FileTrouble("keep \(draft)") }
        return try folder.changing { () throws(FileTrouble) in
            // A person may have deleted the chunk meanwhile.
            guard let old = try? folder.scan(name.file) else { return [] }
            guard new.isWhole, new.length.frames == old.length.frames, new.pictureBytes == old.pictureBytes else {
                return failed(name, "the copy has \(new.length.frames) of \(old.length.frames) pictures")
            }
            try folder.rename(draft, to: name.file)
            folder.synchronise()
            return []
        }
    }

    /// The first failure is reported. Others would be the same.
    private func failed(_ name: ChunkName, _ reason: String) -> [DiskReport] {
        defer { hasFailed = true }
        guard !hasFailed else { return [] }
        return [.note("\(name.file) stays a file of fragments, which most players play: \(reason)", isWarning: true)]
    }

    private func draft(_ name: ChunkName) -> String { "chunk_\(name.start)\(ChunkFolder.draftEnd)" }

    /// Ends the copy that is being made.
    func end() {
        waiting = []
        guard let current else { return }
        current.child.end()
        current.child.close()
        errors.close()
        try? folder.remove(draft(current.name))
        self.current = nil
    }
}
