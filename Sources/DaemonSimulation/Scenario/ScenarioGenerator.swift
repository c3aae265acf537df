internal import DockSimulator
internal import Geometry

/// Makes scenarios from a seed.
struct ScenarioGenerator {
    private var random: SeededRandom
    private let seed: UInt64

    init(seed: UInt64) {
        random = SeededRandom(seed: seed &* 0x9E37_79B9 &+ 17)
        self.seed = seed
    }

    /// Another generator with the same seed, for additions that must not change the rest.
    var aside: ScenarioGenerator { ScenarioGenerator(seed: seed ^ 0xA51D_E000_0000) }

    mutating func chance(_ share: Double) -> Bool { random.uniform() < share }
    mutating func between(_ low: Double, _ high: Double) -> Double { low + (high - low) * random.uniform() }
    mutating func count(_ range: ClosedRange<Int>) -> Int {
        range.lowerBound + Int(random.next() % UInt64(range.count))
    }
    mutating func pick<Element>(_ all: [Element]) -> Element { all[Int(random.next() % UInt64(all.count))] }

    /// Most scenarios have few faults, some have many.
    mutating func events(
        until end: Seconds, hasDeadman: Bool, with scenes: [(at: Seconds, what: ScenarioEvent)]
    ) -> [(number: Int, at: Seconds, what: ScenarioEvent)] {
        let wishes = count(1...8), troubles = chance(0.2) ? count(4...10) : count(0...4)
        var all: [(at: Seconds, what: ScenarioEvent)] = []
        for _ in 0..<wishes { all.append((between(0.3, end), wish())) }
        for _ in 0..<troubles { all.append((between(0.3, end), trouble())) }
        // A person often presses a key several times, and many stops mean a conflict.
        if chance(0.3), let some = all.first {
            for _ in 0..<count(1...6) { all.append((min(end, some.at + between(0, 0.4)), wish())) }
        }
        if chance(0.15) { all += program(count(1...3), from: between(0.5, max(1, end - 3))) }
        if chance(0.08) { all += clearing(from: between(0.5, max(1, end - 2))) }
        if chance(0.1) { all += press(from: between(0.5, max(1, end - 5))) }
        var aside = aside
        all += scenes + aside.lostWords(until: end, hasDeadman: hasDeadman)
        var programs = ScenarioGenerator(seed: seed ^ 0x9B06_4A75_0000)
        all += programs.programScenes(until: end)
        var nearness = ScenarioGenerator(seed: seed ^ 0x4EA6_0000_0000)
        all += nearness.nearScenes(until: end)
        return all.sorted { $0.at < $1.at }.enumerated().map { ($0.offset, $0.element.at, $0.element.what) }
    }

    /// Makes an end in which no fault is left.
    mutating func ending(canFollow: Bool) -> Ending {
        if canFollow, chance(0.4) { return .follows }
        return .obeys(.degrees(pan: between(-40, 40).rounded(), tilt: between(0, 30).rounded()))
    }

    // MARK: requests by people and programs

    private mutating func wish() -> ScenarioEvent {
        switch count(0...9) {
        case 0...2: .key(pick(ScenarioKey.allCases))
        case 3...5: .words(words())
        case 6: .programGone(count(1...3))
        default: .program(count(1...3), program())
        }
    }

    private mutating func words() -> String {
        func number(_ value: Double) -> String { String(Int(value.rounded())) }
        switch count(0...21) {
        case 0: return "stop"
        case 1: return "estop"
        case 2, 3: return "clear"
        case 4, 5: return "mode system"
        case 6: return "mode manual"
        case 7: return "mode custom"
        case 8, 9: return "velocity \(number(between(-140, 140))) \(number(between(-140, 140))) for \(count(1...4))"
        case 10, 11: return "orient \(number(between(-175, 175))) \(number(between(-35, 85)))"
        case 12: return "animate " + pick(["yes", "nope", "wakeup", "kapow"])
        case 13:
            let low = between(-170, 100)
            return "limits pan \(number(low)) \(number(low + between(10, 120))) \(number(between(10, 120)))"
        case 14:
            let low = between(-30, 40)
            return "limits tilt \(number(low)) \(number(low + between(6, 60)))"
        case 15: return "limits reset"
        case 16: return "home"
        case 17: return "torque " + pick(["on", "off"])
        case 18: return "speed \(count(5...100))"
        case 19: return "framing " + pick(["auto", "center", "left", "right"])
        case 20: return "tap \(pick(["0.3", "0.5", "0.8"])) \(pick(["0.2", "0.5", "0.9"]))"
        default: return pick(["", "rubbish", "velocity nan 1", "orient 1e9 0", "mode", "clear now", "stop stop", "{"])
        }
    }

