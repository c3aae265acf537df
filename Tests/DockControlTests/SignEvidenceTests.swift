import DockSimulator
import DockTypes
import Geometry
import Glibc
import Testing

@testable import DockControl

/// What must not keep the sign guard from its proof: high frame rates, hello messages, noise; and what moves the head.
@Suite struct SignEvidenceTests {
    private typealias Build = SignRig.Build

    private static func standing(_ pan: Double, _ tilt: Double = 0) -> (Seconds) -> PanTilt {
        { _ in .degrees(pan: pan, tilt: tilt) }
    }

    private static func rig(rate: Double, at pan: Double) -> SignRig {
        var rig = SignRig(Build(mirrored: true), rate: rate, seed: 3, person: standing(pan, pan * 0.3))
        rig.run(40)
        return rig
    }

    @Test(arguments: [60.0, 160, 240, 500, 1000]) func `a higher frame rate needs no more turning`(
        rate: Double
    ) throws {
        for pan in [4.0, 10, -10] {
            let rig = Self.rig(rate: rate, at: pan)
            let struck = try #require(rig.struck, "\(rate) \(pan)")
            #expect(rig.verdict == .init(axis: .pan, fault: .signSuspect))
            #expect(struck.after <= 2.01 && struck.turned <= .degrees(25), "\(struck) at \(rate), \(pan)")
        }
    }

    /// Manual motion by three degrees to either side, along one axis after the other.
    private static func nods(_ build: Build, rate: Double, seed: UInt64) -> SignRig {
        let at = (pan: Double(seed % 9) * 2 - 8, tilt: Double(seed % 5) - 1)
        var rig = SignRig(build, rate: rate, seed: seed, person: standing(at.pan, at.tilt))
        rig.jitter = 0.07
        _ = rig.director.apply(.setMode(.manual), now: rig.now, pose: .zero)
        rig.run(0.5)
        for axis in Axis.allCases {
            for way in [3.0, -6, 3] {
                var motion = PanTilt.zero
                motion[axis] = .degrees(way)
                let command = MotionCommand.orient(motion, duration: abs(way) / 15, relative: true)
                _ = rig.director.apply(command, now: rig.now, pose: rig.plant.pose)
                rig.run(abs(way) / 15 + 0.2)
            }
        }
        return rig
    }

    @Test(arguments: 1...10 as ClosedRange<UInt64>, [10.0, 15, 30, 160])
    func `a nod and a shake of three degrees prove both signs, and tracking soon convicts a wrong camera`(
        seed: UInt64, rate: Double
    ) {
        let right = Self.nods(Build(), rate: rate, seed: seed).director.pursuit.signs
        #expect(right.verdict == nil && right.isProven(.pan) && right.isProven(.tilt))
        for (build, wrong) in [
            (Build(mirrored: true), [Axis.pan]), (Build(turns: PanTilt(pan: 1, tilt: -1)), [.tilt]),
            (Build(isFixed: true), Axis.allCases),
        ] {
            var rig = Self.nods(build, rate: rate, seed: seed)
            #expect(wrong.allSatisfy { !rig.director.pursuit.signs.isProven($0) }, "\(build)")
            guard wrong.count == 1 else { continue }
            _ = rig.director.apply(.setMode(.system), now: rig.now, pose: nil)
            rig.run(10)
            // A person right in front gives no reason to turn.
            let isConvicted = rig.verdict == .init(axis: wrong[0], fault: .signSuspect)
            #expect(isConvicted || abs(rig.plant.pose[wrong[0]]) < .degrees(5), "\(build) \(rig.plant.pose)")
        }
    }

    /// The effect of a detector's hello on the pursuit, several times a second: the subject gets another number each
    /// time.
    @Test(arguments: [3.0, 10], [15.0, 30, 240])
    func `a detector that repeats its hello restarts nothing`(hellos: Double, rate: Double) throws {
        for pan in [-10.0, 4, 10] {
            var rig = SignRig(Build(mirrored: true), rate: rate, seed: 3, person: Self.standing(pan))
            var number = 0
            rig.subject = { _ in number }
            let begin = rig.now
            while rig.now < begin + 30, rig.struck == nil {
                rig.run(1 / hellos)
                number += 1
                rig.director.pursuit.reset()
            }
            let struck = try #require(rig.struck, "\(pan)")
            #expect(rig.verdict == .init(axis: .pan, fault: .signSuspect) && struck.turned < .degrees(40), "\(struck)")
        }
    }

