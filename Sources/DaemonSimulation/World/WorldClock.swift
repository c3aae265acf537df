internal import Geometry

/// The world's time, which advances evenly, and the host's clocks, which do not: CLOCK_MONOTONIC stands still while the
/// machine sleeps, and a person may set the time of day.
struct WorldClock {
    /// The host's clock at the start of the world. It is not zero, so that a time cannot pass for a duration.
    private static let epoch: Seconds = 1000
    /// The time of day then, seconds.
    private static let day: Seconds = 1.7e9

    /// The world's time, seconds.
    private(set) var time: Seconds = 0
    /// Until when the loop gets no CPU time, because the machine sleeps or the process is held; 0: it gets CPU time.
    private(set) var heldUntil: Seconds = 0
    /// How long the machine has slept, except for a sleep that lasts, seconds.
    private(set) var slept: Seconds = 0
    private var sleepsSince: Seconds?
    private var wallOffset: Seconds = 0

    /// CLOCK_MONOTONIC.
    var host: Seconds { Self.epoch + (sleepsSince ?? time) - slept }
    /// The time of day, seconds since 1970.
    var realtime: Seconds { Self.day + time + wallOffset }
    var isAsleep: Bool { sleepsSince != nil }
    /// Whether the loop gets no CPU time.
    var isHeld: Bool { heldUntil > 0 }

    mutating func advance(to time: Seconds) { self.time = time }

    /// The process is held for this time.
    mutating func hold(for duration: Seconds) { heldUntil = time + duration }

    /// The machine sleeps for this time.
    mutating func suspend(for duration: Seconds) { (heldUntil, sleepsSince) = (time + duration, time) }

    /// Ends a hold or a sleep whose time is over.
    mutating func release() {
        guard isHeld, time >= heldUntil else { return }
        heldUntil = 0
        wake()
    }

    /// Ends a sleep.
    mutating func wake() {
        guard let sleepsSince else { return }
        slept += time - sleepsSince
        self.sleepsSince = nil
    }

    /// A person sets the time of day.
    mutating func adjustWallClock(by step: Seconds) { wallOffset += step }
}
