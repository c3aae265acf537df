internal import Geometry

/// Scenes with something near the head. They use a separate random sequence, so the rest of a scenario does not change.
extension ScenarioGenerator {
    mutating func nearScenes(until end: Seconds) -> [(at: Seconds, what: ScenarioEvent)] {
        guard end > 7.5, chance(0.25) else { return [] }
        let start = between(0.3, end - 7), program = count(1...3), lasts = between(1, 3)
        var scene: [(at: Seconds, what: ScenarioEvent)] = []
        for at in stride(from: 0, to: lasts, by: 0.2) {
            scene.append((start + at, .program(program, .near(between(0.1, 0.29)))))
        }
        // It goes away, or the program dies, or falls silent.
        switch count(0...2) {
        case 0: scene.append((start + lasts, .program(program, .near(2))))
        case 1: scene.append((start + lasts, .programGone(program)))
        default: break
        }
        let speed = between(60, 140) * (chance(0.5) ? 1 : -1)
        scene += [
            (start, .words("mode manual")),
            (start + between(0.1, lasts), .words("velocity \(Int(speed)) \(Int(speed / 3)) for 2")),
        ]
        return scene
    }
}
