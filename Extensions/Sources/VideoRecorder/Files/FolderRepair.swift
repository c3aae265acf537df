/// Brings a folder in order that an earlier run has left, after a crash or a power cut.
struct FolderRepair {
    private let folder: ChunkFolder
    private let lists: ChunkLists
    private let run: Int

    init(_ folder: ChunkFolder, _ lists: ChunkLists, run: Int) {
        (self.folder, self.lists, self.run) = (folder, lists, run)
    }

    /// Finishes open chunks, and deletes drafts. Returns what was done.
    func repair(_ listing: ChunkFolder.Listing, into book: inout ChunkBook) -> [DiskReport] {
        var reports: [DiskReport] = []
        for draft in listing.drafts { try? folder.remove(draft) }
        for part in listing.parts {
            do throws(FileTrouble) {
                switch try ChunkRepair(folder).repair(part) {
                case .deleted:
                    reports.append(.note("\(part.file) had no whole second, and was deleted", isWarning: true))
                case .finished(let name, let cut, let hasSound):
                    var record = ChunkRecord(name)
                    (record.run, record.isRepaired, record.isDated) = (run, true, ChunkClock.isPlausible(name.start))
                    record.hasSound = hasSound
                    book.put(record)
                    try? lists.add(record)
                    reports.append(
                        .note(
                            "\(name.file) was left open and is finished now; \(cut) bytes were cut off", isWarning: true
                        ))
                }
            } catch {
                // It stays as it is; the next start tries again.
                reports.append(.note("\(part.file) could not be repaired: \(error.description)", isWarning: true))
            }
        }
        return reports
    }
}
