internal import Geometry

/// When a stage is given its next picture, and how long it took: never two at once, and no more than it was asked for.
struct StagePace: Sendable {
    /// The time between two pictures at least, seconds.
    private let period: Seconds
    /// What the stage said of its own pictures; nil: nothing.
    var declared: Seconds?
    /// The next picture is not handed out before.
    private(set) var due: Seconds = -.infinity
    private var arrival: Seconds?
    private var lastAnswer: Seconds?
    private var seen: Seconds?
    private var recent: [Seconds] = []

    /// How long pictures took, seconds.
    struct Latency: Sendable, Equatable {
        var median: Seconds, p95: Seconds
    }

    /// `framesPerSecond` above 0; infinite: as fast as it goes.
    init(framesPerSecond: Double) { period = framesPerSecond > 0 ? 1 / framesPerSecond : 0 }

    /// Whether a picture is being looked at.
    var isWaiting: Bool { arrival != nil }

    /// The stage begins anew.
    mutating func forget() { (arrival, lastAnswer, seen, declared) = (nil, nil, nil, nil) }

    /// It goes on after a rest, which says nothing of its pace.
    mutating func wake() { lastAnswer = nil }

    /// A picture that was there since `arrival` was given to the stage.
    mutating func handedOut(arrival: Seconds, now: Seconds) {
        // One that waited for the stage to be free did not wait for us.
        self.arrival = max(arrival, lastAnswer ?? arrival)
        guard period > 0 else { return }
        // A cap on the mean: a picture that came late does not move all that follow.
        due = max(due + period, now + period / 2)
        if due - now > period { due = now + period }
    }

    /// The stage has answered; how long the last pictures took, nil: it was given nothing.
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

    /// After so long without a line, something is wrong with the stage, seconds.
    func silence(isFed: Bool) -> Seconds {
        // One picture: a network that is loaded or warmed up only then takes its time.
        if isFed { return 5 }
        // What a detector says of itself must not switch its watchdog off.
        return min(max(1, 10 * max(declared ?? 0, seen ?? 0.5)), 30)
    }
}
