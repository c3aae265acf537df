internal import Geometry

/// Scenes with persistent programs. They use a separate random sequence, so the rest of a scenario does not change.
extension ScenarioGenerator {
    mutating func programScenes(until end: Seconds) -> [(at: Seconds, what: ScenarioEvent)] {
        guard end > 4.5 else { return [] }
        switch count(0...9) {
        case 0: return floodThenDie(count(1...3), from: between(0.5, end - 3))
        case 1: return stopAndPersist(count(1...3), from: between(0.3, end - 4.2))
        case 2: return expectSomebody(count(1...3), from: between(0.5, end - 4))
        default: return []
        }
    }

    /// A program requests many motions while the loop is held, and dies before any of them was taken.
    private mutating func floodThenDie(_ number: Int, from start: Seconds) -> [(at: Seconds, what: ScenarioEvent)] {
        var scene: [(at: Seconds, what: ScenarioEvent)] = [
            (start, .program(number, .mode(2))), (start + 0.02, .program(number, .acquire)),
            (start + 0.05, .hang(for: between(0.05, 0.2))),
        ]
        let motions = count(1...80)
        for index in 0..<motions {
            scene.append((start + 0.055 + Double(index) * 0.0005, velocity(number)))
        }
        scene.append((start + 0.06 + Double(motions) * 0.0005 + between(0, 0.05), .programGone(number)))
        return scene
    }

    /// A person stops the head, and the program with the lease repeatedly sets the mode and turns it.
    private mutating func stopAndPersist(_ number: Int, from start: Seconds) -> [(at: Seconds, what: ScenarioEvent)] {
        var scene: [(at: Seconds, what: ScenarioEvent)] = [
            (start, .program(number, .mode(2))), (start + 0.02, .program(number, .acquire)),
            (start + 0.05, velocity(number)), (start + 0.5, pick([.words("stop"), .key(.stop)])),
        ]
        for index in 1...9 {
            let at = start + 0.5 + Double(index) * 0.4
            scene += [(at, .program(number, .mode(count(0...2)))), (at + 0.05, velocity(number))]
        }
        if chance(0.3) { scene.append((start + between(1, 4), .words("release"))) }
        return scene
    }

    /// All people leave, and a program expects a person, mostly far from where the head looks.
    private mutating func expectSomebody(_ number: Int, from start: Seconds) -> [(at: Seconds, what: ScenarioEvent)] {
        var scene: [(at: Seconds, what: ScenarioEvent)] = [(start, .words("mode system"))]
        for person in 0...2 { scene.append((start + 0.3, .person(person, isThere: false))) }
        let wish = ProgramWish.expect(pan: between(-2.5, 2.5), tilt: between(-0.5, 0.9), for: between(0.3, 1.5))
        for index in 0..<count(1...4) { scene.append((start + 0.4 + Double(index) * 0.4, .program(number, wish))) }
        // With a lease it ends with the program.
        if chance(0.4) {
            scene += [
                (start + 0.02, .program(number, .acquire)), (start + 1.7, .program(number, wish)),
                (start + 1.8, .programGone(number)),
            ]
        }
        return scene
    }

    private mutating func velocity(_ number: Int) -> ScenarioEvent {
        .program(number, .velocity(pan: between(-0.6, 0.6), tilt: between(-0.2, 0.2), for: 6))
    }
}
