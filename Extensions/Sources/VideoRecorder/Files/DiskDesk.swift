internal import DockTypes
internal import Geometry
internal import Glibc

/// Carries out the jobs of a recorder in its folder: files, ring and lists. It belongs to one thread.
final class DiskDesk {
    let folder: ChunkFolder
    var ring: ChunkRing
    var book: ChunkBook
    let lists: ChunkLists
    private let run: Int
    private let put: ChunkFile.Put
    let space: (ChunkFolder) throws(FileTrouble) -> DiskSpace
    let erase: (ChunkFolder, String) throws(FileTrouble) -> Void
    private var files: [Int: ChunkFile] = [:]
    /// Chunks whose file could not be written to the end.
    private var broken: Set<Int> = []
    var dates: ChunkDates
    /// The newest chunks that are still files of fragments, because an earlier run ended before they were copied.
    let uncopied: [ChunkName]
    /// Bytes of files besides chunks and copies: lists.
    var otherBytes: Int
    /// What the copy that is being made will have, in bytes; 0 if none is.
    var copyBytes = 0

    /// Reports of chunks that were finished later than they ended.
    var late: [DiskReport] = []

    /// Reads a folder, and finishes what an earlier run has left open. Reports of that are in `news`.
    /// - Parameter length: of a chunk, in seconds.
    init(
        _ folder: ChunkFolder, _ limits: RingLimits, length: Seconds, news: inout [DiskReport],
        put: @escaping ChunkFile.Put = ChunkFile.write,
        space: @escaping (ChunkFolder) throws(FileTrouble) -> DiskSpace = { folder throws(FileTrouble) in
            try folder.space()
        },
        erase: @escaping (ChunkFolder, String) throws(FileTrouble) -> Void = { folder, file throws(FileTrouble) in
            try folder.remove(file)
        }
    ) throws(DockError) {
        (self.folder, self.put, self.space, self.erase, lists) = (folder, put, space, erase, ChunkLists(folder))
        var listing = try folder.list()
        var book = lists.read(listing.lists)
        run = book.lastRun + 1
        if !listing.parts.isEmpty || !listing.drafts.isEmpty {
            news += FolderRepair(folder, lists, run: run).repair(listing, into: &book)
            listing = try folder.list()
        }
        self.book = book
        let entries = listing.chunks.map { Self.marked($0, book) }
        ring = ChunkRing(limits, length: length, entries: entries)
        dates = ChunkDates(entries.map(\.name.start))
        otherBytes = listing.otherBytes
        let newest = entries.suffix(8).map(\.name)
        uncopied = newest.filter { (try? folder.scan($0.file))?.isFragmented == true }
    }

    /// Returns a chunk of the folder with what its list says.
    static func marked(_ entry: ChunkEntry, _ book: ChunkBook) -> ChunkEntry {
        var entry = entry
        let record = book.record(of: entry.name)
        (entry.isSent, entry.isKept, entry.isDated) = (record.sentAt != nil, record.isKept, record.isDated)
        return entry
    }

    /// The bytes of the chunks that are being written.
    var openBytes: Int { files.values.reduce(0) { $0 + $1.bytes } }

    /// All bytes besides finished chunks.
    var besides: Int { openBytes + otherBytes + copyBytes }

    /// When waiting pieces must be brought to the disk, CLOCK_MONOTONIC; nil if none wait.
    var deadline: Seconds? { files.values.compactMap(\.deadline).min() }

    /// Carries out a job.
    func carryOut(_ job: DiskJob, now: Seconds) -> [DiskReport] {
        switch job {
        case .makeRoom(let date): return makeRoom(more: ring.need, date: date, for: .chunk)
        case .begin(let id, let date, let verdict): return begin(id, date, verdict)
        case .append(let id, let piece): return append(id, piece, now)
        case .finish(let id, let facts): return finish(id, facts)
        case .discard(let id): return discard(id)
        case .mark(let date, let mark): return self.mark(date, mark)
        case .limits(let limits):
            ring.limits = limits
            return []
        case .expire(let date): return makeRoom(more: 0, date: date, for: .age)
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
        let reports = makeRoom(more: piece.count, date: nil, for: .piece)
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
        if broken.remove(id) != nil { return repair(file.name) }
        let milliseconds = Int((facts.duration.clamped(to: 0...86_400) * 1000).rounded())
        let name = ChunkName(start: file.name.start, duration: milliseconds, verdict: facts.tally.verdict)
        var entry = ChunkEntry(name: name, bytes: file.bytes), reports: [DiskReport] = []
        do throws(FileTrouble) {
            try folder.changing { () throws(FileTrouble) in
                entry.poseBytes = write(facts.poses, of: file, &reports)
                try file.finish(as: name)
            }
        } catch {
            if error.number == ENOENT {
                try? folder.remove(PoseFile.name(name.start))
                return [.gone(id)]
            }
            return [.note("a chunk is not finished yet: \(error.description)", isWarning: true)]
        }
        entry.isDated = facts.isDated
        ring.add(entry)
        var record = ChunkRecord(name)
        (record.run, record.exposures, record.size) = (run, facts.exposures, facts.size)
        (record.tally, record.isDated, record.hasSound) = (facts.tally, facts.isDated, facts.hasSound)
        record.hasPoses = entry.poseBytes > 0
        return [.stored(record, bytes: file.bytes)] + keep(record) + reports
    }

    /// Writes the poses of a chunk. Returns the size of their file in bytes, 0 if there is none: the pictures matter more.
    private func write(_ poses: [FramePose], of file: ChunkFile, _ reports: inout [DiskReport]) -> Int {
        // One that a person has deleted gets none.
        guard !poses.isEmpty, !file.isDeleted else { return 0 }
        do throws(FileTrouble) {
            return try folder.write(poses, of: file.name.start)
        } catch {
            reports.append(.note("a chunk has no poses: \(error.description)", isWarning: true))
            return 0
        }
    }

    /// Whether a chunk is being written.
    func isOpen(_ part: PartName) -> Bool { files.values.contains { $0.name == part } }

    /// Finishes the file of a chunk of which only its fragments are known.
    func repair(_ part: PartName) -> [DiskReport] {
        do throws(FileTrouble) {
            let outcome = try folder.changing { () throws(FileTrouble) in try ChunkRepair(folder).repair(part) }
            guard case .finished(let name, _, let hasSound) = outcome else {
                dates.release(part.start)
                return []
            }
            let bytes = (try? folder.size(of: name.file)) ?? 0
            var record = ChunkRecord(name), entry = ChunkEntry(name: name, bytes: bytes)
            (record.run, record.isRepaired, record.isDated) = (run, true, ChunkClock.isPlausible(name.start))
            record.hasSound = hasSound
            entry.isDated = record.isDated
            entry.poseBytes = (try? folder.size(of: PoseFile.name(part.start))) ?? 0
            record.hasPoses = entry.poseBytes > 0
            ring.add(entry)
            return [.stored(record, bytes: bytes)] + keep(record)
        } catch {
            return [.note("\(part.file) is not finished: \(error.description)", isWarning: true)]
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

    private func keep(_ record: ChunkRecord) -> [DiskReport] {
        book.put(record)
        do throws(FileTrouble) {
            try lists.add(record)
            return []
        } catch {
            return [.note("the day's list is not complete: \(error.description)", isWarning: true)]
        }
    }
}
