import DockSimulator
import Geometry
import Testing

@testable import DockControl

@Suite struct GreetingNodTests {
    private static let rig = RigProfile.dlpDock

    /// What a greeting does while a face is in view, in steps of 20 ms, or at every frame if those are farther apart.
    private static func acts(
        _ greeting: inout GreetingNod, for seconds: Double, from start: Double = 10, rate: Double = 30,
        isSeen: Bool = true, walk: Double = 0, isProven: Bool = false, pose: PanTilt = .zero, age: Double = 0.02,
        share: Double = 1
    ) -> [GreetingNod.Act] {
        let step = max(0.02, rate < 15 ? 1 / rate : 0)
        let view = GreetingNod.View(
            isSeen: isSeen, walk: .degrees(walk), period: 1 / rate, isProven: isProven, pose: pose, age: age,
            share: share)
        return (0..<Int(seconds / step)).map { greeting.step(view, rig: rig, now: start + Double($0) * step) }
    }

    private static func nod(_ acts: [GreetingNod.Act]) -> ScriptRun? {
        for case .nod(let run) in acts { return run }
        return nil
    }

    @Test func `the head looks, nods once, waits for the pictures, and then follows`() throws {
        var greeting = GreetingNod()
        let acts = Self.acts(&greeting, for: 3)
        let run = try #require(Self.nod(acts))
        #expect(acts.prefix(10).allSatisfy { $0 == .hold })
        #expect(run.start - 10 < 0.25 && run.duration < 1, "\(run.duration) s")
        #expect(acts.suffix(50).allSatisfy { $0 == .none })
        #expect(Self.nod(Self.acts(&greeting, for: 3, from: 13)) == nil, "only the first face is greeted")
    }

    @Test func `the nod stays within 3 degrees, moves both axes, and ends where it began`() throws {
        var greeting = GreetingNod()
        let origin = PanTilt.degrees(pan: 30, tilt: -5)
        let run = try #require(Self.nod(Self.acts(&greeting, for: 1, pose: origin)))
        let path = (0...100).map { run.target(at: run.start + run.duration * Double($0) / 100).pose - origin }
        #expect(path.map(\.magnitude).max() ?? 9 < .degrees(3.1))
        for axis in Axis.allCases {
            let places = path.map { $0[axis] }
            #expect((places.max() ?? 0) - (places.min() ?? 0) > .degrees(5))
        }
        #expect((run.end - origin).magnitude < .degrees(0.01))
        let speeds = (0...400).map { step -> Double in
            let rate = run.target(at: run.start + run.duration * Double(step) / 400).rate
            return max(abs(rate.pan), abs(rate.tilt))
        }
        let fastest = speeds.max() ?? 0
        #expect(fastest > 0.8 * GreetingNod.fastest && fastest < GreetingNod.fastest, "\(fastest.inDegrees) deg/s")
    }

    @Test func `a rig without room, or whose nod would show nothing, follows without one`() {
        let low = PanTilt(pan: 0, tilt: Self.rig.tilt.softRange.lowerBound)
        var atLimit = GreetingNod(), proven = GreetingNod(), seldom = GreetingNod()
        var slow = GreetingNod(), rare = GreetingNod()
        #expect(Self.nod(Self.acts(&atLimit, for: 2, pose: low)) == nil)
        #expect(Self.acts(&proven, for: 2, isProven: true).allSatisfy { $0 == .none })
        #expect(Self.nod(Self.acts(&seldom, for: 2, age: 0.25)) == nil, "it reports its pose too seldom")
        #expect(Self.nod(Self.acts(&slow, for: 9, share: 0.1)) == nil, "the nod would take too long")
        for acts in [Self.acts(&atLimit, for: 1, from: 12), Self.acts(&slow, for: 1, from: 19)] {
            #expect(acts.allSatisfy { $0 == .none }, "it follows")
        }
        for rate in [2.0, 4, 5, 7] {
            #expect(Self.acts(&rare, for: 3, rate: rate).allSatisfy { $0 == .none }, "\(rate) frames a second")
        }
        #expect(Self.nod(Self.acts(&rare, for: 3, from: 20, rate: 10)) != nil)
    }

    @Test func `a rig that may not move yet, and a face that has left, are greeted later`() {
        var unarmed = GreetingNod(), gone = GreetingNod(), disarmed = GreetingNod()
        #expect(Self.acts(&unarmed, for: 2, share: 0).allSatisfy { $0 == .none })
        #expect(Self.nod(Self.acts(&unarmed, for: 2, from: 12)) != nil)
        _ = Self.acts(&gone, for: 0.1)
        #expect(Self.acts(&gone, for: 1, from: 10.1, isSeen: false).allSatisfy { $0 == .none })
        #expect(Self.nod(Self.acts(&gone, for: 1, from: 11.1)) != nil)
        _ = Self.acts(&disarmed, for: 0.1)
        #expect(Self.acts(&disarmed, for: 1, from: 10.1, share: 0).allSatisfy { $0 == .none })
        #expect(Self.nod(Self.acts(&disarmed, for: 1, from: 11.1)) != nil)
    }

