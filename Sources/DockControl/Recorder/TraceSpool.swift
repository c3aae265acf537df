internal import Synchronization

/// A ring of bytes between two threads, which passes the records of the loop's thread to the thread that writes them to
/// a disk.
///
/// The loop never waits for it: if a slow disk lets the ring fill up, records are left out, and a record says how many.
/// One thread adds records, and one other thread takes them.
public final class TraceSpool: @unchecked Sendable {
    // Unchecked: each end belongs to one thread, and each byte between them to one side at a time, as the two counters
    // determine. `about` is set before the first record and read after it.

    /// The size of the ring, in bytes: more than a minute of a busy dock.
    public static let capacity = 1 << 20

    private let storage: UnsafeMutableRawBufferPointer
    /// The number of bytes added and taken since the beginning.
    private let written = Atomic<Int>(0), taken = Atomic<Int>(0)
    private var lost = 0
    private var beginning: TraceAbout?

    /// Creates an empty spool.
    /// - Parameter capacity: bytes, at least 4096.
    public init(capacity: Int = TraceSpool.capacity) {
        storage = .allocate(byteCount: max(capacity, 4096), alignment: 8)
        storage.initializeMemory(as: UInt8.self, repeating: 0)
    }

    deinit { storage.deallocate() }

    /// The initial state of the loop, or nil if it has not begun.
    public internal(set) var about: TraceAbout? {
        get { written.load(ordering: .acquiring) > 0 ? beginning : nil }
        set { if written.load(ordering: .relaxed) == 0 { beginning = newValue } }
    }

    /// Adds a complete record, on the loop's thread.
    func put(_ record: UnsafeRawBufferPointer) {
        let end = written.load(ordering: .relaxed)
        let room = storage.count - (end - taken.load(ordering: .acquiring))
        let mark = lost > 0 ? FlightRecorder.head + 4 : 0
        guard record.count + mark <= room else {
            lost += 1
            return
        }
        var next = end
        if lost > 0 {
            withUnsafeTemporaryAllocation(byteCount: mark, alignment: 8) { gap in
                gap.copyMemory(from: UnsafeRawBufferPointer(rebasing: record[..<FlightRecorder.head]))
                gap.storeBytes(of: UInt16(mark), as: UInt16.self)
                gap[2] = TraceKind.gap.rawValue
                gap[3] = 0
                gap.storeBytes(of: Int32(clamping: lost), toByteOffset: FlightRecorder.head, as: Int32.self)
                copy(UnsafeRawBufferPointer(gap), to: next)
            }
            next += mark
            lost = 0
        }
        copy(record, to: next)
        written.store(next + record.count, ordering: .releasing)
    }

    private func copy(_ bytes: UnsafeRawBufferPointer, to place: Int) {
        let at = place % storage.count, first = min(bytes.count, storage.count - at)
        storage[at...].copyBytes(from: bytes[..<first])
        if first < bytes.count { storage.copyBytes(from: bytes[first...]) }
    }

    /// Takes all records, in the format of `TraceRecord.all(in:)`, on the writer's thread.
    public func take() -> [UInt8] {
        let from = taken.load(ordering: .relaxed), to = written.load(ordering: .acquiring)
        guard to > from else { return [] }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(to - from)
        let at = from % storage.count, first = min(to - from, storage.count - at)
        bytes.append(contentsOf: storage[at..<at + first])
        if first < to - from { bytes.append(contentsOf: storage[..<(to - from - first)]) }
        taken.store(to, ordering: .releasing)
        return bytes
    }
}
