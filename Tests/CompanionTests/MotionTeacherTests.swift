import DockControl
import DockTypes
import Geometry
import Glibc
import Testing

@testable import Companion

@Suite struct MotionTeacherTests {
    /// Numbers from a seed.
    struct Noise {
        var state: UInt64
        /// Uniform in -1...1.
        mutating func next() -> Double {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Double(state >> 11) / 0x1p52 - 1
        }
        /// Approximately normal, deviation 1.
        mutating func normal() -> Double { (0..<12).reduce(0) { sum, _ in sum + (next() + 1) / 2 } - 6 }
    }

    /// The motion of a hand: time (s) in, degrees out.
    typealias Hand = @Sendable (Double) -> (pan: Double, tilt: Double)

    static func glide(_ time: Double, _ from: Double, _ to: Double) -> Double {
        let s = ((time - from) / (to - from)).clamped(to: 0...1)
        return s * s * s * (10 + s * (6 * s - 15))
    }

    static let hands: [(String, Double, Hand)] = [
        ("one sweep", 4, { (glide($0, 1, 3) * 60, 0) }),
        ("there and back", 5, { (glide($0, 1, 2) * 30 - glide($0, 2.5, 4) * 30, glide($0, 1.2, 3) * 10) }),
        ("a wave", 6, { (glide($0, 0.5, 1) * 15 * sin(($0 - 0.5) * 4) * (1 - glide($0, 5, 5.6)), 0) }),
        (
            "even speed, abrupt at both ends", 5,
            { (($0 - 1).clamped(to: 0...3) * 12, -($0 - 1).clamped(to: 0...3) * 3) }
        ),
        ("a circle", 8, { (10 * sin($0 * 1.6), 10 - 10 * cos($0 * 1.6)) }),
        ("a long one", 55, { (25 * sin($0 * 0.7) + 8 * sin($0 * 1.9), 9 * sin($0 * 1.1)) }),
    ]

    /// Records a hand, with poses at 10 to 50 a second; nil noise: exact poses.
    static func record(
        _ hand: Hand, for duration: Double, seed: UInt64, noise: Double = 0.05
    ) -> (samples: [(time: Double, pose: PanTilt)], result: Result<MotionScript, DockError>) {
        var teacher = MotionTeacher(), random = Noise(state: seed), time = 100.0
        var samples: [(Double, PanTilt)] = []
        try? teacher.begin("greet", now: 100)
        while time < 100 + duration {
            let (pan, tilt) = hand(time - 100)
            let pose = PanTilt.degrees(
                pan: 20 + pan + noise * random.normal(), tilt: 5 + tilt + noise * random.normal())
            _ = teacher.record(pose, now: time)
            samples.append((time, pose))
            time += 0.06 + 0.04 * random.next()
        }
        return (samples, teacher.finish())
    }

    /// A rig as fast as a hand.
    static let strong: RigProfile = {
        var rig = RigProfile.dlpDock
        for axis in [\RigProfile.pan, \RigProfile.tilt] {
            rig[keyPath: axis].range = -3...3
            rig[keyPath: axis].maxSpeed = .degrees(1000)
            rig[keyPath: axis].maxAcceleration = .degrees(20_000)
        }
        return rig
    }()

