internal import Geometry

/// Scenes of several events. They use a separate random sequence, so the rest of a scenario does not change.
extension ScenarioGenerator {
    mutating func scenes(until end: Seconds) -> [(at: Seconds, what: ScenarioEvent)] {
        var all: [(at: Seconds, what: ScenarioEvent)] = []
        if end > 6.6, chance(0.3) { all += overhead(from: between(0.4, max(0.5, end - 6.2))) }
        if chance(0.1) { all += silence(from: between(0.3, max(0.4, end - 3))) }
        if chance(0.05) { all += letGo(from: between(0.5, max(0.6, end - 3))) }
        return all
    }

    /// A person switches torque off, and then the handshake must be repeated.
    private mutating func letGo(from start: Double) -> [(at: Double, what: ScenarioEvent)] {
        let again: ScenarioEvent =
            chance(0.5)
            ? .reboot : chance(0.5) ? .mute(for: 1.5) : .unplug(afterBytes: 0, for: 0.5, reboots: chance(0.5))
        return [(start, .words("torque off")), (start + between(0.2, 1), again)]
    }

    /// A person walks about and is followed, and the detector sends nothing for a while.
    private mutating func silence(from start: Double) -> [(at: Double, what: ScenarioEvent)] {
        [
            (start, .person(0, isThere: true)), (start, .words("mode system")),
            (start + between(1.2, 2.6), .detectorStall(for: between(0.3, 1))),
        ]
    }

    /// The followed person climbs until they are above the head, stays there, and then is at another place.
    private mutating func overhead(from start: Double) -> [(at: Double, what: ScenarioEvent)] {
        [
            (start, .person(0, isThere: true)), (start, .person(1, isThere: false)),
            (start, .person(2, isThere: false)),
            (start + 0.05, .words("mode system")), (start + 0.6, .teleport(0)),
            (start + 1.8, .climb(0, to: .degrees(between(85, 85.5)), for: between(1.8, 2.4))),
            (start + 6, .teleport(0)),
        ]
    }
}