    @Test func `a person who walks is followed at once, and greeted when they stand`() {
        var walking = GreetingNod(), starting = GreetingNod()
        #expect(Self.acts(&walking, for: 2, walk: 20).allSatisfy { $0 == .none })
        #expect(Self.acts(&walking, for: 0.5, from: 12).allSatisfy { $0 == .none }, "they may only turn round")
        #expect(Self.nod(Self.acts(&walking, for: 2, from: 12.5)) != nil)
        _ = Self.acts(&starting, for: 0.1)
        #expect(Self.acts(&starting, for: 1, from: 10.1, walk: 20).allSatisfy { $0 == .none })
    }

    @Test func `the head does not nod on after the hello of a stream that stays silent`() {
        var rig = SignRig(.init(), profile: .dlpDock, rate: 30, seed: 1) { _ in .degrees(pan: 12, tilt: 4) }
        rig.director.pursuit.policy.greets = true
        rig.run(0.6)
        #expect(rig.director.greetingNod.isNodding)
        let now = rig.now + 0.02, motion = MotionSample(time: now, pose: .zero, rate: .zero)
        rig.director.steer(by: .newStream, poses: PoseHistory(), now: now)
        #expect(rig.director.step(now: now, motion: motion, speedShare: 1).owner == .none)
    }

    @Test func `a nod that something interrupts is not continued, one that has not begun is still due`() {
        var stopped = GreetingNod(), paused = GreetingNod(), early = GreetingNod(), late = GreetingNod()
        _ = Self.acts(&stopped, for: 0.4)
        stopped.interrupt()
        #expect(Self.acts(&stopped, for: 2, from: 10.4).allSatisfy { $0 == .none })
        _ = Self.acts(&paused, for: 0.4)
        #expect(Self.acts(&paused, for: 2, from: 11).allSatisfy { $0 == .none })
        _ = Self.acts(&early, for: 0.1)
        early.interrupt()
        #expect(Self.nod(Self.acts(&early, for: 2, from: 12)) != nil)
        // The reports are old when the head begins to move, and must be fresh soon.
        #expect(Self.nod(Self.acts(&late, for: 0.3, age: 0.11)) != nil)
        #expect(Self.nod(Array(Self.acts(&late, for: 1, from: 10.3, age: 0.11).suffix(40))) == nil)
    }

    /// Beyond 0.1 s, tracking without a greeting accuses correct rigs, too.
    @Test(arguments: [-0.2, -0.1, 0.06, 0.1], [10.0, 30])
    func `frames whose times are wrong accuse no correct rig`(lateness: Double, rate: Double) {
        for seed in 1...8 {
            let rig = Self.greeted(.init(lateness: lateness), rate: rate, seed: UInt64(seed), isCheap: false)
            #expect(rig.verdict == nil, "\(rig.verdict.map { "\($0)" } ?? "")")
        }
    }

    private static func greeted(
        _ build: SignRig.Build = .init(), rate: Double, seed: UInt64, isCheap: Bool
    ) -> SignRig {
        var build = build
        if isCheap { build.model = .cheap }
        var rig = SignRig(build, profile: isCheap ? LimitTests.cheap : .dlpDock, rate: rate, seed: seed) { _ in
            .degrees(pan: 12, tilt: 4)
        }
        rig.director.pursuit.policy.greets = true
        rig.run(isCheap ? 2 : 1.5)
        return rig
    }

    @Test(arguments: [15.0, 30, 60], [false, true])
    func `the nod proves the signs of both axes of a correct rig`(rate: Double, isCheap: Bool) {
        let proven = (1...20).count { seed in
            let rig = Self.greeted(rate: rate, seed: UInt64(seed), isCheap: isCheap)
            #expect(rig.verdict == nil)
            return Axis.allCases.allSatisfy { rig.director.pursuit.signs.isProven($0) }
        }
        #expect(proven >= 18, "\(proven) of 20")
    }

    @Test(arguments: [15.0, 30, 60], [false, true])
    func `wrong signs are found by the nod`(rate: Double, isCheap: Bool) {
        let wrong: [(String, SignRig.Build)] = [
            ("pan", .init(turns: PanTilt(pan: -1, tilt: 1))), ("tilt", .init(turns: PanTilt(pan: 1, tilt: -1))),
            ("mirrored", .init(mirrored: true)), ("fixed", .init(isFixed: true)),
        ]
        for (name, build) in wrong {
            let found = (1...20).count { seed in
                let rig = Self.greeted(build, rate: rate, seed: UInt64(seed), isCheap: isCheap)
                return rig.verdict != nil && (rig.struck?.turned ?? 9) < .degrees(3)
            }
            #expect(found >= (isCheap ? 12 : 19), "\(name): \(found) of 20")
        }
    }
}
