/// Decides when to ask whether the server is there, and when it is not, as a pure value.
struct LivenessWatch: Sendable, Equatable {
    enum Verdict: Sendable, Equatable { case none, ping, lost }

    private let pingEvery: Double, lostAfter: Double
    private var lastSign: Double
    private var nextPing: Double

    init(pingEvery: Double, lostAfter: Double, now: Double) {
        (self.pingEvery, self.lostAfter) = (max(0.001, pingEvery), max(0.001, lostAfter))
        (lastSign, nextPing) = (now, now + self.pingEvery)
    }

    /// Records a sign of life: a byte, or a fragment that the network took.
    mutating func heard(at time: Double) { lastSign = max(lastSign, time) }

    /// When `due` must be called.
    var deadline: Double { min(nextPing, lastSign + lostAfter) }

    mutating func due(now: Double) -> Verdict {
        // If this call is late, this side was busy or asleep, and could not hear.
        if now - deadline > lostAfter / 2 { lastSign = now }
        if now >= lastSign + lostAfter { return .lost }
        guard now >= nextPing else { return .none }
        nextPing = now + pingEvery
        return .ping
    }
}
