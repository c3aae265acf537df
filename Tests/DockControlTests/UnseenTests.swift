import DockSimulator
import DockTypes
import DockWire
import Geometry
import Testing

@testable import DockControl

/// A motor that turns while its encoder stands still: commanded motion that was not seen is never forgotten.
@Suite struct UnseenTests {
    /// A rig whose pan motor turns while its reports stand still, and how far it got, degrees.
    private static func frozen(cheap: Bool) -> FollowRig {
        var rig = FollowRig(cheap: cheap, seed: cheap ? 3 : 4)
        rig.run(0.5)
        rig.frozen = rig.plant.motors
        return rig
    }

    private static let taps = [(10.0, 0.2), (20, 0.2), (60, 0.2), (30, 0.4), (5, 0.8), (100, 0.15)]

    @Test(arguments: [false, true], taps)
    func `taps with pauses between them turn a motor with a dead encoder by a few degrees and no further`(
        cheap: Bool, tap: (speed: Double, length: Double)
    ) {
        for pause in [0.3, 1.2, 5] {
            var rig = Self.frozen(cheap: cheap)
            for _ in 0..<80 where rig.verdict == nil {
                rig.turn(.degrees(pan: tap.speed, tilt: 0), for: tap.length)
                rig.run(tap.length + pause)
            }
            #expect(
                rig.verdict?.fault == .stall && rig.verdict?.direction == 1, "\(pause): \(rig.verdict.debugDescription)"
            )
            let walked = rig.plant.motors.pan.inDegrees, most = 13 + tap.speed * tap.length * (pause < 1 ? 2 : 1)
            #expect(walked < most, "\(pause): \(walked) of \(most)")
        }
    }

    @Test(arguments: [false, true], [1.5, 1.9, 3])
    func `a slow steady motion does not turn a motor with a dead encoder for long`(cheap: Bool, speed: Double) {
        var rig = Self.frozen(cheap: cheap)
        rig.turn(.degrees(pan: -speed, tilt: 0), for: 60)
        rig.run(60)
        #expect(rig.verdict?.fault == .stall && rig.verdict?.direction == -1)
        #expect(rig.plant.motors.pan.inDegrees > -14, "\(rig.plant.motors.pan.inDegrees)")
    }

    @Test func `a creeping motion that is not seen is ended, each time sooner`() {
        var rig = Self.frozen(cheap: false)
        var walked = 0.0
        for time in 0..<3 {
            rig.turn(.degrees(pan: 1.2, tilt: 0), for: 60)
            rig.run(60)
            #expect(rig.verdict == .init(axis: .pan, kind: .creep, direction: 1))
            #expect(rig.verdict?.mayRetreat == false)
            let now = rig.plant.motors.pan.inDegrees
            #expect(now - walked < (time == 0 ? 16.5 : 4), "\(time): \(now - walked)")
            walked = now
            rig.forgetVerdict()
            rig.halt()
            rig.run(2)
        }
    }

    @Test(arguments: [false, true])
    func `stops, handshakes and silences between the taps do not reset the evidence`(cheap: Bool) {
        var rig = Self.frozen(cheap: cheap)
        for tap in 0..<30 where rig.verdict == nil {
            rig.turn(.degrees(pan: 25, tilt: 0), for: 0.25)
            rig.run(0.9)
            switch tap % 3 {
            case 0: rig.halt()
            case 1: rig.watch.reset()
            default:
                let end = rig.now + 2
                rig.isMute = { $0 < end }
                rig.run(2)
            }
            rig.run(0.5)
        }
        #expect(rig.verdict == .init(axis: .pan, kind: .unseen, direction: 1))
        #expect(rig.plant.motors.pan.inDegrees < 25, "\(rig.plant.motors.pan.inDegrees)")
    }

    @Test func `a person's confirmation is accepted`() {
        var rig = Self.frozen(cheap: false)
        for _ in 0..<10 {
            rig.turn(.degrees(pan: 20, tilt: 0), for: 0.25)
            rig.run(2)
            rig.watch.resetAll()
        }
        #expect(rig.verdict == nil)
    }

    /// Taps of every length and speed, some too short to move the axis, mostly in one direction.
    @Test(arguments: 0..<4) func `no correct rig that is tapped is accused`(part: Int) {
        for seed in 0..<30 {
            var random = SeededRandom(seed: UInt64(part * 1000 + seed))
            let cheap = seed % 2 == 1
            let base = cheap ? RigModel.cheap : .good
            var model = seed % 3 == 0 ? FollowRig.slow(base, by: 0.5) : base
            model.commandLatency += 0.1 * random.uniform()
            var rig = FollowRig(cheap: cheap, model: model, seed: UInt64(seed))
            rig.reportPeriod = seed % 4 == 0 ? 0.1 : 0.02
            rig.run(0.5)
            for _ in 0..<60 {
                let length = 0.03 + 0.3 * random.uniform(), way = random.uniform() < 0.8 ? 1.0 : -1
                let speed = random.uniform() < 0.5 ? 1.5 + 6 * random.uniform() : 8 + 60 * random.uniform()
                rig.turn(.degrees(pan: way * speed, tilt: -way * speed / 3), for: length)
                rig.run(length + 0.05 + (random.uniform() < 0.3 ? 2 : 0.3) * random.uniform())
                if random.uniform() < 0.1 { rig.halt() }
                if abs(rig.plant.pose.pan) > .degrees(80) {
                    _ = rig.director.apply(.home, now: rig.now, pose: rig.plant.pose)
                    rig.run(5)
                }
            }
            #expect(rig.verdict == nil, "\(part) \(seed): \(rig.verdict.debugDescription) at \(rig.struckAt)")
        }
    }

    @Test func `a rig whose motors stick is not accused however long a creeping motion is commanded`() {
        var rig = FollowRig(cheap: true)
        rig.turn(.degrees(pan: 1.4, tilt: -1.2), for: 600)
        rig.run(600)
        #expect(rig.verdict?.kind == .creep || rig.verdict == nil)
    }
}

