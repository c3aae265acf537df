import DockControl
import DockSimulator
import DockTypes
import Geometry
import Testing

/// A plant, its reports and the watch, in virtual time.
struct FollowRig {
    let profile: RigProfile
    let model: RigModel
    var watch: FollowingErrorDetector
    var director: MotionDirector
    var plant: Plant
    var random: SeededRandom
    var now: Seconds = 50
    /// Interval of the reports, seconds.
    var reportPeriod: Seconds = 0.02
    /// Whether the reports are lost at a time.
    var isMute: (Seconds) -> Bool = { _ in false }
    /// What the motors do with a command.
    var motors: (PanTilt, Seconds) -> PanTilt = { velocity, _ in velocity }
    var deadman = false
    /// The pose at which the encoders are stuck, whatever the motors do; nil: they are right.
    var frozen: PanTilt?
    private(set) var verdict: FollowingErrorDetector.Verdict?
    private(set) var struckAt: Seconds = 0
    private var commanded = PanTilt.zero
    private var commands: [(at: Seconds, velocity: PanTilt)] = []
    private var reports: [(at: Seconds, sample: MotionSample)] = []
    private var poses = PoseHistory()
    private var nextReport: Seconds = 50, nextStep: Seconds = 50

    init(cheap: Bool = false, model: RigModel? = nil, seed: UInt64 = 1) {
        profile = cheap ? LimitTests.cheap : .dlpDock
        self.model = model ?? (cheap ? .cheap : .good)
        watch = FollowingErrorDetector(profile: profile)
        director = MotionDirector(profile: profile, mode: .manual)
        plant = Plant(model: self.model)
        random = SeededRandom(seed: seed)
    }

    /// A rig that is slower than its profile says.
    static func slow(_ model: RigModel, by share: Double) -> RigModel {
        var slow = model
        slow.maximumSpeed *= share
        slow.maximumAcceleration *= share
        slow.lag /= share
        return slow
    }

    mutating func turn(_ velocity: PanTilt, for seconds: Seconds) {
        _ = director.apply(.velocity(velocity, duration: seconds), now: now, pose: poses.pose(at: now))
    }

    mutating func halt() {
        director.halt(.stopped, toManual: true)
        commands.append((now + model.commandLatency, .zero))
        watch.commanded(.zero, at: now)
    }

    /// Continues as if no fault had been found.
    mutating func forgetVerdict() { verdict = nil }

    mutating func run(_ seconds: Seconds) {
        let end = now + seconds
        while now < end, verdict == nil {
            now += 0.002
            while let first = commands.first, first.at <= now {
                commanded = first.velocity
                commands.removeFirst()
            }
            plant.advance(0.002, toward: motors(commanded, now))
            if now >= nextReport {
                nextReport = now + reportPeriod
                let noise = PanTilt(pan: random.normal(), tilt: random.normal()) * model.reportNoise
                let sample = MotionSample(time: now, pose: (frozen ?? plant.motors) + noise, rate: plant.rate)
                if !isMute(now) { reports.append((now + model.reportAge, sample)) }
            }
            while let first = reports.first, first.at <= now {
                reports.removeFirst()
                poses.append(first.sample)
                verdict = verdict ?? watch.measured(first.sample, deadmanTripped: deadman)
                if verdict != nil { struckAt = now }
            }
            guard now >= nextStep else { continue }
            nextStep = now + 0.02
            let motion = poses.latest.flatMap { latest in
                now - latest.time < 0.3
                    ? poses.pose(at: now).map { MotionSample(time: now, pose: $0, rate: latest.rate) } : nil
            }
            let velocity = director.step(now: now, motion: motion, speedShare: 1).velocity
            let jitter = model.commandJitter * (2 * random.uniform() - 1)
            commands.append((now + model.commandLatency + jitter, velocity))
            watch.commanded(velocity, at: now)
        }
    }
}

