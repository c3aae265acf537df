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

    /// The most files with a day in the future that are looked at.
    private static let mostFuture = 8

    /// The files of which one was written last, the most probable one first. Files with a day in the future were
    /// written when the clock was wrong, perhaps a moment ago.
    private func newest(_ today: Day) throws(DockError) -> [Day] {
        let days = Day.inOrderOfWriting(try days().keys, today: today).reversed()
        return days.filter { !$0.isAfter(today) } + days.filter { $0.isAfter(today) }.prefix(Self.mostFuture)
    }

    /// Repairs the end of the file that was written last. Returns how many bytes were removed.
    /// - Throws: `permission`, `cannotOpen`.
    public func repair(today: Day) throws(DockError) -> Int {
        let newest = try newest(today)
        var removed = 0
        for day in newest where day == newest.first || day.isAfter(today) { removed += try repair(day) }
        return removed
    }

    private func repair(_ day: Day) throws(DockError) -> Int {
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
    public func last(today: Day) throws(DockError) -> StoredRecord? {
        var last: StoredRecord?
        for day in try newest(today) {
            // The newest file may still be empty, so that an older one has the last record.
            guard last == nil || day.isAfter(today), let record = try lastRecord(of: day) else { continue }
            // The numbers grow, whatever the clock does.
            if record.order > last?.order ?? .min { last = record }
        }
        return last
    }

    private func lastRecord(of day: Day) throws(DockError) -> StoredRecord? {
        let descriptor = open(day, O_RDONLY)
        guard descriptor >= 0 else { throw failure("open \(Self.name(of: day))", errno) }
        defer { close(descriptor) }
        let lines = Self.tail(of: descriptor).bytes.split(separator: 0x0A)
        return lines.reversed().lazy.compactMap { StoredRecord(line: $0) }.first
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
