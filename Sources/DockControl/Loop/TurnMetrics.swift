internal import Geometry

/// What the loop counts and times. No decision follows from it.
struct TurnMetrics {
    /// Latency figures are worked out no more often than this, seconds: that looks through some thousand bins.
    static let figuresInterval: Seconds = 0.5
    /// A wake-up later than this is counted as late, seconds.
    static let lateWake: Seconds = 0.02

    var counters = LoopCounters()
    /// What each stage takes, from the exposure to the measured motion.
    var meter: LatencyMeter
    /// From the arrival of a frame to the set-point that follows it.
    private(set) var latency = LatencyHistogram()
    private var wakes = LatencyTally()
    private var figures: [StageFigures] = [], lateness = StageFigures.Spread()
    private var figuresAt: Seconds = -.infinity
    /// Arrival of the last frame that no set-point has followed yet.
    private var unanswered: Seconds?

    init(meter: LatencyMeter) { self.meter = meter }

    /// The timer woke the loop so many seconds after the deadline.
    mutating func woke(late: Seconds) {
        wakes.add(late)
        if late > Self.lateWake { counters.lateWakes += 1 }
    }

    /// A frame arrived.
    mutating func frameArrived(now: Seconds) { unanswered = unanswered ?? now }

    /// The dock is at rest: the last frame needs no set-point.
    mutating func rested() {
        unanswered = nil
        meter.rested()
    }

    /// A set-point was written.
    mutating func wrote(_ velocity: PanTilt, at written: Seconds) {
        meter.written(velocity, at: written)
        guard let arrival = unanswered else { return }
        unanswered = nil
        latency.add(written - arrival)
    }

    /// The latency figures, at most `figuresInterval` old.
    mutating func latest(now: Seconds) -> (stages: [StageFigures], lateness: StageFigures.Spread) {
        if now - figuresAt > Self.figuresInterval {
            figuresAt = now
            figures = meter.figures
            lateness = wakes.whole
        }
        return (figures, lateness)
    }
}