    @Test(arguments: hands.indices, UInt64(1)...3)
    func `the replay stays within a degree of the hand's motion, at its pace`(hand: Int, seed: UInt64) throws {
        let (name, duration, body) = Self.hands[hand]
        let (samples, result) = Self.record(body, for: duration, seed: seed)
        let script = try result.get(), origin = PanTilt.degrees(pan: 20, tilt: 5)
        try MotionLibrary.checkTaught(script.name)
        let last = try #require(script.keys.last)
        #expect(MotionLibrary.problem(of: script) == nil)
        let run = ScriptRun(script, from: origin, profile: Self.strong, start: 0)
        #expect(abs(run.duration - last.time) < 1e-9, "\(name): not slower than the hand")
        // Where in the recording the script begins is unknown: the best match counts.
        let end = (samples.last?.time ?? 0) + 0.11
        var furthest = 99.0
        for (begin, _) in samples where begin + last.time <= end {
            var off = 0.0
            for (time, pose) in samples where time >= begin && time <= begin + last.time {
                off = max(off, (run.target(at: time - begin).pose - pose).magnitude.inDegrees)
                if off > furthest { break }
            }
            furthest = min(furthest, off)
        }
        #expect(furthest < 1, "\(name): \(furthest) degrees off with \(script.keys.count) keys")
        #expect(script.keys.count <= (duration > 20 ? 200 : 40), "\(name): \(script.keys.count) keys")
        for (key, next) in zip(script.keys, script.keys.dropFirst()) { #expect(next.time - key.time > 0.078) }
    }

    @Test(arguments: hands.indices)
    func `the replay never asks for more than a rig has`(hand: Int) throws {
        let (_, duration, body) = Self.hands[hand]
        let script = try Self.record(body, for: duration, seed: 7).result.get()
        let run = ScriptRun(script, from: .zero, profile: .dlpDock, start: 0)
        var last = PanTilt.zero, fastest = 0.0, hardest = 0.0
        for step in 0...Int(run.duration * 500) {
            let rate = run.target(at: Double(step) / 500).rate
            fastest = max(fastest, rate.magnitude)
            hardest = max(hardest, (rate - last).magnitude * 500)
            last = rate
        }
        #expect(fastest <= RigProfile.dlpDock.pan.maxSpeed * 1.05)
        #expect(hardest <= RigProfile.dlpDock.pan.maxAcceleration * 1.05)
    }

    @Test(arguments: UInt64(1)...10)
    func `noise adds no keys`(seed: UInt64) throws {
        let sweep = Self.hands[0].2
        let exact = try Self.record(sweep, for: 4, seed: seed, noise: 0).result.get()
        let noisy = try Self.record(sweep, for: 4, seed: seed).result.get()
        #expect(noisy.keys.count <= exact.keys.count + 1, "\(exact.keys.count) keys without noise")
        let pause: Hand = { (Self.glide($0, 1, 2) * 20 + Self.glide($0, 32, 33) * 20, 0) }
        let keys = try Self.record(pause, for: 34, seed: seed).result.get().keys
        #expect(keys.filter { $0.time > 1.6 && $0.time < 30 }.count <= 2, "half a minute of stillness is two keys")
    }

    @Test func `stillness at both ends is dropped, except for a tenth of a second`() throws {
        let script = try Self.record({ (Self.glide($0, 5, 7) * 60, 0) }, for: 12, seed: 1).result.get()
        let last = try #require(script.keys.last)
        #expect(last.time > 1.8 && last.time < 2.4, "lasts \(last.time)")
        #expect(abs(last.pan - 60) < 1)
        #expect(script.keys.first == MotionScript.Key(time: 0, pan: 0, tilt: 0))
        #expect(script.path == .flowing && script.name == "greet")
    }

    @Test func `a head that was not moved is no motion, and the error says what to do`() {
        let quiet: [Hand] = [{ _ in (0, 0) }, { (0.8 * sin($0), 0) }]
        for hand in quiet {
            guard case .failure(let error) = Self.record(hand, for: 5, seed: 3).result else {
                Issue.record("was a motion")
                continue
            }
            #expect(error.code == .invalidParameter && error.hint.contains("by hand"))
        }
        var none = MotionTeacher()
        let nothing = none.finish()
        #expect(nothing == .failure(DockError(.invalidParameter, "", hint: "")))
    }

    @Test func `after a minute it reports once that it is full, and keeps what it has`() throws {
        var teacher = MotionTeacher(), notices = 0
        try teacher.begin("long", now: 0)
        for tick in 0..<4000 {
            let time = Double(tick) / 50
            if teacher.record(.degrees(pan: 20 * sin(time), tilt: 0), now: time) { notices += 1 }
        }
        #expect(notices == 1 && teacher.isFull)
        #expect(teacher.elapsed(now: 80) == 60)
        let script = try teacher.finish().get()
        #expect((script.keys.last?.time ?? 0) > 59 && (script.keys.last?.time ?? 99) <= 60)
        #expect(teacher == MotionTeacher(), "ready for the next")
    }

    @Test func `wild shaking ends with at most 200 keys`() throws {
        var teacher = MotionTeacher()
        try teacher.begin("wild", now: 0)
        for tick in 0..<3000 {
            let time = Double(tick) / 50
            _ = teacher.record(.degrees(pan: 20 * sin(time * 19), tilt: 9 * sin(time * 13)), now: time)
        }
        #expect(try teacher.finish().get().keys.count == 200)
    }

    @Test func `one motion at a time, under a valid name`() throws {
        var teacher = MotionTeacher()
        func begin(_ name: String) -> DockError.Code? {
            do throws(DockError) {
                try teacher.begin(name, now: 1)
                return nil
            } catch { return error.code }
        }
        #expect(begin("No Name") == .invalidParameter)
        #expect(begin("nope") == .invalidParameter)
        #expect(teacher.name == nil)
        #expect(begin("a") == nil)
        #expect(begin("b") == .busy)
        #expect(teacher.name == "a")
        teacher.cancel()
        #expect(begin("b") == nil)
    }

    @Test func `implausible poses are left out`() throws {
        var teacher = MotionTeacher()
        try teacher.begin("a", now: 10)
        for tick in 0...100 {
            let time = 10 + Double(tick) * 0.02
            _ = teacher.record(.degrees(pan: 10 * Self.glide(time, 10.2, 11.5), tilt: 0), now: time)
            _ = teacher.record(PanTilt(pan: .nan, tilt: 0), now: time + 0.01)
            _ = teacher.record(PanTilt(pan: .infinity, tilt: 0), now: time + 0.01)
            _ = teacher.record(.degrees(pan: 170, tilt: 0), now: time - 1)
            _ = teacher.record(.degrees(pan: 170, tilt: 0), now: 3)
        }
        let script = try teacher.finish().get()
        #expect(script.keys.allSatisfy { abs($0.pan) < 11 && $0.time < 2 })
    }
}