/// The same with the whole loop.
@Suite struct UnseenLoopTests {
    private static func tapped(_ speed: Double, between: (CoreRig) -> Void) -> CoreRig {
        let rig = CoreRig()
        rig.run(1)
        rig.line.dock.faults.frozenEncoders = [.pan]
        for _ in 0..<40 {
            if case .faulted = rig.snapshot.dock { break }
            rig.give(.velocity(.degrees(pan: speed, tilt: 0), duration: 0.2))
            rig.run(1.3)
            between(rig)
        }
        return rig
    }

    @Test func `taps with stops, modes and torque on between them end in a stall`() {
        var tap = 0
        let rig = Self.tapped(40) { rig in
            tap += 1
            rig.give([.stop, .setMode(.system), .setMode(.manual), .torque(true)][tap % 4])
            rig.run(0.2)
        }
        #expect(rig.snapshot.dock == .faulted(.stall))
        #expect(abs(rig.line.dock.pose.pan.inDegrees) < 26, "\(rig.line.dock.pose.pan.inDegrees)")
        #expect(rig.notes.contains { $0.contains("its encoder is dead") })
        // After a clear it is trusted once more, and found out once more.
        rig.give(.clear)
        rig.run(0.5)
        #expect(rig.snapshot.dock == .ready)
        let cleared = rig.line.dock.pose.pan.inDegrees
        for _ in 0..<40 where rig.snapshot.dock == .ready {
            rig.give(.velocity(.degrees(pan: 40, tilt: 0), duration: 0.2))
            rig.run(1.3)
        }
        #expect(rig.snapshot.dock == .faulted(.stall))
        #expect(rig.line.dock.pose.pan.inDegrees - cleared < 26)
    }

    @Test func `a person who clears has checked the axes, a program has not`() {
        for program in [nil, ProgramID(1)] {
            let rig = CoreRig()
            rig.run(1)
            rig.line.dock.faults.frozenEncoders = [.pan]
            for _ in 0..<2 {
                rig.give(.velocity(.degrees(pan: 40, tilt: 0), duration: 0.2))
                rig.run(1.3)
                rig.give(.clear, program: program)
                rig.run(0.3)
            }
            #expect(rig.notes.contains { $0.contains("its encoder is dead") } == (program != nil), "\(rig.notes)")
        }
    }

    @Test func `clearing an emergency stop does not reset the evidence`() {
        var announced: Double?
        let rig = Self.tapped(40) { rig in
            guard rig.snapshot.dock == .ready else { return }
            // A person who has read about the stall has checked the axis when they clear.
            if announced == nil, rig.notes.contains(where: { $0.contains("its encoder is dead") }) {
                announced = rig.line.dock.pose.pan.inDegrees
            }
            rig.give(.emergencyStop)
            rig.run(0.3)
            rig.give(.clear)
            rig.run(0.3)
        }
        let walked = announced ?? rig.line.dock.pose.pan.inDegrees
        #expect(rig.notes.contains { $0.contains("its encoder is dead") })
        #expect(abs(walked) < 26, "\(walked)")
    }

