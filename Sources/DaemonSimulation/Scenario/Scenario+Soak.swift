internal import Geometry

/// A long run of one daemon.
extension Scenario {
    /// Makes a scenario of hours in which two people come and go. Every third minute contains events as in other scenarios,
    /// and each minute ends with commands to continue. It exposes faults that only appear after a long time: memory,
    /// clocks, counters.
    public static func soak(hours: Double, seed: UInt64) -> Scenario {
        let minutes = max(1, Int((hours * 60).rounded()))
        var all: [(at: Seconds, what: ScenarioEvent)] = []
        for minute in 0..<minutes {
            let begin = Double(minute) * 60
            if minute % 3 == 0 {
                var teller = ScenarioGenerator(seed: seed &+ UInt64(minute))
                all += teller.events(until: 40, hasDeadman: true, with: []).map { (begin + $0.at, $0.what) }
            }
            // A day is longer than a battery lasts.
            all.append((begin + 51, .battery(level: 0.9)))
            // It is sent twice, because a released latch takes a moment.
            for (at, words) in [
                (52.0, "clear"), (54, "torque on"), (55, "clear"), (56, "limits reset"), (57, "mode system"),
            ] {
                all.append((begin + at, .words(words)))
            }
        }
        return Scenario(
            seed: seed, duration: Double(minutes) * 60,
            events: all.sorted { $0.at < $1.at }.enumerated().map { ($0.offset, $0.element.at, $0.element.what) })
    }
}
