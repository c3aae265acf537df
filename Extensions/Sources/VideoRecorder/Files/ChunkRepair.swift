internal import Glibc

/// Finishes the chunks that a recorder has left open, because it was killed or the power failed.
struct ChunkRepair {
    /// The result for one file.
    enum Outcome: Equatable {
        /// It is a finished chunk now; these bytes of a torn end were cut off. `hasSound`: it has a track of sound.
        case finished(ChunkName, cut: Int, hasSound: Bool)
        /// It had no whole fragment, and was deleted.
        case deleted
    }

    private let folder: ChunkFolder

    init(_ folder: ChunkFolder) { self.folder = folder }

    /// Finishes one chunk.
    func repair(_ part: PartName) throws(FileTrouble) -> Outcome {
        let descriptor = try folder.open(part.file, O_RDWR)
        defer { close(descriptor) }
        let scan = try FilmScanner.scan(descriptor)
        guard scan.isFragmented, scan.length.frames > 0, scan.wholeBytes > 0 else {
            try folder.remove(part.file)
            folder.synchronise()
            return .deleted
        }
        let cut = scan.bytes - scan.wholeBytes
        if cut > 0, ftruncate(descriptor, off_t(scan.wholeBytes)) != 0 { throw FileTrouble("cut \(part.file)") }
        guard fsync(descriptor) == 0 else { throw FileTrouble("bring \(part.file) to the disk") }
        let name = ChunkName(start: part.start, duration: scan.length.milliseconds, verdict: part.verdict)
        try folder.rename(part.file, to: name.file)
        folder.synchronise()
        return .finished(name, cut: cut, hasSound: scan.length.hasSound)
    }
}