@Suite struct FollowingTests {
    @Test(arguments: [(false, 12.0), (false, 60), (false, 110), (true, 12), (true, 40), (true, 85)])
    func `an axis that does not turn when commanded is a stall after half a second`(cheap: Bool, speed: Double) {
        var rig = FollowRig(cheap: cheap)
        rig.run(0.5)
        rig.plant.blocked = [.pan]
        let began = rig.now
        rig.turn(.degrees(pan: -speed, tilt: 5), for: 9)
        rig.run(3)
        #expect(rig.verdict == .init(axis: .pan, kind: .stall, direction: -1))
        #expect(rig.struckAt - began < 0.5 + 0.4, "\(rig.struckAt - began)")
    }

    @Test(arguments: [false, true])
    func `an axis that an obstacle stops is a stall or a following error`(cheap: Bool) {
        var rig = FollowRig(cheap: cheap)
        rig.run(0.5)
        rig.turn(.degrees(pan: 0, tilt: 20), for: 9)
        rig.run(1.2)
        rig.plant.blocked = [.tilt]
        let began = rig.now
        rig.run(3)
        #expect(rig.verdict?.axis == .tilt && rig.verdict?.direction == 1 && rig.verdict?.kind != .uncommanded)
        #expect(rig.struckAt - began < 0.7, "\(rig.struckAt - began)")
    }

    @Test func `an axis that turns without a command, or against it, is reported at once`() {
        for against in [false, true] {
            for cheap in [false, true] {
                var rig = FollowRig(cheap: cheap)
                rig.motors = { commanded, now in
                    now < 52 ? commanded : against ? commanded * -1 : .degrees(pan: 0, tilt: 15)
                }
                if against { rig.turn(.degrees(pan: 0, tilt: -20), for: 9) }
                rig.run(1)
                rig.plant = Plant(model: rig.model)
                rig.now = max(rig.now, 52)
                rig.watch.reset()
                rig.run(2)
                #expect(rig.verdict == .init(axis: .tilt, kind: .uncommanded, direction: 1, presses: false))
                #expect(abs(rig.plant.pose.tilt.inDegrees) < 11, "\(rig.plant.pose.tilt.inDegrees)")
                #expect(rig.verdict?.mayRetreat == false && rig.verdict?.fault == .followingError)
            }
        }
    }

    @Test func `an axis that does a fifth of the commanded motion is a following error`() {
        var rig = FollowRig()
        rig.motors = { commanded, _ in commanded * 0.2 }
        rig.turn(.degrees(pan: 50, tilt: 0), for: 9)
        rig.run(3)
        #expect(rig.verdict == .init(axis: .pan, kind: .behind, direction: 1))
        #expect(rig.struckAt < 52)
    }

    @Test func `a dock that hears nothing and stops by its deadman is no fault of an axis`() {
        var rig = FollowRig()
        rig.motors = { _, _ in .zero }
        rig.deadman = true
        rig.turn(.degrees(pan: 50, tilt: 0), for: 9)
        rig.run(3)
        #expect(rig.verdict == nil)
    }

    @Test func `one wild reading is no motion`() {
        var watch = FollowingErrorDetector(profile: .dlpDock)
        for step in 0..<200 {
            let pose = PanTilt.degrees(pan: step % 50 == 7 ? 40 : 0, tilt: 0)
            #expect(watch.measured(MotionSample(time: Double(step) * 0.02, pose: pose, rate: .zero)) == nil)
        }
    }

