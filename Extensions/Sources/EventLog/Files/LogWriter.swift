internal import Geometry
internal import Glibc

/// Appends lines to the file of their day: each whole line with one write, or none of it.
final class LogWriter {
    /// Writes bytes to a descriptor, as write(2) does.
    typealias Put = @Sendable (Int32, [UInt8]) -> Int
    /// Brings the bytes of a descriptor to the disk, as fdatasync(2) does.
    typealias Flush = @Sendable (Int32) -> Int32

    /// Records whose lines were written, but which the disk may have lost, and why.
    struct Doubt: Sendable, Equatable {
        var records: Int
        var reason: String
    }

    /// The longest time that a line may wait for the disk, in seconds.
    static let patience: Seconds = 5

    private let folder: LogFolder
    private let put: Put
    private let flush: Flush
    private var day: Day?
    private var descriptor: Int32 = -1
    /// Since when lines wait for the disk, CLOCK_MONOTONIC.
    private var unsynced: Seconds?
    /// The records in them.
    private var waiting = 0
    /// Whether the disk has refused lines, and has taken none since.
    private var isDoubtful = false
    private var doubt: Doubt?

    init(
        _ folder: LogFolder, put: @escaping Put = { Glibc.write($0, $1, $1.count) },
        flush: @escaping Flush = { fdatasync($0) }
    ) {
        (self.folder, self.put, self.flush) = (folder, put, flush)
    }

    deinit { if descriptor >= 0 { close(descriptor) } }

    /// Appends a line. Returns why it could not be written, or nil. Afterwards, `takeDoubt` may name other lines.
    func append(_ line: LogLine, now: Seconds) -> String? {
        // A person may delete the file, even while the line is written. The line then goes to a new one.
        for _ in 0..<2 {
            if isDeleted { finish() }
            if day != line.day || descriptor < 0 {
                guard open(line.day) else { return Self.reason }
            }
            if let failure = write(line.bytes) { return failure }
            guard isDeleted else { break }
        }
        unsynced = unsynced ?? now
        guard line.isUrgent || isDoubtful else {
            waiting += line.records
            synchronise(now: now)
            return nil
        }
        // A disk that has refused lines must show with each one that it takes them again.
        return synchronise()
    }

    /// Brings waiting lines to the disk, if they have waited long enough.
    func synchronise(now: Seconds) {
        if let unsynced, now - unsynced >= Self.patience { _ = synchronise() }
    }

    /// Brings all lines to the disk, and closes the file.
    func finish() {
        _ = synchronise()
        if descriptor >= 0 { close(descriptor) }
        (descriptor, day) = (-1, nil)
    }

    /// Returns the records that the disk may have lost since the last time, or nil if there are none.
    func takeDoubt() -> Doubt? {
        defer { doubt = nil }
        return doubt
    }

    /// Returns why the disk did not take the lines, or nil if it did. Those that waited are then in doubt: the system
    /// does not try them again.
    private func synchronise() -> String? {
        guard unsynced != nil, descriptor >= 0 else { return nil }
        defer { (unsynced, waiting) = (nil, 0) }
        guard flush(descriptor) != 0 else {
            isDoubtful = false
            return nil
        }
        let reason = Self.reason
        isDoubtful = true
        if waiting > 0 { doubt = Doubt(records: waiting + (doubt?.records ?? 0), reason: reason) }
        return reason
    }

    private func open(_ new: Day) -> Bool {
        finish()
        descriptor = folder.open(new, O_WRONLY | O_APPEND | O_CREAT)
        guard descriptor >= 0 else { return false }
        day = new
        folder.synchronise()
        return true
    }

    private var isDeleted: Bool {
        var status = stat()
        return descriptor >= 0 && fstat(descriptor, &status) == 0 && status.st_nlink == 0
    }

    private func write(_ bytes: [UInt8]) -> String? {
        var before = stat()
        guard fstat(descriptor, &before) == 0 else { return Self.reason }
        guard before.st_mode & S_IFMT == S_IFREG else { return "it is not a regular file" }
        while true {
            let count = put(descriptor, bytes)
            if count == bytes.count { return nil }
            if count < 0, errno == EINTR { continue }
            let reason = count < 0 ? Self.reason : String(cString: strerror(ENOSPC))
            // The next line must not continue half a line.
            if count > 0, ftruncate(descriptor, before.st_size) != 0 { finish() }
            return reason
        }
    }

    private static var reason: String { String(cString: strerror(errno)) }
}
