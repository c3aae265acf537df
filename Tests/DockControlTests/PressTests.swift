import DockControl
import DockSimulator
import Geometry
import Glibc
import Testing

/// Slow commands: a blocked axis must not be pressed forever, and a slow one must not be accused.
@Suite struct PressTests {
    @Test(arguments: [false, true], [2.5, 3, 5, 8])
    func `an axis that is blocked during a slow command is a stall`(cheap: Bool, speed: Double) {
        for seed in 0..<24 {
            var rig = FollowRig(cheap: cheap, seed: UInt64(seed))
            rig.reportPeriod = seed % 2 == 0 ? 0.02 : 0.1
            rig.run(0.5)
            rig.plant.blocked = [.pan]
            let sign = seed % 3 == 0 ? 1.0 : -1
            let began = rig.now
            rig.turn(.degrees(pan: sign * speed, tilt: 0), for: 60)
            rig.run(6)
            #expect(rig.verdict == .init(axis: .pan, kind: .stall, direction: sign), "seed \(seed)")
            #expect(rig.struckAt - began < 5 / speed + 0.5, "seed \(seed): \(rig.struckAt - began)")
        }
    }

    @Test(arguments: [false, true], [2.5, 3, 5, 8])
    func `an axis that meets an obstacle while it turns slowly is a stall`(cheap: Bool, speed: Double) {
        for seed in 0..<24 {
            var rig = FollowRig(cheap: cheap, seed: UInt64(seed))
            rig.reportPeriod = seed % 2 == 0 ? 0.02 : 0.1
            rig.turn(.degrees(pan: 0, tilt: speed), for: 60)
            rig.run(2)
            #expect(rig.verdict == nil)
            rig.plant.blocked = [.tilt]
            let began = rig.now
            rig.run(6)
            #expect(rig.verdict?.axis == .tilt && rig.verdict?.direction == 1 && rig.verdict?.kind != .uncommanded)
            // The smoothed pose still catches up for a while.
            #expect(rig.struckAt - began < 5 / speed + 1.3, "seed \(seed): \(rig.struckAt - began)")
        }
    }

    @Test func `alternating set-points without a net motion are no press`() {
        for speed in [2.5, 4, 8] {
            var rig = FollowRig(cheap: true)
            rig.reportPeriod = 0.1
            rig.plant.blocked = [.pan, .tilt]
            for turn in 0..<200 {
                rig.turn(.degrees(pan: turn % 2 == 0 ? speed : -speed, tilt: 0), for: 0.1)
                rig.run(0.15)
            }
            #expect(rig.verdict == nil, "\(speed)")
        }
    }

    /// Tracking turns like this until its signs are proven: no push lasts long enough for a stall.
    @Test(arguments: [false, true], [(20.0, 0.4, 0.1), (30, 0.3, 0.1), (60, 0.15, 0.1), (60, 0.15, 0.4)])
    func `an axis that is blocked while it is pushed again and again is a stall`(
        cheap: Bool, push: (speed: Double, length: Double, pause: Double)
    ) {
        for direction in [-1.0, 1] {
            var rig = FollowRig(cheap: cheap)
            rig.run(0.5)
            rig.plant.blocked = [.tilt]
            let began = rig.now
            while rig.verdict == nil, rig.now < began + 4 {
                rig.turn(.degrees(pan: 5, tilt: push.speed * direction), for: push.length)
                rig.run(push.length + push.pause)
            }
            #expect(rig.verdict == .init(axis: .tilt, kind: .stall, direction: direction))
            #expect(rig.struckAt - began < 1.6, "\(rig.struckAt - began)")
        }
    }

