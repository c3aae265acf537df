internal import Geometry

/// The loop's counters and durations. No decision depends on them.
struct TurnMetrics {
    /// The shortest time between computations of the latency figures, in seconds. Each looks through some thousand
    /// bins.
    static let figuresInterval: Seconds = 0.5
    /// The lateness above which a wake-up counts as late, in seconds.
    static let lateWake: Seconds = 0.02

    /// CLOCK_MONOTONIC within a turn. No decision depends on it: a turn's time is its only clock, so that the decisions
    /// of a recorded session can be repeated.
    let clock: () -> Seconds
    var counters = LoopCounters()
    /// The duration of each stage, from the exposure to the measured motion.
    var meter: LatencyMeter
    /// The time from the arrival of a frame to the set-point that follows it.
    private(set) var latency = LatencyHistogram()
    private var wakes = LatencyTally()
    private var figures: [StageFigures] = [], lateness = StageFigures.Spread()
    private var figuresAt: Seconds = -.infinity
    /// The arrival time of the first frame that no set-point has followed yet.
    private var unanswered: Seconds?

    init(meter: LatencyMeter, clock: @escaping () -> Seconds) {
        self.meter = meter
        self.clock = clock
    }

    /// Notes how many seconds after its deadline the timer woke the loop.
    mutating func woke(late: Seconds) {
        wakes.add(late)
        if late > Self.lateWake { counters.lateWakes += 1 }
    }

    /// Records that a frame arrived.
    mutating func frameArrived(now: Seconds) { unanswered = unanswered ?? now }

    /// Records that the dock is at rest, so the last frame needs no set-point.
    mutating func rested() {
        unanswered = nil
        meter.rested()
    }

    /// Records that a set-point was written.
    mutating func wrote(_ velocity: PanTilt, at written: Seconds) {
        meter.written(velocity, at: written)
        guard let arrival = unanswered else { return }
        unanswered = nil
        latency.add(written - arrival)
    }

    /// Returns the latency figures, at most `figuresInterval` old.
    mutating func latest(now: Seconds) -> (stages: [StageFigures], lateness: StageFigures.Spread) {
        if now - figuresAt > Self.figuresInterval {
            figuresAt = now
            figures = meter.figures
            lateness = wakes.whole
        }
        return (figures, lateness)
    }
}
