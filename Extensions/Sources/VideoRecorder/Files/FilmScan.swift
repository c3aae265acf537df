internal import Glibc

/// What the boxes of a film's file say, without its pictures.
public struct FilmScan: Sendable, Equatable {
    /// Whether its pictures are in fragments. Otherwise it begins with its index, or is empty.
    public internal(set) var isFragmented = false
    /// The number of bytes up to which it is whole: behind the last fragment, or the size of the file.
    public internal(set) var wholeBytes = 0
    /// The size of the file, in bytes.
    public internal(set) var bytes = 0
    /// The number of its pictures, and its length.
    public internal(set) var length = FilmLength()
    /// The bytes of its pictures and of its sound. A copy in another container has the same number.
    public internal(set) var pictureBytes = 0
    /// What is wrong, or nil.
    public internal(set) var problem: FragmentWalk.Problem?

    /// Whether it plays to its end.
    public var isWhole: Bool { problem == nil && wholeBytes == bytes && length.frames > 0 }

    /// The largest index that is read, in bytes (16 MiB): an hour of pictures has 1 MB.
    static let largestIndex = 16 << 20
}

/// Reads the boxes of a film's file. The file may have been torn at any byte, or be no film.
struct FilmScanner {
    private let descriptor: Int32
    private var scan = FilmScan()
    private var reader = FilmReader()
    private var walk = FragmentWalk()
    /// The bytes of pictures up to the last whole fragment.
    private var pictures = 0

    /// Scans an open file.
    static func scan(_ descriptor: Int32) throws(FileTrouble) -> FilmScan {
        var scanner = FilmScanner(descriptor: descriptor)
        return try scanner.run()
    }

    private init(descriptor: Int32) { self.descriptor = descriptor }

    private mutating func run() throws(FileTrouble) -> FilmScan {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw FileTrouble("read the film") }
        scan.bytes = Int(status.st_size)
        var place = 0
        while place < scan.bytes, scan.problem == nil {
            let reading = try part(at: place, min(BoxHeader.longest, scan.bytes - place)).withUnsafeBytes {
                BoxHeader.read($0)
            }
            guard case .header(let box) = reading else {
                if reading == .invalid { scan.problem = .noBox }
                break
            }
            guard box.size <= scan.bytes - place else { break }
            try readBox(box, at: place)
            place += box.size
        }
        finish(place)
        return scan
    }

    private mutating func readBox(_ box: BoxHeader, at place: Int) throws(FileTrouble) {
        if box.kind == BoxKind.movie || box.kind == BoxKind.fragment {
            guard box.size <= FilmScan.largestIndex else {
                scan.problem = .tooLarge
                return
            }
            let body = try part(at: place + box.head, box.size - box.head)
            if box.kind == BoxKind.movie {
                body.withUnsafeBytes { reader.readMovie($0) }
                // The index of a film without fragments has pictures; that of one with fragments has none.
                scan.isFragmented = reader.length.frames == 0
            } else {
                pending = body
            }
        }
        // An index may also be at the end of a film without fragments. No recorder of ours writes that.
        guard scan.isFragmented || !walk.hasHead else {
            if box.kind == BoxKind.data { pictures += box.size - box.head }
            return
        }
        do throws(FragmentWalk.Problem) {
            let piece = try walk.pass(box)
            if piece == .fragment {
                pending?.withUnsafeBytes { reader.readFragment($0) }
                pending = nil
                pictures += box.size - box.head
            }
        } catch {
            scan.problem = error
        }
    }

    /// The index of a fragment whose pictures follow.
    private var pending: [UInt8]?

    private mutating func finish(_ place: Int) {
        scan.wholeBytes = scan.isFragmented ? walk.end : place
        (scan.length, scan.pictureBytes) = (reader.length, pictures)
    }

    private func part(at place: Int, _ count: Int) throws(FileTrouble) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: max(0, count)), done = 0
        while done < bytes.count {
            let got = bytes.withUnsafeMutableBytes {
                pread(descriptor, $0.baseAddress.map { $0 + done }, $0.count - done, off_t(place + done))
            }
            if got < 0, errno == EINTR { continue }
            guard got >= 0 else { throw FileTrouble("read the film") }
            // The file has become shorter meanwhile.
            guard got > 0 else { return Array(bytes[..<done]) }
            done += got
        }
        return bytes
    }
}

extension ChunkFolder {
    /// Reads the boxes of a chunk.
    public func scan(_ file: String) throws(FileTrouble) -> FilmScan {
        let descriptor = try open(file, O_RDONLY)
        defer { close(descriptor) }
        return try FilmScanner.scan(descriptor)
    }
}
