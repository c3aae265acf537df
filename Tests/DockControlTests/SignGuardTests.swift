import DockSimulator
import Geometry
import Glibc
import Testing

@testable import DockControl

@Suite struct SignGuardTests {
    @Test(arguments: Axis.allCases, [DockFault.signSuspect, .pictureDoesNotFollow])
    func `the status of an axis and the advice of the fault name the same settings`(axis: Axis, fault: DockFault) {
        let verdict = SignGuard.Verdict(axis: axis, fault: fault)
        for line in verdict.lines {
            #expect(verdict.text.contains("`\(line)`") && fault.advice.contains("`\(line)`"), "\(fault.advice)")
        }
        #expect(!fault.advice.contains("`invert`"), "which axis?")
        // A person without a profile learns how to get one.
        if fault == .pictureDoesNotFollow { #expect(fault.advice.contains("dockface profiles show")) }
    }

    typealias Build = SignRig.Build

    private static func standing(_ pan: Double, _ tilt: Double = 0) -> (Seconds) -> PanTilt {
        { _ in .degrees(pan: pan, tilt: tilt) }
    }

    private static func rig(_ build: Build, cheap: Bool, rate: Double, at pan: Double, _ tilt: Double) -> SignRig {
        var build = build
        if cheap { build.model = .cheap }
        var rig = SignRig(
            build, profile: cheap ? LimitTests.cheap : .dlpDock, rate: rate, seed: 3,
            person: standing(pan, tilt))
        rig.run(40)
        return rig
    }

    @Test(arguments: [false, true], [5.0, 10, 15, 30])
    func `a pan axis that turns the wrong way is found within 2 s and 25 degrees`(cheap: Bool, rate: Double) throws {
        for build in [Build(turns: PanTilt(pan: -1, tilt: 1)), Build(mirrored: true)] {
            for pan in [4.0, 10, -10] {
                let rig = Self.rig(build, cheap: cheap, rate: rate, at: pan, pan * 0.3)
                let struck = try #require(rig.struck, "\(cheap) \(rate) \(pan)")
                #expect(rig.verdict == .init(axis: .pan, fault: .signSuspect))
                // The greeting comes first. Five frames a second show too little of it.
                let longest = rate < 10 ? 3.5 : 2.01
                #expect(struck.after <= longest && struck.turned <= .degrees(25), "\(struck) at \(rate), \(pan)")
            }
        }
    }

    @Test(arguments: [false, true], [10.0, 15, 30])
    func `a tilt axis that turns the wrong way is found`(cheap: Bool, rate: Double) throws {
        let rig = Self.rig(Build(turns: PanTilt(pan: 1, tilt: -1)), cheap: cheap, rate: rate, at: 0, 6)
        #expect(rig.verdict == .init(axis: .tilt, fault: .signSuspect), "\(rate) \(cheap)")
        #expect(rig.verdict?.lines == ["tilt.invert", "camera.rotate"])
        #expect((rig.struck?.turned ?? 9) < .degrees(25))
    }

    @Test(arguments: [false, true], [10.0, 15, 30])
    func `a camera that is not on the head is found`(cheap: Bool, rate: Double) throws {
        for pan in [10.0, -18] {
            let rig = Self.rig(Build(isFixed: true), cheap: cheap, rate: rate, at: pan, 0)
            let struck = try #require(rig.struck, "\(cheap) \(rate) \(pan)")
            #expect(rig.verdict?.fault == .pictureDoesNotFollow)
            #expect(struck.after < 5 && struck.turned < .degrees(70), "\(struck)")
            #expect(rig.verdict?.text.contains("`camera.mount`") == true)
        }
    }

    /// More of them on request; 480 were run when this was written.
    private static let seeds = getenv("DOCKFACE_SIGN_SEEDS").flatMap { Int(String(cString: $0)) } ?? 60

    /// A person who stands, sways, walks back and forth, jumps between two places (one number, two persons), dances, or
    /// runs past. Rigs good and cheap; cameras 60 ms too slow, 45 ms too fast; 5 to 30 frames a second; trembling and
    /// missed rectangles.
    private static func anybody(_ kind: Int, _ random: inout SeededRandom) -> (Seconds) -> PanTilt {
        let amplitude = 5 + 25 * random.uniform(), frequency = 0.05 + 0.35 * random.uniform()
        let start = 40 * random.uniform() - 20, phase = 6 * random.uniform()
        let speed = 10 + 40 * random.uniform(), turn = 1 + 4 * random.uniform()
        switch kind {
        case 0: return standing(start, start * 0.4)
        case 1:
            return { now in
                .degrees(pan: start + amplitude * sin(2 * .pi * frequency * now + phase), tilt: 5 * sin(now * 1.3))
            }
        case 2:
            return { now in
                let lap = abs((now / turn + phase).truncatingRemainder(dividingBy: 4) - 2) - 1
                return .degrees(pan: start + speed * turn * lap / 2, tilt: 0)
            }
        case 3:
            return { now in
                let beat = ((now / turn).rounded(.down) * 12.9898 + phase).truncatingRemainder(dividingBy: 2)
                return .degrees(pan: beat > 1 ? 12 : -12, tilt: beat > 1 ? 3 : 0)
            }
        case 5:
            // People run past one after the other.
            return { now in
                let lap = ((now + phase) / turn).truncatingRemainder(dividingBy: 1) - 0.5
                return .degrees(pan: 2 * speed * turn * lap, tilt: start * 0.3)
            }
        case 6:
            // Swings back and forth faster than a person walks, from the start.
            let quick = 0.3 + 0.75 * frequency, wide = min(amplitude, 80 / (2 * .pi * quick))
            return { now in
                .degrees(pan: start / 2 + wide * sin(2 * .pi * quick * now + phase), tilt: start * 0.2)
            }
        default:
            return { now in
                .degrees(pan: start + 8 * sin(now * 3.1 + phase) + 12 * sin(now * 0.7), tilt: 4 * sin(now * 2.3))
            }
        }
    }

    @Test(arguments: 0..<7) func `no correct rig is ever accused, whatever people do`(kind: Int) {
        var holds = 0
        // Once accused: people who run back and forth, before a camera that is 60 ms too slow.
        for seed in Array(1...Self.seeds) + (kind == 6 ? [309, 1617] : []) {
            var random = SeededRandom(seed: UInt64(seed * 7 + kind))
            let person = Self.anybody(kind, &random)
            let cheap = random.uniform() < 0.5
            var build = Build()
            if cheap { build.model = .cheap }
            build.lateness = [0, 0.06, -0.045, 0.03][seed % 4]
            // A person who swings this quickly is a blur to a slow camera.
            let rate = [5.0, 7.5, 10, 15, 25, 30][Int(random.uniform() * 6)] + (kind == 6 ? 10 : 0)
            var rig = SignRig(
                build, profile: cheap ? LimitTests.cheap : .dlpDock, rate: rate, seed: UInt64(seed), person: person)
            rig.jitter = 0.1 * random.uniform()
            rig.misses = 0.2 * random.uniform()
            // The tracker takes the person for another one again and again.
            let changes = 3 * random.uniform()
            if seed % 3 == 0 { rig.subject = { Int($0 * changes) } }
            rig.run(15)
            holds += rig.holds
            #expect(rig.verdict == nil, "seed \(seed): \(String(describing: rig.verdict)) \(rig.struck as Any)")
        }
        // It seldom has to test.
        #expect(holds < Self.seeds * 5)
    }

    @Test func `a trembling encoder proves nothing`() {
        var guarding = SignGuard()
        let camera = CameraModel(camera: RigProfile.Camera())
        for frame in 0..<60 {
            // Pose and image tremble against each other, as if the head had turned.
            let tremble = Double.degrees(frame % 4 < 2 ? 1.3 : -1.3), now = 100 + Double(frame) / 15
            let pose = PanTilt(pan: tremble, tilt: 0)
            let rect = Rect(
                center: camera.project(.zero, from: pose) ?? Point(x: 0.5, y: 0.5), width: 0.1, height: 0.18)
            guarding.sighted(
                subject: 1, outline: FaceOutline(of: rect, camera: camera, from: pose), pose: pose, error: .zero,
                exposure: now, now: now)
            #expect(guarding.most(.pan, now: now) <= SignGuard.unprovenSpeed)
        }
    }

    @Test(arguments: [false, true])
    func `what head and person did while the machine slept is no evidence`(isKnown: Bool) {
        var guarding = SignGuard(fastest: .degrees(90))
        let camera = CameraModel(camera: RigProfile.Camera())
        for frame in 0..<30 {
            // The clock stands still for the sleep. The head went on for 9 degrees, and the person for 20.
            let hasSlept = frame >= 15, now = 100 + Double(frame) / 15
            let pose = PanTilt.degrees(pan: hasSlept ? 9 : 0, tilt: 0)
            if isKnown, frame == 15 { guarding.timeJumped() }
            let point = camera.project(.degrees(pan: hasSlept ? 24 : 4, tilt: 0), from: pose)
            let rect = Rect(center: point ?? Point(x: 0.5, y: 0.5), width: 0.1, height: 0.18)
            guarding.sighted(
                subject: 1, outline: FaceOutline(of: rect, camera: camera, from: pose), pose: pose, error: .zero,
                exposure: now, now: now)
        }
        #expect(isKnown ? guarding.pan.evidence.reversed <= 0 : guarding.pan.evidence.reversed > 1)
    }

    @Test(arguments: 1...10 as ClosedRange<UInt64>, [10.0, 30])
    func `a camera that comes loose after the proof is found, too`(seed: UInt64, rate: Double) throws {
        var rig = SignRig(Build(loosens: 75), rate: rate, seed: seed) { now in
            // Walks about for a minute, and then stands 20 degrees aside.
            now < 175
                ? .degrees(pan: 18 * sin(0.9 * now) + 7 * sin(2.1 * now), tilt: 3 * sin(now))
                : .degrees(pan: (18 * sin(0.9 * 175) + 7 * sin(2.1 * 175)) + 20, tilt: 3 * sin(175))
        }
        rig.run(100)
        #expect(rig.verdict == .init(axis: .pan, fault: .pictureDoesNotFollow), "\(rig.turnedLoose.inDegrees)")
        #expect(rig.turnedLoose < .degrees(130), "\(rig.turnedLoose.inDegrees)")
    }

    @Test(arguments: 1...6 as ClosedRange<UInt64>, [30.0, 60])
    func `a camera that comes loose is found with a slow head, too`(seed: UInt64, rate: Double) throws {
        var profile = RigProfile.dlpDock
        (profile.pan.maxSpeed, profile.tilt.maxSpeed) = (.degrees(20), .degrees(20))
        // At 60 frames a second, and 3 degrees aside, it is not (docs/SAFETY.md).
        for aside in rate < 60 ? [3.0, 20] : [20] {
            var rig = SignRig(Build(loosens: 75), profile: profile, rate: rate, seed: seed) { now in
                let walk = 15 * sin(0.7 * min(now, 175)) + 4 * sin(1.9 * min(now, 175))
                return .degrees(pan: walk + (now < 175 ? 0 : aside), tilt: 3 * sin(min(now, 175)))
            }
            rig.run(110)
            #expect(rig.verdict?.fault == .pictureDoesNotFollow, "\(aside): \(rig.turnedLoose.inDegrees)")
            #expect(rig.turnedLoose < .degrees(260), "\(rig.turnedLoose.inDegrees)")
        }
    }

    @Test(arguments: [5.0, 8, 10, 15, 30]) func `an unproven axis turns in bursts of nine degrees, with pauses`(
        rate: Double
    ) {
        var random = SeededRandom(seed: 3), guarding = SignGuard()
        let camera = CameraModel(camera: RigProfile.Camera())
        var now = 100.0, nextFrame = now, burst = 0.0, longest = 0.0, pause = 0.0, shortest = 9.0
        while now < 160 {
            now += 0.005
            if now >= nextFrame {
                nextFrame += (1 + 0.3 * (random.uniform() - 0.5)) / rate
                let rect = Rect(center: Point(x: 0.6, y: 0.5), width: 0.1, height: 0.18)
                guarding.sighted(
                    subject: 1, outline: FaceOutline(of: rect, camera: camera, from: .zero), pose: .zero,
                    error: .degrees(pan: 6, tilt: 0), exposure: now, now: now)
            }
            let most = guarding.most(.pan, now: now)
            if most > 0 {
                if pause > 0, burst > 0 { (shortest, burst) = (min(shortest, pause), 0) }
                (burst, pause) = (burst + most * 0.005, 0)
                longest = max(longest, burst)
            } else {
                pause += 0.005
            }
            #expect(most <= SignGuard.unprovenSpeed)
        }
        #expect(longest > .degrees(8) && longest < .degrees(9.7), "\(longest.inDegrees)")
        #expect(shortest > 0.09, "\(shortest)")
    }

    @Test(arguments: 1...20) func `a fixed camera does not lead a slow head far`(seed: UInt64) throws {
        var profile = LimitTests.cheap
        (profile.pan.maxSpeed, profile.tilt.maxSpeed) = (.degrees(20), .degrees(20))
        var rig = SignRig(
            Build(isFixed: true, model: .cheap), profile: profile, rate: 30, seed: seed, person: Self.standing(22, 9))
        rig.run(30)
        let struck = try #require(rig.struck, "seed \(seed)")
        #expect(rig.verdict?.fault == .pictureDoesNotFollow && struck.turned < .degrees(75), "\(struck)")
    }

    @Test func `an unproven axis is tested at least every 45 degrees, however little that shows`() {
        var guarding = SignGuard()
        let camera = CameraModel(camera: RigProfile.Camera())
        var asked: [Double] = []
        // The head does not stand still during a test, so no test gives an answer; the face keeps its place in the image.
        for frame in 0..<900 {
            let now = 100 + Double(frame) / 30, pose = PanTilt(pan: .degrees(Double(frame) * 0.37 - 165), tilt: 0)
            let rect = Rect(center: Point(x: 0.7, y: 0.5), width: 0.1, height: 0.18)
            let before = guarding.holdUntil.pan
            guarding.sighted(
                subject: 1, outline: FaceOutline(of: rect, camera: camera, from: pose), pose: pose,
                error: .degrees(pan: 12, tilt: 0), exposure: now, now: now)
            if guarding.holdUntil.pan != before { asked.append(pose.pan.inDegrees) }
        }
        let gaps = zip(asked, asked.dropFirst()).map { $1 - $0 }
        #expect(asked.count > 8 && gaps.allSatisfy { $0 < 46 }, "\(gaps)")
        #expect(165 - (asked.last ?? 0) < 46)
    }

    @Test func `another person resets the evidence, and a verdict stays until it is withdrawn`() throws {
        var rig = SignRig(Build(mirrored: true), person: Self.standing(4))
        rig.subject = { Int($0 * 5) }
        rig.run(0.5)
        #expect(rig.verdict == nil, "no person was seen long enough")
        rig = SignRig(Build(mirrored: true), person: Self.standing(4))
        rig.run(12)
        let verdict = try #require(rig.verdict)
        rig.director.pursuit.reset()
        #expect(rig.verdict == verdict)
        rig.director.pursuit.signs.reset()
        #expect(rig.verdict == nil)
    }
}
