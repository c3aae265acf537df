internal import DockTypes
internal import Geometry
internal import Glibc

/// Carries out the jobs of a recorder in its folder: files, ring and lists. It belongs to one thread.
final class DiskDesk {
    let folder: ChunkFolder
    private(set) var ring: ChunkRing
    private(set) var book: ChunkBook
    private let lists: ChunkLists
    private let run: Int
    private let put: ChunkFile.Put
    private let space: (ChunkFolder) throws(FileTrouble) -> DiskSpace
    private var files: [Int: ChunkFile] = [:]
    /// Chunks whose file could not be written to the end.
    private var broken: Set<Int> = []
    private var dates: ChunkDates
    /// The newest chunks that are still files of fragments, because an earlier run ended before they were copied.
    let uncopied: [ChunkName]
    /// Bytes of files besides chunks: lists, and a copy that is being made.
    var otherBytes: Int

    /// Reads a folder, and finishes what an earlier run has left open. Reports of that are in `news`.
    /// - Parameter length: of a chunk, in seconds.
    init(
        _ folder: ChunkFolder, _ limits: RingLimits, length: Seconds, news: inout [DiskReport],
        put: @escaping ChunkFile.Put = ChunkFile.write,
        space: @escaping (ChunkFolder) throws(FileTrouble) -> DiskSpace = { folder throws(FileTrouble) in
            try folder.space()
        }
    ) throws(DockError) {
        (self.folder, self.put, self.space, lists) = (folder, put, space, ChunkLists(folder))
        var listing = try folder.list()
        var book = lists.read(listing.lists)
        run = book.lastRun + 1
        if !listing.parts.isEmpty || !listing.drafts.isEmpty {
            news += FolderRepair(folder, lists, run: run).repair(listing, into: &book)
            listing = try folder.list()
        }
        self.book = book
        let entries = listing.chunks.map { entry in
            var entry = entry
            let record = book.record(of: entry.name)
            (entry.isSent, entry.isKept) = (record.sentAt != nil, record.isKept)
            return entry
        }
        ring = ChunkRing(limits, length: length, entries: entries)
        dates = ChunkDates(entries.map(\.name.start))
        otherBytes = listing.otherBytes
        let newest = entries.suffix(8).map(\.name)
        uncopied = newest.filter { (try? folder.scan($0.file))?.isFragmented == true }
    }

    /// The bytes of the chunks that are being written.
    private var openBytes: Int { files.values.reduce(0) { $0 + $1.bytes } }

    /// When waiting pieces must be brought to the disk, CLOCK_MONOTONIC; nil if none wait.
    var deadline: Seconds? { files.values.compactMap(\.deadline).min() }

    /// Carries out a job.
    func carryOut(_ job: DiskJob, now: Seconds) -> [DiskReport] {
        switch job {
        case .makeRoom(let date): return makeRoom(more: ring.need, date: date, isAsked: true)
        case .begin(let id, let date, let verdict): return begin(id, date, verdict)
        case .append(let id, let piece): return append(id, piece, now)
        case .finish(let id, let facts): return finish(id, facts)
        case .discard(let id): return discard(id)
        case .mark(let date, let mark): return self.mark(date, mark)
        case .limits(let limits):
            ring.limits = limits
            return []
        case .expire(let date): return expire(date)
        }
    }

    /// Brings pieces to the disk that have waited long enough.
    func tick(now: Seconds) -> [DiskReport] {
        var reports: [DiskReport] = []
        for (id, file) in files {
            do throws(FileTrouble) {
                try file.synchronise(now: now)
            } catch {
                reports += fail(id, error.description)
            }
        }
        return reports
    }

    // MARK: jobs

    private func begin(_ id: Int, _ date: Int, _ verdict: ChunkVerdict) -> [DiskReport] {
        do throws(FileTrouble) {
            files[id] = try ChunkFile(folder, PartName(start: dates.take(date), verdict: verdict), put: put)
            return []
        } catch {
            return [.failed(id, error.description)]
        }
    }

    private func append(_ id: Int, _ piece: [UInt8], _ now: Seconds) -> [DiskReport] {
        guard let file = files[id], !broken.contains(id) else { return [] }
        if file.isDeleted {
            files[id] = nil
            dates.release(file.name.start)
            return [.gone(id), .note("the open chunk was deleted", isWarning: false)]
        }
        // Every piece must fit, not only the chunk as it was estimated.
        let reports = makeRoom(more: piece.count, date: nil, isAsked: false)
        if case .room(let problem?)? = reports.last { return Array(reports.dropLast()) + fail(id, problem) }
        do throws(FileTrouble) {
            try file.append(piece, now: now)
            return reports
        } catch {
            return reports + fail(id, error.description)
        }
    }

    private func fail(_ id: Int, _ reason: String) -> [DiskReport] {
        // A piece after a missing one would be of no use.
        broken.insert(id).inserted ? [.failed(id, reason)] : []
    }

