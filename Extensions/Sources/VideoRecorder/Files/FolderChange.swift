internal import Glibc

/// The right to delete and rename chunks, which the recorder and the verbs take in turn. Without it, a chunk that a
/// person deletes could come back: as the copy of it that is being made, or under its final name.
struct FolderChange: ~Copyable {
    private let descriptor: Int32
    /// The command of fcntl(2) that waits for a lock of an open file, which its header hides.
    private static let waitForLock: Int32 = 38

    /// Waits for the right. It ends with this value.
    init(_ folder: ChunkFolder) throws(FileTrouble) { descriptor = try Self.lock(folder) }

    private static func lock(_ folder: ChunkFolder) throws(FileTrouble) -> Int32 {
        let descriptor = try folder.open("lock-change", O_RDWR | O_CREAT)
        var range = flock()
        (range.l_type, range.l_whence) = (Int16(F_WRLCK), Int16(SEEK_SET))
        while fcntl(descriptor, waitForLock, &range) != 0 {
            guard errno == EINTR else {
                let trouble = FileTrouble("lock the folder")
                close(descriptor)
                throw trouble
            }
        }
        return descriptor
    }

    deinit { close(descriptor) }
}

extension ChunkFolder {
    /// Runs `body` while no other program deletes or renames chunks.
    func changing<Result>(_ body: () throws(FileTrouble) -> Result) throws(FileTrouble) -> Result {
        let change = try FolderChange(self)
        let result = try body()
        _ = consume change
        return result
    }
}
