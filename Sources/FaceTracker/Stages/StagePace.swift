internal import Geometry

/// Decides when a stage gets its next frame, and measures how long it took: one frame at a time, at no more than the
/// requested rate.
struct StagePace: Sendable {
    /// The minimum time between two frames, in seconds.
    private let period: Seconds
    /// The frame period from the stage's hello, or nil if it gave none.
    var declared: Seconds?
    /// The time at which the next frame is handed out, or later.
    private(set) var due: Seconds = -.infinity
    private var arrival: Seconds?
    private var lastAnswer: Seconds?
    private var seen: Seconds?
    private var recent: [Seconds] = []

    /// The time per frame, in seconds.
    struct Latency: Sendable, Equatable {
        var median: Seconds, p95: Seconds
    }

    /// Creates a pace. `framesPerSecond` is above 0, and infinite for as fast as possible.
    init(framesPerSecond: Double) { period = framesPerSecond > 0 ? 1 / framesPerSecond : 0 }

    /// Whether a frame is being processed.
    var isWaiting: Bool { arrival != nil }

    /// Forgets everything, because the stage restarts.
    mutating func forget() { (arrival, lastAnswer, seen, declared) = (nil, nil, nil, nil) }

    /// Records that the stage resumes after a rest, which says nothing about its pace.
    mutating func wake() { lastAnswer = nil }

    /// Records that a frame with this `arrival` was given to the stage.
    mutating func handedOut(arrival: Seconds, now: Seconds) {
        // The time for which a frame waited for a busy stage does not count.
        self.arrival = max(arrival, lastAnswer ?? arrival)
        guard period > 0 else { return }
        // This limits the mean rate: a late frame does not delay all the following ones.
        due = max(due + period, now + period / 2)
        if due - now > period { due = now + period }
    }

    /// Records that the stage has answered. Returns the time per frame of the last frames, or nil if it was given none.
    mutating func answered(now: Seconds) -> Latency? {
        if let lastAnswer {
            let gap = now - lastAnswer
            seen = seen.map { $0 + 0.1 * (gap - $0) } ?? gap
        }
        lastAnswer = now
        guard let arrival else { return nil }
        self.arrival = nil
        if recent.count == 64 { recent.removeFirst() }
        recent.append(now - arrival)
        let sorted = recent.sorted()
        return Latency(median: sorted[sorted.count / 2], p95: sorted[sorted.count * 95 / 100])
    }

    /// Returns the silence after which the stage counts as faulty, in seconds.
    func silence(isFed: Bool) -> Seconds {
        // This is the limit for one frame. A network that is loaded or warmed up with the first frame takes longer.
        if isFed { return 5 }
        // A declared period must not disable the watchdog.
        return min(max(1, 10 * max(declared ?? 0, seen ?? 0.5)), 30)
    }
}
