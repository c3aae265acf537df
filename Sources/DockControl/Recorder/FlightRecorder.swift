public import Geometry

/// The last half minute of a dock in a ring of bytes: wire, rectangles, poses, decisions, commands, states, and what else the
/// decisions follow from (`TraceInput`). No pictures.
///
/// Its memory is had at once and touched by one thread, the loop's; recording neither allocates nor waits, and drops the
/// oldest when it needs room. What it holds is read from a copy.
public final class FlightRecorder {
    /// Bytes; half a minute at 50 reports, 50 set-points and 30 pictures a second needs about two thirds of it.
    public static let capacity = 768 << 10
    /// Older records are left out of a copy, seconds.
    public static let lifetime: Seconds = 30
    /// The most bytes that one record carries; longer ones are cut into several.
    static let longest = 1024
    /// Size (16 bits), kind, flag, time (64 bits).
    static let head = 12

    /// CLOCK_MONOTONIC of what is recorded next; the loop sets it once a turn.
    public var now: Seconds = 0
    /// Records that had to make room, since the beginning.
    public private(set) var dropped = 0
    /// Records that are there.
    public private(set) var count = 0

    /// How the loop began, for the header of what is written.
    var about: TraceAbout?
    /// Where everything goes as well; nil: nowhere.
    var spool: TraceSpool? { didSet { spool?.about = about } }
    /// The last record, which is not handed on yet: whoever opened it fills it.
    private var unfinished: Range<Int>?

    private let storage: UnsafeMutableRawBufferPointer
    /// The oldest record, the place for the next one, and, while the ring is wrapped, where the older part ends.
    private var oldest = 0, next = 0, limit = 0
    private var isWrapped = false

    /// An empty recorder.
    /// - Parameter capacity: bytes; at least 4096.
    public init(capacity: Int = FlightRecorder.capacity) {
        storage = .allocate(byteCount: max(capacity, 4096), alignment: 8)
        // Touched now, so that the kernel need not find the pages while something is recorded.
        storage.initializeMemory(as: UInt8.self, repeating: 0)
    }

    deinit { storage.deallocate() }

    /// Makes room for a record of so many bytes behind its head, writes the head, and returns where the bytes go.
    func open(_ kind: TraceKind, flag: UInt8 = 0, size: Int) -> UnsafeMutableRawBufferPointer {
        let whole = Self.head + size
        handOn()
        if next + whole > storage.count {
            // No record crosses the end: what is there of the older part goes, and the ring begins anew in front.
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

    /// What was recorded is whole: where everything is kept, it goes there. The loop calls it at the end of a turn.
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

    /// All that is there, the oldest first, for somebody else to read.
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

/// What a recorder held at a moment.
public struct TraceCopy: Sendable {
    let bytes: [UInt8]
    /// Why it was taken: a fault's name, or `asked`.
    public let cause: String
    /// When, CLOCK_MONOTONIC.
    public let time: Seconds
    /// Records that had made room since the start of the program.
    public let dropped: Int
    /// How the loop began; nil: it was no loop.
    public let about: TraceAbout?
}
