internal import Geometry

/// Scenes with a dead encoder, wrong rates, motors that release, or an exchanged dock. They use a separate random
/// sequence, so the rest of a scenario does not change.
extension ScenarioGenerator {
    mutating func axes(until end: Seconds) -> [(at: Seconds, what: ScenarioEvent)] {
        let start = between(0.5, max(0.6, end - 3))
        return switch count(0...24) {
        case 0: end > 5 ? taps(from: 0.6, until: end) : []
        case 1: lettingGo(from: start)
        case 2: wrongRates(from: start)
        case 3: swap(from: start)
        default: []
        }
    }

    /// A person taps with pauses, always in the same direction, and the encoder of pan is dead.
    private mutating func taps(from start: Seconds, until end: Seconds) -> [(at: Seconds, what: ScenarioEvent)] {
        let speed = Int(between(30, 50)) * (chance(0.5) ? 1 : -1), length = pick(["0.2", "0.3"])
        let pause = between(1.35, 1.6)
        var scene: [(at: Seconds, what: ScenarioEvent)] = [
            (start, .wrongEncoder(.pan, isFrozen: true, for: end - start))
        ]
        for number in 1...30 {
            let at = start + 0.1 + Double(number) * pause
            guard at < end else { break }
            scene.append((at, .words("velocity \(speed) 0 for \(length)")))
        }
        return scene
    }

    /// The motors release, mostly while the head turns. Then motion is requested, and sometimes the handshake is
    /// repeated.
    private mutating func lettingGo(from start: Seconds) -> [(at: Seconds, what: ScenarioEvent)] {
        var scene: [(at: Seconds, what: ScenarioEvent)] = [(start + 0.5, .letGo)]
        if chance(0.7) { scene.append((start, .words("velocity \(Int(between(-40, 40))) 0 for 3"))) }
        if chance(0.4) { scene.append((start + between(0.4, 1.5), pick([.mute(for: 1.4), .reboot, .restart]))) }
        scene.append((start + between(1, 2), pick([.words("mode system"), .words("velocity 20 0 for 2"), .key(.yes)])))
        return scene
    }

    /// The dock reports rates that are far from the truth, while a person turns it to one of its ends.
    private mutating func wrongRates(from start: Seconds) -> [(at: Seconds, what: ScenarioEvent)] {
        let rates = [-2000.0, 2000, -300, 300, -60, 60, 0]
        let fast = Int(between(40, 120)) * (chance(0.5) ? 1 : -1)
        let words = chance(0.5) ? "velocity \(fast) 0 for 4" : "velocity 0 \(fast) for 4"
        return [
            (start, .falseRates(pan: .degrees(pick(rates)), tilt: .degrees(pick(rates)), for: between(2, 6))),
            (start + between(0, 0.5), .words(words)),
        ]
    }

    /// Our dock is exchanged for another one while a person turns it.
    private mutating func swap(from start: Seconds) -> [(at: Seconds, what: ScenarioEvent)] {
        [
            (start, .words("velocity \(Int(between(-40, 40))) 0 for 4")),
            (start + between(0.2, 1), .swapDock(for: between(0.5, 2.5))),
        ]
    }
}
