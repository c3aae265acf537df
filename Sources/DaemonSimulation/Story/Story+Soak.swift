internal import Geometry

/// A day in the life of a daemon.
extension Story {
    /// Hours in which two people come and go, and every minute somebody wants something and lets it track again. For what only shows
    /// after long: memory, clocks, counters; what goes wrong is for the other stories.
    public static func soak(hours: Double, seed: UInt64) -> Story {
        let minutes = max(1, Int((hours * 60).rounded()))
        let wishes = [
            "animate yes", "orient 20 5 in 2", "tap 0.4 0.5", "framing left", "framing auto", "velocity 20 0 for 2",
            "home",
            "animate kapow", "speed 60", "status", "stop",
        ]
        var teller = StoryTeller(seed: seed)
        var all: [(at: Seconds, what: Happening)] = []
        for minute in 0..<minutes {
            let begin = Double(minute) * 60
            all.append((begin + teller.between(1, 40), .words(teller.pick(wishes))))
            all.append((begin + 55, .words("mode system")))
        }
        return Story(
            seed: seed, duration: Double(minutes) * 60,
            events: all.sorted { $0.at < $1.at }.enumerated().map { ($0.offset, $0.element.at, $0.element.what) })
    }
}
