public import DockTypes
public import Geometry
internal import Glibc

/// Which records to read.
public struct LogRange: Sendable, Equatable {
    /// The times, in seconds since 1970.
    public var since: Seconds, until: Seconds
    /// The names of the kinds; empty for all.
    public var kinds: Set<String> = []

    /// Creates a range of times.
    public init(since: Seconds = 0, until: Seconds = .infinity) { (self.since, self.until) = (since, until) }

    /// Whether a record is in it.
    public func includes(_ record: StoredRecord) -> Bool {
        (kinds.isEmpty || kinds.contains(record.kind)) && record.time.unix >= since && record.time.unix <= until
    }

    /// Whether the file of a day may have such records. Of files of other time zones, and after a clock that went back,
    /// the records may be a day off.
    func mayBe(in day: Day) -> Bool {
        Seconds(day.number + 2) * 86_400 >= since && Seconds(day.number - 2) * 86_400 <= until
    }
}

/// Reads records, in the order in which they were written, also while a program writes more.
public final class LogReader {
    /// The maximum length of a line, in bytes. Longer ones are no records.
    public static let longest = 1 << 16

    private let folder: LogFolder
    private let range: LogRange
    private let today: () -> Day
    private var day: Day?
    /// The file of the day, held open: a person may delete it, and another one may get its name and its number.
    private var descriptor: Int32 = -1
    /// Where the next line begins. Bytes without the end of their line are read again, because the log may replace them
    /// when it starts after a crash.
    private var offset = 0
    private var hasRest = false
    /// Whether the line at `offset` is the rest of one that is too long.
    private var isTooLong = false

    /// The number of lines that were no records.
    public private(set) var damaged = 0

    /// Creates a reader at the beginning of a range.
    /// - Parameter today: returns the present day. Files with a later one were written before the clock was set, and are
    ///   read first.
    public init(
        _ folder: LogFolder, _ range: LogRange, today: @escaping () -> Day = { LocalZone.system.today }
    ) {
        (self.folder, self.range, self.today) = (folder, range, today)
    }

    deinit { close() }

    /// Returns the next records, or none if all that exist have been read. More may exist later.
    /// - Throws: `permission`, `cannotOpen`.
    public func next() throws(DockError) -> [StoredRecord] {
        while true {
            // The list comes before the bytes: a file gets no more lines when there is a newer one.
            let later = later(try folder.days().keys.filter { range.mayBe(in: $0) })
            if let day, let lines = try read(day) {
                let records = lines.compactMap { record($0) }.filter(range.includes)
                if records.isEmpty { continue }
                return records
            }
            guard let next = later.first else { return [] }
            // The last line of the old file has no end.
            if hasRest, !isTooLong { damaged += 1 }
            close()
            day = next
        }
    }

    /// Returns the days whose files were written after the present one, the first one first.
    private func later(_ days: [Day]) -> [Day] {
        let ordered = Day.inOrderOfWriting(days, today: today())
        guard let day else { return ordered }
        // The file may have been deleted, so its place is found without it.
        let place = Day.inOrderOfWriting(ordered + [day], today: today()).firstIndex(of: day) ?? 0
        return ordered.dropFirst(place).filter { $0 != day }
    }

    /// Returns the next whole lines, or nil if there is none yet.
    private func read(_ day: Day) throws(DockError) -> [[UInt8]]? {
        while true {
            if descriptor < 0 { descriptor = folder.open(day, O_RDONLY) }
            guard descriptor >= 0 else {
                if errno == ENOENT { return nil }
                throw folder.failure("read \(LogFolder.name(of: day))", errno)
            }
            var status = stat(), bytes = [UInt8](repeating: 0, count: Self.longest)
            fstat(descriptor, &status)
            let count = pread(descriptor, &bytes, bytes.count, off_t(offset))
            guard count >= 0 else { throw folder.failure("read \(LogFolder.name(of: day))", errno) }
            if let lines = lines(bytes.prefix(count), isFull: count == bytes.count) { return lines }
            guard status.st_nlink == 0 else { return nil }
            // The file was deleted; a new one may have its name.
            close()
        }
    }

    private func close() {
        if descriptor >= 0 { Glibc.close(descriptor) }
        (descriptor, offset, hasRest, isTooLong) = (-1, 0, false, false)
    }

    private func lines(_ bytes: ArraySlice<UInt8>, isFull: Bool) -> [[UInt8]]? {
        hasRest = !bytes.isEmpty && bytes.last != 0x0A
        guard let end = bytes.lastIndex(of: 0x0A) else {
            guard isFull else { return nil }
            if !isTooLong { damaged += 1 }
            isTooLong = true
            offset += bytes.count
            return []
        }
        offset += end + 1
        let lines = bytes[..<end].split(separator: 0x0A, omittingEmptySubsequences: false).map(Array.init)
        defer { isTooLong = false }
        return isTooLong ? Array(lines.dropFirst()) : lines
    }

    private func record(_ line: [UInt8]) -> StoredRecord? {
        if line.isEmpty { return nil }
        let record = StoredRecord(line: line)
        if record == nil { damaged += 1 }
        return record
    }
}
