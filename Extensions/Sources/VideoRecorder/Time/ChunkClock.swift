public import Geometry
internal import Glibc

/// One reading of the three clocks that a recording needs, in seconds.
public struct ClockReading: Sendable, Equatable {
    /// CLOCK_REALTIME: since 1970, UTC. A person or the network may set it.
    public var wall: Seconds
    /// CLOCK_MONOTONIC: the time of exposures. It stands still while the machine sleeps.
    public var monotonic: Seconds
    /// CLOCK_BOOTTIME: as CLOCK_MONOTONIC, but it goes on while the machine sleeps.
    public var boot: Seconds

    /// Creates a reading.
    public init(wall: Seconds, monotonic: Seconds, boot: Seconds) {
        (self.wall, self.monotonic, self.boot) = (wall, monotonic, boot)
    }

    /// Reads the clocks. The wall clock is read between two readings of the monotonic one, so that a pause of this
    /// thread changes their distance by half of it at most.
    public static func now() -> ClockReading {
        let before = read(CLOCK_MONOTONIC), wall = read(CLOCK_REALTIME)
        let boot = read(CLOCK_BOOTTIME), after = read(CLOCK_MONOTONIC)
        return ClockReading(wall: wall, monotonic: (before + after) / 2, boot: boot)
    }

    private static func read(_ clock: clockid_t) -> Seconds {
        var time = timespec()
        clock_gettime(clock, &time)
        return Seconds(time.tv_sec) + Seconds(time.tv_nsec) / 1e9
    }
}

/// What the wall clock showed when a chunk began, and with it the date of every exposure of the chunk. Pure.
///
/// The wall clock is read once for a chunk. So times in a chunk are as exact as those of the exposures, and a clock
/// that is set meanwhile does not tear the chunk.
public struct ChunkClock: Sendable, Equatable {
    /// Why dates of a chunk no longer hold.
    public enum Step: Sendable, Equatable {
        /// The wall clock was set, by these seconds; above 0: forward.
        case set(by: Seconds)
        /// The machine has slept for these seconds.
        case slept(Seconds)
    }

    /// Smaller changes are corrections of a clock that runs well (1 s).
    public static let tolerance: Seconds = 1
    /// 2024-01-01, UTC. A machine without a clock of its own starts in the past, and shows an earlier date until the
    /// network corrects it.
    static let firstPlausible: Seconds = 1_704_067_200

    /// Whether a date can be right, in milliseconds since 1970.
    static func isPlausible(_ date: Int) -> Bool { Double(date) >= firstPlausible * 1000 }

    private let reading: ClockReading

    /// Creates the clock of a chunk that begins now.
    public init(_ reading: ClockReading) { self.reading = reading }

    /// Whether the date can be right.
    public var isPlausible: Bool { reading.wall >= Self.firstPlausible }

    /// Returns the date of an exposure (CLOCK_MONOTONIC), in milliseconds since 1970; 0 if it is out of range.
    public func milliseconds(of exposure: Seconds) -> Int {
        let wall = (reading.wall + (exposure - reading.monotonic)) * 1000
        guard wall.isFinite, wall > 0, wall < Double(ChunkName.latest) else { return 0 }
        return Int(wall.rounded())
    }

    /// Returns what has happened to the dates since the chunk began, or nil if they still hold.
    public func step(to now: ClockReading) -> Step? {
        let asleep = (now.boot - now.monotonic) - (reading.boot - reading.monotonic)
        if asleep > Self.tolerance { return .slept(asleep) }
        let set = (now.wall - now.boot) - (reading.wall - reading.boot)
        return abs(set) > Self.tolerance ? .set(by: set) : nil
    }
}
