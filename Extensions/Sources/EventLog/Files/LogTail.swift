public import DockTypes
internal import Glibc

/// The end of a file after a crash or a power cut, as a pure value: what to do with its last line.
enum TornTail: Sendable, Equatable {
    /// The last line is whole.
    case none
    /// Only its end is missing.
    case addEnd
    /// So many bytes at the end are no record.
    case cut(Int)

    /// Judges the last bytes of a file.
    init(_ tail: [UInt8]) {
        guard let last = tail.last, last != 0x0A else {
            self = .none
            return
        }
        let rest = tail[(tail.lastIndex(of: 0x0A).map { $0 + 1 } ?? 0)...]
        self = StoredRecord(line: rest) == nil ? .cut(rest.count) : .addEnd
    }
}

/// What a new run must know of the files of earlier ones.
extension LogFolder {
    /// How much of the end of a file is read at a time, in bytes. Lines are much shorter.
    private static let piece = 1 << 16

    /// Repairs the end of the newest file. Returns how many bytes were removed.
    /// - Throws: `permission`, `cannotOpen`.
    public func repair() throws(DockError) -> Int {
        guard let day = try days().keys.max() else { return 0 }
        let descriptor = open(day, O_RDWR)
        guard descriptor >= 0 else { throw failure("open \(Self.name(of: day))", errno) }
        defer { close(descriptor) }
        var removed = 0
        while true {
            let (tail, size) = Self.tail(of: descriptor)
            switch TornTail(tail) {
            case .none: return removed
            case .addEnd:
                guard pwrite(descriptor, "\n", 1, off_t(size)) == 1 else { throw failure("repair", errno) }
                return removed
            case .cut(let count):
                guard ftruncate(descriptor, off_t(size - count)) == 0 else { throw failure("repair", errno) }
                removed += count
            }
        }
    }

    /// Returns the last record, or nil if there is none that can be read.
    public func last() throws(DockError) -> StoredRecord? {
        // The newest file may still be empty.
        for day in try days().keys.sorted().reversed() {
            let descriptor = open(day, O_RDONLY)
            guard descriptor >= 0 else { throw failure("open \(Self.name(of: day))", errno) }
            defer { close(descriptor) }
            let lines = Self.tail(of: descriptor).bytes.split(separator: 0x0A)
            if let last = lines.reversed().lazy.compactMap({ StoredRecord(line: $0) }).first { return last }
        }
        return nil
    }

    private static func tail(of descriptor: Int32) -> (bytes: [UInt8], size: Int) {
        var status = stat()
        fstat(descriptor, &status)
        let size = Int(status.st_size), start = max(0, size - piece)
        var bytes = [UInt8](repeating: 0, count: size - start)
        let count = pread(descriptor, &bytes, bytes.count, off_t(start))
        return (Array(bytes.prefix(max(0, count))), size)
    }
}
