/// Room for chunks: what must go, and what is there.
extension DiskDesk {
    /// What room is made for.
    enum Occasion {
        /// The next chunk. The report about the room is the last one.
        case chunk
        /// A piece of the open chunk. The report is missing if there is room.
        case piece
        /// Chunks are too old. Whether there is room matters only to a recording.
        case age
    }

    /// Deletes what must go.
    func makeRoom(more: Int, date: Int?, for occasion: Occasion) -> [DiskReport] {
        if occasion == .chunk, folder.isGone {
            return [.folderLost, .room(problem: "the folder of the recordings is gone")]
        }
        if occasion != .piece { forgetDeleted() }
        var reports = late, problem: String?, trouble: FileTrouble?
        late = []
        do throws(FileTrouble) {
            let room = ring.makeRoom(open: besides, more: more, space: try space(folder), now: date)
            // For the next run. This one remembers it.
            for entry in room.undated { try? folder.set(entry.name.file, modified: entry.modified) }
            let gone = delete(room.delete, &trouble)
            if !gone.isEmpty { reports.append(.deleted(gone)) }
            problem = room.problem
            if let trouble, !fits(more) { problem = trouble.description }
        } catch {
            problem = error.description
        }
        switch occasion {
        case .chunk: reports.append(.room(problem: problem))
        case .piece: if problem != nil { reports.append(.room(problem: problem)) }
        case .age:
            if let trouble { reports.append(.note("an old file stays: \(trouble.description)", isWarning: true)) }
        }
        return reports
    }

    /// Whether more bytes fit beside everything else, and no chunk must go for them.
    func fits(_ more: Int) -> Bool {
        var ring = ring
        let space = (try? self.space(folder)) ?? DiskSpace(free: 0, total: 0)
        let room = ring.makeRoom(open: besides, more: more, space: space, now: nil)
        return room.delete.isEmpty && room.problem == nil
    }

    /// Deletes chunks, and returns those that are gone. One that cannot be deleted stays in the ring: it takes room,
    /// and is tried again.
    private func delete(_ entries: [ChunkEntry], _ trouble: inout FileTrouble?) -> [ChunkEntry] {
        var gone: [ChunkEntry] = []
        for entry in entries {
            do throws(FileTrouble) {
                try erase(folder, entry.name.file)
                // If it stays, the next start deletes it.
                if entry.poseBytes > 0 { try? folder.remove(PoseFile.name(entry.name.start)) }
                dates.release(entry.name.start)
                book.remove(entry.name.start)
                gone.append(entry)
            } catch {
                trouble = trouble ?? error
                ring.restore(entry)
            }
        }
        guard !gone.isEmpty else { return [] }
        let days = Set(gone.map { ChunkLists.day($0.name.start) })
        let left = Set(ring.entries.map { ChunkLists.day($0.name.start) })
        do throws(FileTrouble) {
            // A person's deletion may be writing one.
            try folder.changing { () throws(FileTrouble) in
                for day in days.subtracting(left) { try lists.remove(day) }
            }
        } catch {
            trouble = trouble ?? error
        }
        folder.synchronise()
        return gone
    }

    /// Takes chunks out of the ring that a person has deleted, and adds those that are there in spite of it. Takes new
    /// sizes of those that were copied.
    private func forgetDeleted() {
        guard var listing = try? folder.list() else { return }
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
        let known = Set(ring.entries.map(\.name.start))
        for entry in listing.chunks where !known.contains(entry.name.start) {
            ring.restore(Self.marked(entry, book))
            dates.add(entry.name.start)
        }
        // The name of a finished chunk may have been refused, by a disk that was read-only then.
        let ended = listing.parts.filter { !isOpen($0) }
        // Only success is news: it is tried again and again.
        for part in ended { late += repair(part).filter { if case .stored = $0 { true } else { false } } }
        if !ended.isEmpty { listing = (try? folder.list()) ?? listing }
        otherBytes = max(0, listing.otherBytes - listing.draftBytes - openBytes)
    }
}