    /// Everything that a correct rig does: moves of every kind into and out of limits, stops at full speed, low-battery
    /// speeds, silences of 300 ms, slow and fast reports, a rig 30 % slower than its profile says.
    @Test(arguments: 0..<8) func `no correct rig is ever accused`(part: Int) {
        for seed in (part * 40)..<(part * 40 + 40) {
            var random = SeededRandom(seed: UInt64(seed) &* 977 &+ 5)
            let cheap = seed % 2 == 1
            let base = cheap ? RigModel.cheap : .good
            let isSlow = seed % 3 == 0
            var rig = FollowRig(cheap: cheap, model: isSlow ? FollowRig.slow(base, by: 0.7) : base, seed: UInt64(seed))
            rig.reportPeriod = [0.02, 0.1, 0.05][seed % 3]
            let every = 1 + 3 * random.uniform()
            rig.isMute = { $0.truncatingRemainder(dividingBy: every) < 0.3 }
            rig.run(0.5)
            for _ in 0..<15 {
                rig.director.supplyShare = random.uniform() < 0.2 ? 0.5 : 1
                let most = cheap ? 90.0 : 120
                let velocity = PanTilt.degrees(
                    pan: most * (2 * random.uniform() - 1), tilt: most * (2 * random.uniform() - 1))
                if random.uniform() < 0.3 {
                    _ = rig.director.apply(.home, now: rig.now, pose: rig.plant.pose)
                } else {
                    rig.turn(velocity, for: 0.1 + 3 * random.uniform())
                }
                rig.run(0.05 + 2 * random.uniform())
                if random.uniform() < 0.3 {
                    rig.halt()
                    rig.run(0.5 * random.uniform())
                }
            }
            #expect(rig.verdict == nil, "seed \(seed): \(String(describing: rig.verdict)) at \(rig.now)")
        }
    }

    @Test func `an axis backs off 3 degrees, slowly, and no further`() throws {
        let verdict = FollowingErrorDetector.Verdict(axis: .pan, kind: .stall, direction: 1)
        let range = Double.degrees(-60)...Double.degrees(60)
        let retreat = try #require(Retreat(verdict, pose: .degrees(pan: 20, tilt: 0), range: range, now: 10))
        func velocity(_ now: Seconds, _ pan: Double) -> Double? {
            retreat.velocity(now: now, pose: .degrees(pan: pan, tilt: 0), delay: 0.055)?.pan.inDegrees
        }
        #expect(velocity(10, 20) == -10 || abs((velocity(10, 20) ?? 0) + 10) < 1e-9)
        #expect(velocity(10.3, 18.5) != nil)
        #expect(velocity(10.35, 17.4) == nil, "the stop is early enough to end at 3 degrees")
        #expect(velocity(10.6, 19.9) == nil, "that direction is blocked, too")
        #expect(velocity(10.1, 22) == nil, "it turns the wrong way")
        #expect(velocity(11.01, 18) == nil, "too long")
        #expect(retreat.velocity(now: 10.1, pose: nil, delay: 0) == nil, "the pose is unknown")
    }

    @Test(arguments: [0.0, 1]) func `an axis that had no command for a while does not back off`(late: Seconds) throws {
        var watch = FollowingErrorDetector(profile: .dlpDock), verdict: FollowingErrorDetector.Verdict?
        for step in 0..<200 where verdict == nil {
            let time = Double(step) * 0.02
            watch.commanded(.degrees(pan: time < 0.4 ? 40 : 0, tilt: 0), at: time)
            verdict = watch.measured(MotionSample(time: time, pose: .zero, rate: .zero), now: time + late)
        }
        let found = try #require(verdict)
        #expect(found.kind == .unseen && found.direction == 1)
        #expect(found.mayRetreat == (late == 0))
    }

    @Test func `no back-off for an axis that moves against its command, is out of range, or has no room`() {
        let range = Double.degrees(-60)...Double.degrees(60)
        func retreat(_ kind: FollowingErrorDetector.Verdict.Kind, _ direction: Double, _ pan: Double) -> Retreat? {
            Retreat(
                .init(axis: .pan, kind: kind, direction: direction), pose: .degrees(pan: pan, tilt: 0), range: range,
                now: 0)
        }
        #expect(retreat(.uncommanded, 1, 0) == nil)
        #expect(retreat(.stall, 1, 61) == nil)
        #expect(retreat(.stall, 1, -59.8) == nil)
        #expect(retreat(.stall, -1, -59.8) != nil && retreat(.behind, 1, 0) != nil)
    }
}