    private mutating func program() -> ProgramWish {
        switch count(0...13) {
        case 0, 1: .acquire
        case 2: .release
        case 3: .stop
        case 4: .emergencyStop
        case 5: .clear
        case 6: .mode(count(0...2))
        case 7, 8: .velocity(pan: between(-2.5, 2.5), tilt: between(-2.5, 2.5), for: between(0.1, 6))
        case 9: .orient(pan: between(-3, 3), tilt: between(-0.6, 1.5), duration: between(0, 2))
        case 10: .animate(count(0...3))
        case 11:
            {
                let low = $0.between(-3, 1)
                return .limits(
                    low: low, high: low + $0.between(0.2, 3), speed: $0.chance(0.5) ? $0.between(0.1, 2) : nil)
            }(&self)
        case 12: .track(x: between(0.1, 0.9))
        default: chance(0.5) ? .status : .torque(chance(0.5))
        }
    }

    /// A program takes the lease, starts a long motion, and dies or falls silent.
    private mutating func program(_ number: Int, from start: Double) -> [(at: Double, what: ScenarioEvent)] {
        var scene: [(at: Double, what: ScenarioEvent)] = [
            (start, .program(number, .mode(2))), (start + 0.05, .program(number, .acquire)),
            (start + 0.1, .program(number, .velocity(pan: between(-0.6, 0.6), tilt: between(-0.2, 0.2), for: 6))),
        ]
        if chance(0.6) { scene.append((start + between(0.2, 2), .programGone(number))) }
        return scene
    }

    /// A person clears an emergency stop, and another emergency stop arrives at the same moment.
    private mutating func clearing(from start: Double) -> [(at: Double, what: ScenarioEvent)] {
        let cleared = start + between(0.3, 1.2)
        return [
            (start, .words("estop")), (cleared, .words("clear")),
            (cleared + between(0, 0.15), chance(0.5) ? .key(.emergency) : .program(count(1...3), .emergencyStop)),
        ]
    }

    /// A person turns the head, sometimes slowly, and an obstacle is in the way.
    private mutating func press(from start: Double) -> [(at: Double, what: ScenarioEvent)] {
        let pan = chance(0.5), speed = between(3, chance(0.5) ? 9 : 60) * (chance(0.5) ? 1 : -1)
        let words = pan ? "velocity \(Int(speed)) 0 for 6" : "velocity 0 \(Int(speed)) for 6"
        return [
            (start, .words(words)),
            (start + between(0.1, 1), .block(pan ? .pan : .tilt, for: between(2, 6))),
        ]
    }

    // MARK: faults

    private mutating func trouble() -> ScenarioEvent {
        switch count(0...24) {
        case 0, 1:
            .badLine(
                drop: pick([0, 0.01, 0.05, 1]), insert: pick([0, 0.01, 0.05]), flip: pick([0, 0.005, 0.05]),
                for: between(0.1, 3))
        case 2, 3: .slowLine(by: between(0.02, 2), for: between(0.1, 3))
        case 4: .mute(for: between(0.1, 3))
        case 5: .deaf(for: between(0.1, 3))
        case 6, 7: .unplug(afterBytes: count(0...60), for: between(0.02, 2), reboots: chance(0.5))
        case 8: .otherDock(for: between(0.3, 3))
        case 9: .busyPort(for: between(0.3, 2))
        case 10: .reboot
        case 11: .emergencyButton(for: between(0.05, 2))
        case 12: .heat(for: between(0.1, 2))
        case 13: .block(chance(0.5) ? .pan : .tilt, for: between(0.2, 2))
        case 14: .hang(for: between(0.05, 2))
        case 15: .suspend(for: between(0.1, 3))
        case 16: .wallClock(by: between(-3000, 3000))
        case 17: .detectorStall(for: between(0.1, 3))
        case 18: chance(0.5) ? .detectorFlood(lines: count(10...400)) : .detectorGarbage(bytes: count(1...3000))
        case 19: .detectorClock(by: between(-2, 2), for: between(0.2, 2))
        case 20: chance(0.5) ? .person(count(0...2), isThere: chance(0.5)) : .teleport(count(0...2))
        case 22: .wrongMotor(chance(0.5) ? .pan : .tilt, for: between(0.5, 3))
        case 23: .wrongEncoder(chance(0.5) ? .pan : .tilt, isFrozen: chance(0.5), for: between(0.5, 3))
        case 24: .guardGone(for: between(0.1, 4))
        default: .battery(level: pick([0.02, 0.1, 0.15, 0.9]))
        }
    }
}
