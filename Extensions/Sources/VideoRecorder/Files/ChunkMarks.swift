public import DockTypes

extension ChunkFolder {
    /// Notes in the list of its day that a server has a chunk. For verbs. A running recorder has `mark` for that.
    /// - Parameter time: seconds since 1970.
    /// - Throws: `permission`, `cannotOpen`.
    public func markSent(_ record: ChunkRecord, at time: Int) throws(DockError) {
        var record = record
        record.sentAt = time
        do throws(FileTrouble) {
            try ChunkLists(self).append(record)
        } catch {
            throw error.error(in: path)
        }
    }
}