    private func finish(_ id: Int, _ facts: ChunkFacts) -> [DiskReport] {
        guard let file = files.removeValue(forKey: id) else { return [] }
        guard file.bytes > 0, facts.tally.frames > 0 else { return drop(file) }
        // What is known of the chunk is not true of its file then.
        if broken.remove(id) != nil { return repair(file) }
        let milliseconds = Int((facts.duration.clamped(to: 0...86_400) * 1000).rounded())
        let name = ChunkName(start: file.name.start, duration: milliseconds, verdict: facts.tally.verdict)
        do throws(FileTrouble) {
            try folder.changing { () throws(FileTrouble) in try file.finish(as: name) }
        } catch {
            if error.number == ENOENT { return [.gone(id)] }
            return [.note("a chunk could not be finished: \(error.description)", isWarning: true)]
        }
        ring.add(ChunkEntry(name: name, bytes: file.bytes))
        var record = ChunkRecord(name)
        (record.run, record.exposures, record.size) = (run, facts.exposures, facts.size)
        (record.tally, record.isDated) = (facts.tally, facts.isDated)
        return [.stored(record, bytes: file.bytes)] + keep(record)
    }

    private func repair(_ file: ChunkFile) -> [DiskReport] {
        do throws(FileTrouble) {
            let outcome = try folder.changing { () throws(FileTrouble) in try ChunkRepair(folder).repair(file.name) }
            guard case .finished(let name, _) = outcome else {
                dates.release(file.name.start)
                return []
            }
            ring.add(ChunkEntry(name: name, bytes: file.bytes))
            var record = ChunkRecord(name)
            (record.run, record.isRepaired) = (run, true)
            return [.stored(record, bytes: file.bytes)] + keep(record)
        } catch {
            return [.note("\(file.name.file) is not finished: \(error.description)", isWarning: true)]
        }
    }

    private func discard(_ id: Int) -> [DiskReport] {
        broken.remove(id)
        return files.removeValue(forKey: id).map(drop) ?? []
    }

    private func drop(_ file: ChunkFile) -> [DiskReport] {
        dates.release(file.name.start)
        try? file.discard()
        return []
    }

    private func mark(_ date: Int, _ mark: ChunkMark) -> [DiskReport] {
        var name: ChunkName?
        ring.change(date) { entry in
            name = entry.name
            switch mark {
            case .sent: entry.isSent = true
            case .busy(let isBusy): entry.isBusy = isBusy
            case .kept(let isKept): entry.isKept = isKept
            }
        }
        // A chunk that was deleted meanwhile needs no mark.
        guard let name else { return [] }
        var record = book.record(of: name)
        switch mark {
        case .sent(let time): record.sentAt = time
        case .busy: return []
        case .kept(let isKept): record.isKept = isKept
        }
        return keep(record)
    }

    private func expire(_ date: Int) -> [DiskReport] {
        // Whether there is room matters only to a recording.
        makeRoom(more: 0, date: date, isAsked: true).filter { if case .room = $0 { false } else { true } }
    }

    private func keep(_ record: ChunkRecord) -> [DiskReport] {
        book.put(record)
        do throws(FileTrouble) {
            try lists.append(record)
            return []
        } catch {
            return [.note("the day's list is not complete: \(error.description)", isWarning: true)]
        }
    }

    // MARK: room

    /// Deletes what must go. The report about the room is the last one; if no one asked, it is missing if there is
    /// room.
    private func makeRoom(more: Int, date: Int?, isAsked: Bool) -> [DiskReport] {
        if isAsked { forgetDeleted() }
        var reports: [DiskReport] = [], problem: String?
        do throws(FileTrouble) {
            let room = ring.makeRoom(
                open: openBytes + otherBytes, more: more, space: try space(folder), now: date)
            try delete(room.delete)
            if !room.delete.isEmpty { reports.append(.deleted(room.delete)) }
            problem = room.problem
        } catch {
            problem = error.description
        }
        if isAsked || problem != nil { reports.append(.room(problem: problem)) }
        return reports
    }

    private func delete(_ entries: [ChunkEntry]) throws(FileTrouble) {
        for entry in entries {
            try folder.remove(entry.name.file)
            dates.release(entry.name.start)
            book.remove(entry.name.start)
        }
        let days = Set(entries.map { ChunkLists.day($0.name.start) })
        guard !days.isEmpty else { return }
        let left = Set(ring.entries.map { ChunkLists.day($0.name.start) })
        for day in days.subtracting(left) { try lists.remove(day) }
        folder.synchronise()
    }

    /// Takes chunks out of the ring that a person has deleted, and new sizes of those that were copied.
    private func forgetDeleted() {
        guard let listing = try? folder.list() else { return }
        let sizes = Dictionary(listing.chunks.map { ($0.name.start, $0.bytes) }) { first, _ in first }
        for entry in ring.entries {
            guard let bytes = sizes[entry.name.start] else {
                ring.remove(entry.name.start)
                dates.release(entry.name.start)
                book.remove(entry.name.start)
                continue
            }
            if bytes != entry.bytes { ring.change(entry.name.start) { $0.bytes = bytes } }
        }
        otherBytes = max(0, listing.otherBytes - openBytes)
    }
}
