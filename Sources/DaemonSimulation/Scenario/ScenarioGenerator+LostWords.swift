internal import Geometry

/// Scenes in which a stop, a heartbeat or a command is lost. They use a separate random sequence, so the rest of a
/// scenario does not depend on them.
extension ScenarioGenerator {
    mutating func lostWords(until end: Seconds, hasDeadman: Bool) -> [(at: Seconds, what: ScenarioEvent)] {
        var all: [(at: Seconds, what: ScenarioEvent)] = []
        let start = between(min(2.5, end - 3.5), end - 2.5)
        switch count(0...19) {
        case 0: all = held(from: start)
        case 1: all = deafness(from: start)
        case 2: all = burst(from: start)
        case 3: all = narrowness(from: start)
        case 4: all = restart(from: start)
        default: break
        }
        if !hasDeadman, chance(0.5) { all = lostStop(from: between(min(2.5, end - 3), end - 3)) }
        return all
    }

    /// In a few scenarios the camera does not match the profile.
    mutating func camera() -> WrongCamera? { chance(0.05) ? pick([.mirrored, .fixed]) : nil }

    /// The loop is held during a long motion; sometimes no guard is ready.
    private mutating func held(from start: Seconds) -> [(at: Seconds, what: ScenarioEvent)] {
        var scene = [(at: start, what: motion(for: 6)), (start + between(0.3, 1), .hang(for: between(0.4, 1.2)))]
        if chance(0.4) { scene.append((start, .guardGone(for: between(2, 4)))) }
        return scene
    }

    /// The dock receives nothing while it moves.
    private mutating func deafness(from start: Seconds) -> [(at: Seconds, what: ScenarioEvent)] {
        [(start, motion(for: 6)), (start + between(0.4, 1), .deaf(for: between(0.8, 2.5)))]
    }

    /// Several requests and a stop arrive while the loop is held; sometimes another request follows.
    private mutating func burst(from start: Seconds) -> [(at: Seconds, what: ScenarioEvent)] {
        let stop = start + between(0.2, 0.4)
        var scene: [(at: Seconds, what: ScenarioEvent)] = [
            (start, .hang(for: between(0.45, 0.9))),
            (stop, pick([.key(.stop), .words("stop"), .words("estop"), .program(1, .stop)])),
        ]
        for _ in 0..<count(1...5) {
            scene.append(
                (start + between(0.02, 0.2), pick([motion(for: 3), .words("mode system"), .key(.yes), .key(.home)])))
        }
        if chance(0.3) { scene.append((stop + between(0, 0.04), motion(for: 2))) }
        return scene
    }

    /// The line accepts only a part of each write just when a motion ends.
    private mutating func narrowness(from start: Seconds) -> [(at: Seconds, what: ScenarioEvent)] {
        var scene = [(at: start, what: motion(for: 1))]
        let end = chance(0.5) ? start + 1 : start + between(0.4, 0.9)
        if end < start + 1 { scene.append((end, pick([.words("stop"), .key(.stop), .words("mode manual")]))) }
        scene.append((end + between(-0.1, 0.1), .narrowLine(bytes: count(0...30), for: between(0.02, 0.25))))
        return scene
    }

    /// The daemon is restarted, mostly under a latch, and motion is requested.
    private mutating func restart(from start: Seconds) -> [(at: Seconds, what: ScenarioEvent)] {
        let again = start + between(0.3, 1)
        var scene: [(at: Seconds, what: ScenarioEvent)] = [
            (again, .restart), (again + between(0.2, 0.8), pick([motion(for: 2), .words("mode system"), .key(.yes)])),
        ]
        if chance(0.8) { scene.append((start, pick([.words("estop"), .key(.emergency), .emergencyButton(for: 0.2)]))) }
        // Meanwhile the dock lost its power, and with it the latch.
        if chance(0.6) { scene.append((again - 0.001, .reboot)) }
        if chance(0.3) { scene.append((again + between(0.05, 1), .words("clear"))) }
        return scene
    }

    /// The line carries nothing when the motion of a dock without a deadman timer ends.
    private mutating func lostStop(from start: Seconds) -> [(at: Seconds, what: ScenarioEvent)] {
        let end = start + between(0.4, 0.9)
        return [
            (start, motion(for: 6, slowly: true)), (end, pick([.words("stop"), .key(.stop), .words("mode manual")])),
            (end - between(0.02, 0.1), .badLine(drop: 1, insert: 0, flip: 0, for: between(0.3, 0.8))),
        ]
    }

    private mutating func motion(for seconds: Int, slowly: Bool = false) -> ScenarioEvent {
        .words("velocity \(Int((slowly ? between(8, 25) : between(12, 40)) * (chance(0.5) ? 1 : -1))) 0 for \(seconds)")
    }
}
