internal import CPosix
internal import Geometry
internal import Processes

/// Assembles frames from what a capture program writes: the pixels of a frame, and its time, which arrives separately.
struct FrameAssembly {
    /// Since when the frame has been complete and waits for its time, or nil if it does not wait.
    private(set) var completeAt: Seconds?
    private var times = FrameTimes()
    private var clock: ExposureClock
    private var pool: FramePool?
    /// The frame that is being read.
    private var memory: UnsafeMutableRawBufferPointer?
    private var filled = 0
    private var sequence = 0
    /// The number of frames in a row without a time.
    private var timeless = 0

    /// The longest wait from the pixels of a frame to its time, in seconds.
    static let longestWait: Seconds = 0.5
    /// The number of frames in a row without a time after which the program is faulty.
    private static let mostTimeless = 3

    init(clock: ExposureClock) { self.clock = clock }

    /// The size of a frame, in pixels. It is nil until the size is known, and until then pixels have no meaning.
    var size: (width: Int, height: Int)? { times.size }

    /// The bytes of a frame, or nil if unknown.
    var byteCount: Int? { size.map { $0.width * $0.height * 3 } }

    /// Whether a part of a frame was read.
    var isBegun: Bool { memory != nil }

    /// Whether the exposures are estimated from the arrivals, or nil if unknown.
    var isEstimated: Bool? { clock.isEstimated }

    /// When the complete frame is dropped, or nil if none waits.
    var deadline: Seconds? { completeAt.map { $0 + Self.longestWait } }

    /// Prepares for a restart of the program.
    mutating func restart(clock: ExposureClock) {
        self.clock = clock
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
        guard let pool else { return false }
        let memory: UnsafeMutableRawBufferPointer
        if let begun = self.memory {
            memory = begun
        } else {
            memory = pool.take()
            (self.memory, filled) = (memory, 0)
        }
        let count = pipe.read(into: UnsafeMutableRawBufferPointer(rebasing: memory[filled...]))
        guard count > 0 else { return false }
        filled += count
        if filled == memory.count { completeAt = cposix_monotonic_now() }
        return true
    }

    /// Returns the complete frame if its time is known.
    mutating func next() -> CameraFrame? {
        guard let arrival = completeAt, let memory, let pool, let size, let time = times.next() else { return nil }
        (self.memory, completeAt, timeless) = (nil, nil, 0)
        let exposure = clock.exposure(time: time, arrival: arrival)
        defer { sequence += 1 }
        return CameraFrame(
            memory, of: pool, sequence: sequence, exposure: exposure, arrival: arrival,
            isEstimated: clock.isEstimated ?? true, width: size.width, height: size.height)
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
        if let memory, let pool { pool.give(memory) }
        memory = nil
    }
}
