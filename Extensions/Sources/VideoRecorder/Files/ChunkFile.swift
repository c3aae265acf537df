internal import Geometry
internal import Glibc

/// A chunk while it is written: whole pieces only, so that it plays whenever the program dies.
final class ChunkFile {
    /// Writes bytes to a descriptor, as write(2) does.
    typealias Put = @Sendable (Int32, UnsafeRawBufferPointer) -> Int

    /// The longest time that pictures may wait for the disk, in seconds.
    static let patience: Seconds = 5

    /// Its name.
    let name: PartName
    /// Its size, in bytes.
    private(set) var bytes = 0
    private let folder: ChunkFolder
    private let put: Put
    private var descriptor: Int32
    /// Since when pieces wait for the disk, CLOCK_MONOTONIC.
    private var unsynced: Seconds?

    /// Creates the file. An old one with this name is replaced.
    init(_ folder: ChunkFolder, _ name: PartName, put: @escaping Put = ChunkFile.write) throws(FileTrouble) {
        (self.folder, self.name, self.put) = (folder, name, put)
        try folder.remove(name.file)
        descriptor = try folder.open(name.file, O_WRONLY | O_CREAT | O_EXCL)
        folder.synchronise()
    }

    deinit { if descriptor >= 0 { close(descriptor) } }

    /// Writes to a file.
    static let write: Put = { Glibc.write($0, $1.baseAddress, $1.count) }

    /// Whether a person has deleted the file.
    var isDeleted: Bool {
        var status = stat()
        return descriptor >= 0 && fstat(descriptor, &status) == 0 && status.st_nlink == 0
    }

    /// Appends a piece, or leaves the file as it was.
    func append(_ piece: [UInt8], now: Seconds) throws(FileTrouble) {
        var done = 0
        while done < piece.count {
            let count = piece.withUnsafeBytes { put(descriptor, UnsafeRawBufferPointer(rebasing: $0[done...])) }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else {
                let trouble = FileTrouble("write \(name.file)", count < 0 ? errno : ENOSPC)
                // Half a piece would be cut at the next start anyhow; a finished file must not have it.
                if done > 0 { cut() }
                throw trouble
            }
            done += count
        }
        bytes += piece.count
        unsynced = unsynced ?? now
    }

    private func cut() {
        guard ftruncate(descriptor, off_t(bytes)) == 0, lseek(descriptor, off_t(bytes), SEEK_SET) >= 0 else { return }
    }

    /// When the pieces must be brought to the disk (CLOCK_MONOTONIC), or nil if none wait.
    var deadline: Seconds? { unsynced.map { $0 + Self.patience } }

    /// Brings waiting pieces to the disk, if they have waited long enough.
    func synchronise(now: Seconds) throws(FileTrouble) {
        guard let deadline, now >= deadline else { return }
        unsynced = nil
        guard fdatasync(descriptor) == 0 else { throw FileTrouble("bring \(name.file) to the disk") }
    }

    /// Brings everything to the disk, and gives the file its final name. Afterwards the chunk outlasts a power cut.
    func finish(as final: ChunkName) throws(FileTrouble) {
        defer { closeIt() }
        unsynced = nil
        guard fsync(descriptor) == 0 else { throw FileTrouble("bring \(name.file) to the disk") }
        try folder.rename(name.file, to: final.file)
        folder.synchronise()
    }

    /// Deletes the file.
    func discard() throws(FileTrouble) {
        closeIt()
        try folder.remove(name.file)
        folder.synchronise()
    }

    private func closeIt() {
        if descriptor >= 0 { close(descriptor) }
        descriptor = -1
    }
}
