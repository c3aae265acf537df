internal import CPosix
internal import Geometry
internal import PictureShare
internal import Processes

/// Assembles frames from what a capture program writes: the pixels of a frame, and its time, which arrives separately.
struct FrameAssembly {
    /// Since when the frame has been complete and waits for its time, or nil if it does not wait.
    private(set) var completeAt: Seconds?
    private var times = FrameTimes()
    private let ledger: FrameLedger
    private let copy: FrameLedger.Copy
    private var pool: FramePool?
    /// The frame that is being read.
    private var memory: FrameMemory?
    private let outlet: PictureOutlet
    private var filled = 0
    private var magnifier = PictureCrop()
    /// The number of frames in a row without a time.
    private var timeless = 0

    /// The longest wait from the pixels of a frame to its time, in seconds.
    static let longestWait: Seconds = 0.5
    /// The number of frames in a row without a time after which the program is faulty.
    private static let mostTimeless = 3

    init(_ ledger: FrameLedger, _ copy: FrameLedger.Copy, outlet: PictureOutlet) {
        (self.ledger, self.copy, self.outlet) = (ledger, copy, outlet)
    }

    /// The size of a frame, in pixels. It is nil until the size is known, and until then pixels have no meaning.
    var size: (width: Int, height: Int)? { times.size }

    /// The bytes of a frame, or nil if unknown.
    var byteCount: Int? { size.map { outlet.format.byteCount(width: $0.width, height: $0.height) } }

    /// Whether a part of a frame was read.
    var isBegun: Bool { memory != nil }

    /// When the complete frame is dropped, or nil if none waits.
    var deadline: Seconds? { completeAt.map { $0 + Self.longestWait } }

    /// Prepares for a restart of the program.
    mutating func restart() {
        times = FrameTimes()
        timeless = 0
    }

    /// Processes lines with times.
    mutating func feedTimes(_ bytes: UnsafeRawBufferPointer) throws(FrameTimes.Failure) { try times.feed(bytes) }

    /// Returns whether the frame size is new. If so, memory for frames of that size is available from now on.
    mutating func adoptNewSize() -> Bool {
        guard let byteCount, pool?.size != byteCount else { return false }
        pool = FramePool(size: byteCount)
        return true
    }

    /// Reads pixels once. Returns false if there were none.
    mutating func readPixels(_ pipe: inout ChildPipe) -> Bool {
        guard let memory = memory ?? begin() else { return false }
        let pixels = memory.pixels
        let count = pipe.read(into: UnsafeMutableRawBufferPointer(rebasing: pixels[filled...]))
        guard count > 0 else { return false }
        filled += count
        if filled == pixels.count { completeAt = cposix_monotonic_now() }
        return true
    }

    /// Begins the next frame. One whose middle will be cut out is read into memory of this process.
    private mutating func begin() -> FrameMemory? {
        guard let pool, let size else { return nil }
        let new: FrameMemory = ledger.crop > 1 ? .own(pool.take(), pool) : place(pool, size)
        (memory, filled) = (new, 0)
        return new
    }

    /// Finds memory for a frame: a slot of the share if other processes read, so that nothing is copied.
    private func place(_ pool: FramePool, _ size: (width: Int, height: Int)) -> FrameMemory {
        guard let writer = outlet.writer(width: size.width, height: size.height), let slot = writer.take() else {
            return .own(pool.take(), pool)
        }
        return .shared(slot, writer)
    }

    /// Returns the memory with the middle of a frame, scaled to the size of the frame.
    private mutating func magnify(_ memory: FrameMemory, _ size: (width: Int, height: Int), by factor: Double)
        -> FrameMemory
    {
        guard factor > 1, let pool else { return memory }
        let scaled = place(pool, size)
        magnifier.magnify(
            UnsafeRawBufferPointer(memory.pixels), into: scaled.pixels, format: outlet.format, width: size.width,
            height: size.height, by: factor)
        memory.giveBack()
        return scaled
    }

    /// Returns the complete frame if its time is known.
    mutating func next() -> CameraFrame? {
        guard let arrival = completeAt, let memory, let size, let time = times.next() else { return nil }
        (self.memory, completeAt, timeless) = (nil, nil, 0)
        let entry = ledger.entry(time: time, arrival: arrival, copy)
        return CameraFrame(
            magnify(memory, size, by: entry.crop), sequence: entry.sequence, exposure: entry.exposure,
            arrival: arrival, isEstimated: ledger.isEstimated ?? true, width: size.width, height: size.height,
            optics: entry.optics)
    }

    /// Drops the complete frame if its time is overdue. The time is also dropped when it arrives.
    /// - Returns: true if the program is faulty, because this has happened to three frames in a row.
    mutating func dropTimeless(now: Seconds) -> Bool {
        guard let completeAt, now - completeAt >= Self.longestWait else { return false }
        self.completeAt = nil
        filled = 0
        times.skip()
        timeless += 1
        return timeless >= Self.mostTimeless
    }

    /// Discards the frame that is being read.
    mutating func discard() {
        completeAt = nil
        memory?.giveBack()
        memory = nil
    }
}
