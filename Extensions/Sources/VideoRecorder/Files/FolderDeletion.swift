public import DockTypes
internal import Glibc

extension ChunkFolder {
    /// Deletes the chunks of a range, also those that are being written: a recorder then begins another one. What lists
    /// say of them goes, too. Returns how many there were, and their bytes.
    public func delete(_ range: DateRange) throws(DockError) -> (count: Int, bytes: Int) {
        do throws(FileTrouble) {
            return try changing { () throws(FileTrouble) in try deleteNow(range) }
        } catch {
            throw error.error(in: path)
        }
    }

    private func deleteNow(_ range: DateRange) throws(FileTrouble) -> (count: Int, bytes: Int) {
        guard let listing = try? list() else { throw FileTrouble("read the folder") }
        var count = 0, bytes = 0, left: Set<String> = []
        for entry in listing.chunks {
            guard range.contains(entry.name) else {
                left.insert(entry.name.file)
                continue
            }
            try remove(entry.name.file)
            try remove(PoseFile.name(entry.name.start))
            (count, bytes) = (count + 1, bytes + entry.room)
        }
        for part in unfinished(listing.parts, in: range) {
            try remove(part.file)
            try remove(PoseFile.name(part.start))
            count += 1
        }
        // Copies that are being made contain the pictures, too.
        for draft in listing.drafts { try remove(draft) }
        // A list says when people were there.
        for day in listing.lists { try ChunkLists(self).keep(left, of: day) }
        synchronise()
        return (count, bytes)
    }

    /// Returns those of these open chunks that have pictures of a range.
    public func unfinished(_ parts: [PartName], in range: DateRange) -> [PartName] {
        // One that is being written has pictures from its beginning until now.
        let isWritten = RecorderLock.isHeld(self)
        return parts.filter { part in
            guard part.start < range.to else { return false }
            return isWritten || end(of: part) > range.from
        }
    }

    /// The longest time of pictures behind the last whole fragment of a file, in milliseconds (2 s): a torn fragment.
    private static let torn = 2000

    /// Returns the latest date of a picture in a chunk that a recorder has left open, in milliseconds since 1970.
    private func end(of part: PartName) -> Int {
        // Of a file that cannot be read, it is not known.
        guard let scan = try? scan(part.file) else { return .max }
        return part.start + scan.length.milliseconds + Self.torn
    }
}