    @Test func `an unproven axis stays near its start, and is free once it is proven`() {
        var reach = UnprovenReach()
        var pose = 0.0, now: Seconds = 100
        // Back and forth for a minute, by ten degrees: nothing limits it.
        while now < 160 {
            now += 0.02
            pose = .degrees(10 * sin(now))
            reach.recordPose(pose, isTracked: true, now: now)
            #expect(reach.allows(1) && reach.allows(-1))
        }
        let begin = pose
        while reach.allows(1), pose < 9 {
            now += 0.02
            pose += .degrees(1)
            reach.recordPose(pose, isTracked: true, now: now)
        }
        #expect(pose - begin < UnprovenReach.most + .degrees(1) && !reach.allows(1) && reach.allows(-1))
        // A little manual motion shifts the limit along; a larger one starts it again there.
        for _ in 0..<100 {
            now += 0.02
            reach.recordPose(pose, isTracked: false, now: now)
        }
        var far = reach
        reach.recordPose(pose + .degrees(4), isTracked: false, now: now + 0.02)
        reach.recordPose(pose + .degrees(5), isTracked: true, now: now + 0.04)
        far.recordPose(pose + .degrees(60), isTracked: false, now: now + 0.02)
        far.recordPose(pose + .degrees(61), isTracked: true, now: now + 0.04)
        #expect(far.allows(1) && far.allows(-1))
        #expect(!reach.allows(1) && reach.allows(-1))
    }

    @Test func `what tracking turned while reports were lost is in the range of an unproven axis`() {
        var reach = UnprovenReach()
        reach.recordPose(0, isTracked: true, now: 100)
        reach.recordPose(.degrees(15), isTracked: true, now: 100.3)
        // The pose is unknown for most of a second, and tracking moves nothing meanwhile.
        reach.recordPose(.degrees(26), isTracked: false, now: 101.1)
        reach.recordPose(.degrees(26), isTracked: true, now: 101.12)
        #expect(!reach.allows(1) && reach.allows(-1))
    }

    @Test func `where an unproven axis was turned while the dock was away, its range starts again`() {
        var reach = UnprovenReach()
        reach.recordPose(0, isTracked: true, now: 100)
        reach.recordPose(.degrees(60), isTracked: false, now: 110)
        reach.recordPose(.degrees(60), isTracked: true, now: 110.02)
        #expect(reach.allows(1) && reach.allows(-1))
    }

    @Test func `an unproven head that was tilted far up comes back to where frames show something`() {
        var pursuit = Pursuit(profile: .dlpDock)
        for step in 0...30 {
            let pose = PanTilt.degrees(pan: 0, tilt: 90 - Double(step))
            pursuit.recordPose(pose, isTracked: true, now: 100 + Double(step) * 0.1)
        }
        #expect(!pursuit.signs.hasRoom(.tilt, toward: -1))
        func down(_ tilt: Double) -> Double {
            pursuit.mayTurn(.tilt, by: -1, from: .degrees(pan: 0, tilt: tilt), now: 103)
        }
        #expect(down(64) == SignGuard.blindSpeed && down(59) == 0)
        #expect(pursuit.mayTurn(.tilt, by: 1, from: .degrees(pan: 0, tilt: 64), now: 103) == 0)
    }

    @Test func `an unproven axis without room stays at rest although no burst is recent`() {
        let bursts = BurstSequence()
        #expect(bursts.most(.pan, hasRoom: true, now: 100) == SignGuard.blindSpeed)
        #expect(bursts.most(.pan, hasRoom: false, now: 100) == 0)
    }

    @Test(arguments: [0.25, 0.4]) func `a head that stands still accuses no axis, however much its encoder trembles`(
        sigma: Double
    ) {
        let camera = CameraModel(camera: RigProfile.Camera())
        for seed in 1...10 as ClosedRange<UInt64> {
            var guarding = SignGuard(), random = SeededRandom(seed: seed)
            for frame in 0..<3600 {
                let now = 100 + Double(frame) / 30, pose = PanTilt(pan: random.normal(), tilt: random.normal())
                let person = PanTilt.degrees(pan: 15 * sin(0.7 * now), tilt: 12 + 2 * sin(1.1 * now))
                let rect = Rect(
                    center: camera.project(person, from: .zero) ?? Point(x: 0.5, y: 0.5), width: 0.1, height: 0.18)
                guarding.sighted(
                    subject: 1, outline: FaceOutline(of: rect, camera: camera, from: pose * .degrees(sigma)),
                    pose: pose * .degrees(sigma), error: person, exposure: now, now: now)
            }
            #expect(guarding.verdict == nil && !guarding.isProven(.pan) && !guarding.isProven(.tilt), "seed \(seed)")
        }
    }

    @Test(arguments: [0.2, 1, 3]) func `the trembling of frames is measured, whatever the head does`(sigma: Double) {
        for story in [-1.0, 0, 1] {
            var tremble = Tremble(), random = SeededRandom(seed: 7)
            for frame in 0..<150 {
                let pose = Double.degrees(9 * sin(Double(frame) * 0.4))
                let bearing = story * pose + .degrees(sigma) * random.normal()
                tremble.look(SignLook(time: Double(frame) / 30, bearing: bearing, own: pose, other: 0))
            }
            #expect(abs(tremble.deviation.inDegrees / sigma - 1) < 0.35, "\(story): \(tremble.deviation.inDegrees)")
        }
    }
}
