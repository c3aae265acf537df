internal import Geometry

/// A day in the life of a daemon.
extension Story {
    /// Hours in which two people come and go, and in every third minute something happens as in other stories; each minute ends with a
    /// word to go on. For what only shows after long: memory, clocks, counters.
    public static func soak(hours: Double, seed: UInt64) -> Story {
        let minutes = max(1, Int((hours * 60).rounded()))
        var all: [(at: Seconds, what: Happening)] = []
        for minute in 0..<minutes {
            let begin = Double(minute) * 60
            if minute % 3 == 0 {
                var teller = StoryTeller(seed: seed &+ UInt64(minute))
                all += teller.events(until: 40, hasDeadman: true, with: []).map { (begin + $0.at, $0.what) }
            }
            // A day is longer than a battery lasts.
            all.append((begin + 51, .battery(level: 0.9)))
            // Twice, for a latch that is let go of wants a moment.
            for (at, words) in [
                (52.0, "clear"), (54, "torque on"), (55, "clear"), (56, "limits reset"), (57, "mode system"),
            ] {
                all.append((begin + at, .words(words)))
            }
        }
        return Story(
            seed: seed, duration: Double(minutes) * 60,
            events: all.sorted { $0.at < $1.at }.enumerated().map { ($0.offset, $0.element.at, $0.element.what) })
    }
}