    @Test(arguments: 0..<4) func `no rig that is pushed briefly is accused, not even a late or slow one`(part: Int) {
        for seed in 0..<40 {
            var random = SeededRandom(seed: UInt64(part * 100 + seed))
            let cheap = seed % 2 == 1
            var model = FollowRig.slow(cheap ? .cheap : .good, by: 0.4 + 0.6 * random.uniform())
            model.commandLatency += 0.15 * random.uniform()
            var rig = FollowRig(cheap: cheap, model: model, seed: UInt64(seed))
            rig.run(0.5)
            for _ in 0..<30 {
                let length = 0.1 + 0.4 * random.uniform()
                let way = (3 + 12 * random.uniform()) * (random.uniform() < 0.5 ? -1 : 1)
                rig.turn(.degrees(pan: way / length, tilt: random.uniform() * 20 - 10), for: length)
                rig.run(length + 0.05 + 0.5 * random.uniform())
            }
            #expect(rig.verdict == nil, "\(part) \(seed): \(rig.verdict.debugDescription) at \(rig.struckAt)")
        }
    }

    @Test(arguments: [false, true]) func `a quick motion out and a slow return are no push`(cheap: Bool) {
        var rig = FollowRig(cheap: cheap)
        rig.run(0.5)
        for _ in 0..<40 {
            rig.turn(.degrees(pan: 12, tilt: 0), for: 0.1)
            rig.run(0.12)
            rig.turn(.degrees(pan: -8, tilt: 0), for: 0.15)
            rig.run(0.17)
        }
        #expect(rig.verdict == nil, "\(rig.verdict.debugDescription)")
    }

    @Test func `commands at which motors stick are no press`() {
        var rig = FollowRig(cheap: true)
        rig.plant.blocked = [.pan]
        rig.turn(.degrees(pan: 1.4, tilt: 0), for: 60)
        rig.run(50)
        #expect(rig.verdict == nil || rig.verdict?.kind == .creep)
    }

    /// Slow turns of every length, back and forth, on rigs that do less than commanded. Play swallows the first
    /// set-points of a turn; reports at 10 Hz, silences of 300 ms, and half the speed at a low battery.
    @Test(arguments: 0..<8) func `no rig that turns slowly is accused`(part: Int) {
        // With DOCKFACE_PRESS_SEEDS set all of them run, for a minute and a half; seed 12 of the last part once found a
        // bug.
        let all = Array((part * 24)..<(part * 24 + 24))
        for seed in getenv("DOCKFACE_PRESS_SEEDS") == nil ? [all[0], all[1], all[2], all[12]] : all {
            var random = SeededRandom(seed: UInt64(seed) &* 613 &+ 11)
            let cheap = seed % 2 == 1
            let base = cheap ? RigModel.cheap : .good
            var rig = FollowRig(
                cheap: cheap, model: seed % 3 == 0 ? FollowRig.slow(base, by: 0.7) : base, seed: UInt64(seed))
            rig.reportPeriod = [0.02, 0.1, 0.1][seed % 3]
            let every = 1 + 3 * random.uniform()
            rig.isMute = { $0.truncatingRemainder(dividingBy: every) < 0.3 }
            // An encoder behind the play: after each change of direction the first 0.6 degrees do not show.
            var side = 0.0, play = 0.0, before: Seconds = 50
            let share = seed % 5 == 0 ? 0.65 : 1
            rig.motors = { commanded, now in
                defer { before = now }
                let sign = commanded.pan < 0 ? -1.0 : commanded.pan > 0 ? 1 : side
                if sign != side { (side, play) = (sign, .degrees(0.6)) }
                guard play > 0 else { return commanded * share }
                play -= abs(commanded.pan) * (now - before)
                return PanTilt(pan: 0, tilt: commanded.tilt * share)
            }
            rig.run(0.5)
            for _ in 0..<30 {
                rig.director.supplyShare = random.uniform() < 0.2 ? 0.5 : 1
                let speeds = [2.5, 3, 5, 8, -2.5, -3, -5, -8]
                let pan = speeds[Int(random.uniform() * 7.99)], tilt = speeds[Int(random.uniform() * 7.99)] / 2
                rig.turn(.degrees(pan: pan, tilt: tilt), for: 0.1 + 4 * random.uniform())
                rig.run(random.uniform() < 0.4 ? 0.12 : 0.2 + 4 * random.uniform())
                if random.uniform() < 0.2 {
                    rig.halt()
                    rig.run(0.5 * random.uniform())
                }
            }
            #expect(rig.verdict == nil, "seed \(seed): \(String(describing: rig.verdict)) at \(rig.now)")
        }
    }
}
