import DockSimulator
import Geometry
import Testing

@testable import DockControl

/// Rigs whose position is polled over a slow line, or known only from the commands: long runs of the loop's core.
@Suite struct PolledRigTests {
    @Test func `Maestro: a latched rig stands still and refuses motion; cleared, it moves`() {
        latches(DriverRows.maestro)
    }
    @Test func `VISCA: a latched rig stands still and refuses motion; cleared, it moves`() { latches(DriverRows.visca) }

    private func latches<Electronics: RigElectronics>(_ row: DriverRow<Electronics>) {
        let rig = row.rig()
        rig.run(2)
        rig.give(.velocity(.degrees(pan: 40, tilt: 0), duration: 60))
        rig.run(0.8)
        #expect(rig.speed > 30)
        rig.give(.emergencyStop)
        rig.run(0.6)
        #expect(rig.states.last == .faulted(.emergencyStop) && abs(rig.speed) < 0.5)
        let place = rig.line.dock.pose
        rig.give(.velocity(.degrees(pan: 40, tilt: 0), duration: 60))
        rig.run(3)
        #expect((rig.line.dock.pose - place).magnitude < .degrees(0.5))
        rig.give(.clear)
        rig.run(0.7)
        #expect(rig.states.last == .ready && abs(rig.speed) < 0.5, "\(rig.states)")
        rig.give(.velocity(.degrees(pan: -40, tilt: 0), duration: 60))
        rig.run(0.8)
        #expect(rig.speed < -30)
    }

    @Test(arguments: Array(1...5) as [UInt64])
    func `Maestro: a minute of all kinds of motion with the pose known all the time`(
        seed: UInt64
    ) {
        let worst = roams(DriverRows.maestro, seed: seed)
        // The lag of a servo differs a little from the model's.
        #expect(worst < 4, "\(worst)")
    }

    @Test(arguments: Array(1...5) as [UInt64])
    func `VISCA: a minute of all kinds of motion with the pose known and no false fault`(
        seed: UInt64
    ) {
        let worst = roams(DriverRows.visca, seed: seed)
        // The rig's latency in both directions at full speed, and the time of a packet.
        #expect(worst < 4, "\(worst)")
    }

    /// A line without latency; a direct USB port comes close to it.
    private static let direct: RigModel = {
        var model = RigModel.good
        (model.commandLatency, model.commandJitter, model.reportAge) = (0.001, 0.000_5, 0.001)
        return model
    }()

    /// Changes the profile to describe the worn rig.
    private static func worn(_ profile: inout RigProfile, lag: Seconds) {
        for axis in [\RigProfile.pan, \RigProfile.tilt] {
            profile[keyPath: axis].maxSpeed = .degrees(80)
            profile[keyPath: axis].maxAcceleration = .degrees(250)
            profile[keyPath: axis].lag = lag
        }
        profile.commandLatency += 0.015
    }

    @Test func `Maestro: immediate answers, and late ones behind a bad adapter with worn gears`() {
        let direct = roams(DriverRows.maestro, seed: 4, model: Self.direct)
        let worn = roams(DriverRows.maestro, seed: 4, model: .cheap) { Self.worn(&$0, lag: 0.16) }
        #expect(direct < 3 && worn < 8, "\(direct) \(worn)")
    }

    @Test func `VISCA: immediate answers, and late ones behind a bad adapter with worn gears`() {
        let direct = roams(DriverRows.visca, seed: 4, model: Self.direct)
        let worn = roams(DriverRows.visca, seed: 4, model: .cheap) { Self.worn(&$0, lag: 0.08) }
        #expect(direct < 3 && worn < 6, "\(direct) \(worn)")
    }

    /// The largest error of a reported pose at its time, degrees.
    private func roams<Electronics: RigElectronics>(
        _ row: DriverRow<Electronics>, seed: UInt64, model: RigModel = .good,
        _ change: (inout RigProfile) -> Void = { _ in }
    ) -> Double {
        // Inside the rig's own ends, so that an overshoot shows.
        let rig = row.rig(seed: seed, model: model) {
            $0.tilt.range = .degrees(-25)...(.degrees(75))
            change(&$0)
        }
        let profile = rig.profile
        var random = SeededRandom(seed: seed), worst = 0.0, beyond = -1000.0
        rig.run(2)
        let states = rig.states
        for _ in 0..<40 {
            let pan = (random.uniform() * 2 - 1) * (random.uniform() < 0.3 ? 3 : 90)
            let tilt = (random.uniform() * 2 - 1) * (random.uniform() < 0.3 ? 2 : 60)
            switch random.next() % 8 {
            case 0: rig.give(.stop)
            case 1: rig.give(.home)
            default: rig.give(.velocity(.degrees(pan: pan, tilt: tilt), duration: 1 + random.uniform()))
            }
            rig.run(0.2 + 2 * random.uniform()) {
                guard let sample = rig.snapshot.device.poses.sample else { return }
                let off = (sample.pose - rig.line.dock.pose(at: sample.time)).magnitude.inDegrees
                worst = max(worst, off)
                let pose = rig.line.dock.pose
                for axis in Axis.allCases {
                    let range = profile[axis].range
                    beyond = max(
                        beyond, (range.lowerBound - pose[axis]).inDegrees, (pose[axis] - range.upperBound).inDegrees)
                }
            }
        }
        rig.give(.stop)
        rig.run(1)
        #expect(beyond <= 0, "\(beyond)")
        #expect(rig.states == states, "\(rig.states) \(rig.notes)")
        #expect(abs(rig.speed) < 0.5)
        return worst
    }

    @Test func `after any packets the VISCA driver still works and hears a camera`() {
        var random = SeededRandom(seed: 5)
        var driver = ViscaDriver(profile: DriverRows.visca.profile), camera = ViscaCamera(model: .good, options: [:])
        var now: Seconds = 100, reports: [DockReport] = [], out: [UInt8] = []
        driver.begin(now: now, motionless: false)
        for round in 0..<20_000 {
            now += 0.005
            _ = driver.service(now: now, into: &out)
            var noise: [UInt8] = []
            for _ in 0..<4 {
                var packet = ViscaTests.bytes(
                    ViscaTests.answers[Int(random.next() % UInt64(ViscaTests.answers.count))].hex)
                if random.uniform() < 0.5 {
                    packet[Int(random.next() % UInt64(packet.count))] = UInt8(truncatingIfNeeded: random.next())
                }
                noise += packet
            }
            noise.withUnsafeBytes { driver.receive($0, now: now, into: &reports) }
            driver.encode(round % 7 == 0 ? .stop : .velocity(.degrees(pan: 10, tilt: 5)), now: now, into: &out)
            #expect(out.count < 200)
            reports.removeAll(keepingCapacity: true)
            out.removeAll(keepingCapacity: true)
        }
        driver.begin(now: now, motionless: false)
        for _ in 0..<2000 {
            now += 0.001
            out = []
            _ = driver.service(now: now, into: &out)
            for byte in out { camera.receive(byte, at: now) }
            _ = camera.tick(motors: .zero, rate: .zero, at: now)
            camera.drainOutput().withUnsafeBytes { driver.receive($0, now: now, into: &reports) }
        }
        #expect(reports.contains(.ready))
    }
}
