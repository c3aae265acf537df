internal import Geometry

/// The time of a simulation, which goes forward and ticks every millisecond.
struct TickClock: Sendable {
    /// Interval of the ticks, seconds.
    static let tick: Seconds = 0.001
    /// After a gap longer than this the simulation jumps, seconds. A host that slept this long has lost its rig anyway.
    static let longestGap: Seconds = 5
    /// The simulation goes on this long before the end of the gap, seconds.
    static let runUp: Seconds = 1

    private(set) var time: Seconds
    /// Number of ticks since the start, or since the last jump.
    private(set) var ticks = 0.0
    private var start: Seconds

    init(time: Seconds) { (self.time, start) = (time, time) }

    /// Time of the next tick.
    var next: Seconds { start + (ticks + 1) * Self.tick }

    /// Jumps over most of the time until `target` if that is too long to simulate. Returns whether it did.
    mutating func jump(toward target: Seconds) -> Bool {
        guard target - time > Self.longestGap else { return false }
        (start, ticks, time) = (target - Self.runUp, 0, target - Self.runUp)
        return true
    }

    /// Goes forward to a time before the next tick.
    mutating func advance(to target: Seconds) { time = max(time, target) }

    /// The next tick has been reached.
    mutating func count() { ticks += 1 }
}