    @Test func `a slow motion of a minute ends with a message to people, without a fault`() {
        let rig = CoreRig()
        rig.run(1)
        rig.line.dock.faults.frozenEncoders = [.pan]
        rig.give(.velocity(.degrees(pan: 1.3, tilt: 0), duration: 60))
        rig.run(30)
        #expect(rig.snapshot.dock == .ready && rig.snapshot.motion == nil)
        #expect(rig.line.dock.pose.pan.inDegrees < 17 && rig.speed == 0, "\(rig.line.dock.pose.pan.inDegrees)")
        #expect(rig.notes.contains { $0.contains("has not been seen to move") })
    }
}

/// Rates that do not fit the poses.
@Suite struct RateTests {
    /// Beyond its upper end, whatever rate it reports: never outward.
    @Test(arguments: [-2000.0, -300, 0, 300, 2000])
    func `a dock beyond its range is not driven outward whatever rate it reports`(rate: Double) {
        var configuration = SimulatedDock.Configuration(model: .good, seed: 3)
        configuration.pose = .degrees(pan: 0, tilt: 79)
        var profile = RigProfile.dlpDock
        profile.tilt.range = .degrees(-20)...(.degrees(70))
        let rig = CoreRig(configuration, profile: profile)
        rig.line.dock.faults.falseRates = .degrees(pan: 0, tilt: rate)
        rig.run(1)
        rig.line.written = []
        rig.give(.velocity(.degrees(pan: 0, tilt: 100), duration: 3))
        rig.run(1)
        // The dock keeps its limits by itself, so the test checks the commands.
        var decoder = FrameDecoder(), outward: [Int32] = []
        for byte in rig.line.written {
            guard let frame = try? decoder.push(byte), case .setpoint(let setpoint)? = try? HostMessage(frame) else {
                continue
            }
            if setpoint.tiltVelocity > 0 { outward.append(setpoint.tiltVelocity) }
        }
        #expect(outward.isEmpty, "\(outward)")
    }

    @Test(arguments: [-2000.0, -60, 60, 2000])
    func `a dock is stopped before its end whatever rate it reports`(rate: Double) {
        let rig = CoreRig()
        rig.run(1)
        rig.line.dock.faults.falseRates = .degrees(pan: rate, tilt: 0)
        rig.give(.velocity(.degrees(pan: 110, tilt: 0), duration: 9))
        var furthest = 0.0
        rig.run(6) { furthest = max(furthest, rig.line.dock.pose.pan) }
        let end = rig.profile.pan.range.upperBound
        #expect(furthest < end + .degrees(0.3), "\(furthest.inDegrees) of \(end.inDegrees)")
        #expect(rig.notes.contains { $0.contains("does not match its reported positions") })
    }

    @Test(arguments: [false, true]) func `the rates of a correct rig are accepted unchanged`(cheap: Bool) {
        for seed in 0..<20 {
            var random = SeededRandom(seed: UInt64(seed))
            let model = cheap ? RigModel.cheap : .good
            var plant = Plant(model: model)
            var watch = RateWatch(profile: cheap ? LimitTests.cheap : .dlpDock)
            var commanded = PanTilt.zero, doubts = 0
            for step in 0..<6000 {
                if step % 300 == 0 {
                    commanded = .degrees(pan: 200 * random.uniform() - 100, tilt: 60 * random.uniform() - 30)
                    if plant.pose.pan > .degrees(100) { commanded.pan = -abs(commanded.pan) }
                    if plant.pose.pan < .degrees(-100) { commanded.pan = abs(commanded.pan) }
                }
                plant.advance(0.002, toward: commanded)
                guard step % 10 == 0 else { continue }
                let noise = PanTilt(pan: random.normal(), tilt: random.normal()) * model.reportNoise
                let sample = MotionSample(time: Double(step) * 0.002, pose: plant.motors + noise, rate: plant.rate)
                if watch.believed(sample).rate != sample.rate { doubts += 1 }
            }
            #expect(doubts == 0 && !watch.isContradicted, "\(seed): \(doubts)")
        }
    }

    @Test func `a rate of the wrong sign is not trusted for long`() {
        var watch = RateWatch(profile: .dlpDock)
        var last = PanTilt.zero
        for step in 0..<200 {
            let time = Double(step) * 0.02
            let sample = MotionSample(
                time: time, pose: .degrees(pan: 40 * time, tilt: 0), rate: .degrees(pan: -40, tilt: 0))
            last = watch.believed(sample).rate
            if time > 0.2 { #expect(last.pan >= 0, "\(time): \(last.pan.inDegrees)") }
        }
        #expect(watch.isContradicted)
    }
}
