public import Geometry

/// The last half minute of a dock in a ring of bytes: wire, rectangles, poses, decisions, commands, states, and the
/// other inputs of decisions (`TraceInput`). It contains no images.
///
/// Its memory is allocated at the start and used by one thread, the loop's. Recording neither allocates nor blocks, and
/// drops the oldest records when it needs room. Readers get a copy.
public final class FlightRecorder {
    /// The size of the ring, in bytes. Half a minute at 50 reports, 50 set-points and 30 frames a second needs about
    /// two thirds of it.
    public static let capacity = 768 << 10
    /// The age above which records are left out of a copy, in seconds.
    public static let lifetime: Seconds = 30
    /// The largest content of one record, in bytes; longer content is split into several records.
    static let longest = 1024
    /// The size of a record's head, in bytes: size (16 bits), kind, flag, time (64 bits).
    static let head = 12

    /// CLOCK_MONOTONIC of the next records; the loop sets it once a turn.
    public var now: Seconds = 0
    /// The number of records dropped to make room, since the beginning.
    public private(set) var dropped = 0
    /// The number of stored records.
    public private(set) var count = 0

    /// The initial state of the loop, for the header of the written trace.
    var about: TraceAbout?
    /// A further receiver of everything that is recorded, or nil if there is none.
    var spool: TraceSpool? { didSet { spool?.about = about } }
    /// The last record, which has not been passed on yet, because the code that opened it is still filling it.
    private var unfinished: Range<Int>?

    private let storage: UnsafeMutableRawBufferPointer
    /// The oldest record, the place of the next one and, while the ring is wrapped, the end of the older part.
    private var oldest = 0, next = 0, limit = 0
    private var isWrapped = false

    /// Creates an empty recorder.
    /// - Parameter capacity: bytes; at least 4096.
    public init(capacity: Int = FlightRecorder.capacity) {
        storage = .allocate(byteCount: max(capacity, 4096), alignment: 8)
        // Initialised here, so that recording does not cause page faults later.
        storage.initializeMemory(as: UInt8.self, repeating: 0)
    }

    deinit { storage.deallocate() }

    /// Makes room for a record with `size` bytes after its head, writes the head, and returns the buffer for the bytes.
    func open(_ kind: TraceKind, flag: UInt8 = 0, size: Int) -> UnsafeMutableRawBufferPointer {
        let whole = Self.head + size
        handOn()
        if next + whole > storage.count {
            // No record crosses the end: the remaining older part is dropped, and the ring continues at its beginning.
            while isWrapped { drop() }
            limit = next
            next = 0
            isWrapped = count > 0
            if !isWrapped { oldest = 0 }
        }
        while isWrapped, next + whole > oldest { drop() }
        let place = UnsafeMutableRawBufferPointer(rebasing: storage[next..<next + whole])
        place.storeBytes(of: UInt16(whole), as: UInt16.self)
        place[2] = kind.rawValue
        place[3] = flag
        place.storeBytes(of: now, toByteOffset: 4, as: Double.self)
        if count == 0 { oldest = next }
        if spool != nil { unfinished = next..<next + whole }
        next += whole
        count += 1
        return UnsafeMutableRawBufferPointer(rebasing: place[Self.head...])
    }

    /// Passes the complete last record to the spool, if there is one. The loop calls this at the end of a turn.
    func handOn() {
        guard let place = unfinished else { return }
        unfinished = nil
        spool?.put(UnsafeRawBufferPointer(rebasing: storage[place]))
    }

    private func drop() {
        guard count > 0 else {
            isWrapped = false
            return
        }
        oldest += Int(storage.loadUnaligned(fromByteOffset: oldest, as: UInt16.self))
        count -= 1
        dropped += 1
        if isWrapped, oldest >= limit {
            oldest = 0
            isWrapped = false
        }
    }

    /// Returns a copy of all records, oldest first, for other threads.
    public func copy(cause: String) -> TraceCopy {
        var bytes: [UInt8] = []
        if count > 0 {
            let first = oldest..<(isWrapped ? limit : next), second = 0..<(isWrapped ? next : 0)
            bytes.reserveCapacity(first.count + second.count)
            bytes.append(contentsOf: storage[first])
            bytes.append(contentsOf: storage[second])
        }
        return TraceCopy(bytes: bytes, cause: cause, time: now, dropped: dropped, about: about)
    }
}

/// The contents of a recorder at one moment.
public struct TraceCopy: Sendable {
    let bytes: [UInt8]
    /// The cause of the copy: a fault's name, or `asked`.
    public let cause: String
    /// The time of the copy, CLOCK_MONOTONIC.
    public let time: Seconds
    /// The number of records dropped to make room since the start of the program.
    public let dropped: Int
    /// The initial state of the loop, or nil if the recorder did not belong to a loop.
    public let about: TraceAbout?
}
