import DockSimulator
import Geometry
import Testing

@testable import DockControl

/// The MAVLink driver against a gimbal simulated from the specification on mavlink.io.
@Suite struct MavlinkTests {
    typealias Rig = DeviceRig<SimulatedRig<MavlinkGimbal>>

    private static func rig(_ change: (inout MavlinkGimbal) -> Void = { _ in }) -> Rig {
        let rig = DriverRows.mavlink.rig()
        change(&rig.line.dock.electronics)
        return rig
    }

    @Test func `the gimbal reports its identity, and both sides send heartbeats`() {
        let rig = Self.rig()
        rig.run(3.5)
        #expect(rig.states.last == .ready, "\(rig.states) \(rig.notes)")
        #expect(
            rig.snapshot.device.identity
                == DockIdentity(model: "Acme Gimbal 3", firmware: "1.2.3", uid: "0102030405060708"))
        #expect(rig.line.dock.electronics.owner == .init(1, 191) && rig.line.dock.electronics.received.heartbeats >= 3)
    }

    @Test func `a gimbal that reports no identity is accepted`() {
        let rig = Self.rig { $0.isNameless = true }
        rig.run(3.5)
        #expect(rig.states.last == .ready && rig.snapshot.device.identity?.uid == "mavlink-1-154", "\(rig.states)")
    }

    @Test func `a gimbal that accepts no message rates is asked for every report`() {
        let rig = Self.rig { $0.knowsNoRates = true }
        rig.run(3)
        rig.give(.velocity(.degrees(pan: 20, tilt: 0), duration: 5))
        rig.run(1)
        #expect(abs(rig.speed - 20) < 3 && rig.notes.contains { $0.contains("not supported") }, "\(rig.speed)")
    }

    @Test func `denied control is reported, and nothing moves`() {
        let rig = Self.rig { $0.deniesControl = true }
        rig.run(3)
        #expect(
            !rig.states.contains(.ready) && rig.notes.filter { $0.contains("control of the gimbal: denied") }.count == 1
        )
        rig.give(.velocity(.degrees(pan: 20, tilt: 0), duration: 5))
        rig.run(1)
        #expect(rig.speed == 0 && rig.line.dock.electronics.received.obeyed == 0)
        rig.line.dock.electronics.deniesControl = false
        rig.run(3)
        #expect(rig.states.last == .ready, "control is requested again: \(rig.states)")
    }

    @Test func `if another component takes control, the driver reports it, does not fight it, and waits`() {
        let rig = Self.rig()
        rig.run(2)
        rig.give(.velocity(.degrees(pan: 20, tilt: 0), duration: 60))
        rig.run(1)
        rig.line.dock.electronics.giveControl(to: .init(255, 190))
        rig.run(0.2)
        let ignored = rig.line.dock.electronics.received.ignored
        rig.run(5)
        #expect(rig.line.dock.electronics.owner == .init(255, 190))
        #expect(rig.states.last != .ready && !rig.states.contains(.faulted(.followingError)), "\(rig.states)")
        #expect(rig.notes.contains { $0.contains("component 190 of system 255") }, "\(rig.notes)")
        #expect(rig.line.dock.electronics.received.ignored == ignored, "the driver fought for control")
        rig.line.dock.electronics.giveControl(to: .init(0, 0))
        rig.run(2)
        #expect(rig.states.last == .ready && rig.line.dock.electronics.owner == .init(1, 191))
        rig.give(.velocity(.degrees(pan: -20, tilt: 0), duration: 60))
        rig.run(1)
        #expect(rig.speed < -15)
    }

    @Test func `at the end the gimbal stands still, and the last command to it is a stop`() {
        let rig = Self.rig()
        rig.run(2)
        rig.give(.velocity(.degrees(pan: 20, tilt: 0), duration: 60))
        rig.run(1)
        #expect(rig.line.dock.electronics.owner == .init(1, 191) && rig.speed > 15)
        rig.end()
        rig.line.dock.advance(to: rig.now + 0.5)
        let place = rig.line.dock.pose
        rig.line.dock.advance(to: rig.now + 5)
        #expect((rig.line.dock.pose - place).magnitude < .degrees(0.1), "it holds")
    }

    @Test func `yaw relative to north is switched to base-relative before anything moves`() {
        let rig = Self.rig { $0.north = .degrees(70) }
        rig.run(4)
        #expect(rig.states.last == .ready && rig.line.dock.maximumSpeedSeen < .degrees(1), "\(rig.states) \(rig.notes)")
        rig.give(.velocity(.degrees(pan: 20, tilt: 0), duration: 5))
        rig.run(1)
        #expect(abs(rig.speed - 20) < 3 && rig.line.dock.pose.pan < .degrees(25))
        #expect(((rig.snapshot.pose ?? .zero) - rig.line.dock.pose).magnitude < .degrees(3))
    }

    @Test func `a failure latches with its name; a limit does not`() {
        let rig = Self.rig()
        rig.run(2)
        rig.line.dock.electronics.failures = 1 | 2 | 4
        rig.run(1)
        #expect(rig.states.last == .ready)
        rig.line.dock.electronics.failures = 32 | 8
        rig.run(1)
        #expect(
            rig.states.last == .faulted(.device) && rig.notes.contains { $0.contains("encoder, motor") }, "\(rig.notes)"
        )
        rig.line.dock.electronics.failures = 0
        rig.run(1)
        rig.give(.clear)
        rig.run(1)
        #expect(rig.states.last == .ready, "\(rig.answers)")
    }

    @Test func `a gimbal that calibrates itself is waited for`() {
        let rig = Self.rig { $0.failures = 256 }
        rig.run(3)
        #expect(!rig.states.contains(.ready) && !rig.states.contains(.faulted(.device)))
        rig.line.dock.electronics.failures = 0
        rig.run(1)
        #expect(rig.states.last == .ready)
    }

    @Test func `a reboot is detected by the gimbal's clock, and the gimbal is configured again`() {
        let rig = Self.rig()
        rig.run(3)
        rig.line.dock.reboot()
        rig.run(1.2)
        let states = rig.states
        rig.run(3)
        #expect(states.last == .greeting || rig.states.filter { $0 == .ready }.count == 2, "\(rig.states)")
        #expect(rig.states.last == .ready && rig.line.dock.electronics.owner == .init(1, 191), "\(rig.states)")
    }

    @Test func `the battery is reported`() {
        let rig = Self.rig { $0.battery = (11.1, 64) }
        rig.run(2)
        #expect(
            rig.snapshot.device.batteries.contains { $0.name == "gimbal" && $0.level == 0.64 && $0.voltage == 11.1 },
            "\(rig.snapshot.device.batteries)")
    }

    @Test func `a stop is obeyed wherever a frame of ours was cut off, and behind a corrupted length`() {
        let profile = DriverRows.mavlink.profile
        var writer = MavlinkWriter(names: MavlinkNames())
        let ours = [
            writer.heartbeat(), writer.command(.configureManager, to: 154, [1, 191, -1, -1, 0, 0, 154]),
            writer.pitchYaw(pitch: 0.5, yaw: 1),
        ]
        for frame in ours { #expect(frame.count <= MavlinkDriver.longestFrame) }
        let spoilt: [UInt8] = [0xFD, 0xFF, 1, 0, 0, 1, 191, 0x1F, 1, 0]
        let cuts = ours.flatMap { frame in (0..<frame.count).map { Array(frame[..<$0]) } }
        for (before, copies) in cuts.map({ ($0, 1) }) + [(spoilt, 2)] {
            var gimbal = Self.controlled()
            gimbal.receive(writer.pitchYaw(pitch: 0.5, yaw: 1))
            gimbal.receive(before)
            var driver = MavlinkDriver(profile: profile)
            var stop: [UInt8] = []
            for _ in 0..<copies { driver.encodeStop(into: &stop) }
            #expect(stop.count <= 256 * copies)
            gimbal.receive(stop)
            let wish = gimbal.tick(motors: .zero, rate: .zero, at: 1)
            #expect(
                wish == .zero && gimbal.received.obeyed >= 2,
                "cut behind \(before.count): \(wish), \(gimbal.received.obeyed)")
        }
    }

    @Test func `behind a resync the next set-point is obeyed`() {
        var writer = MavlinkWriter(names: MavlinkNames())
        let frame = writer.command(.configureManager, to: 154, [1, 191, -1, -1, 0, 0, 154])
        for cut in 0..<frame.count {
            var gimbal = Self.controlled(), driver = MavlinkDriver(profile: DriverRows.mavlink.profile),
                resync: [UInt8] = []
            driver.encodeResync(into: &resync)
            gimbal.receive(Array(frame[..<cut]) + resync + writer.pitchYaw(pitch: 0.5, yaw: 1))
            #expect(gimbal.received.obeyed == 1, "cut behind \(cut)")
        }
    }

    /// A gimbal that we control.
    private static func controlled() -> MavlinkGimbal {
        var gimbal = MavlinkGimbal(model: .good, options: [:])
        gimbal.giveControl(to: .init(1, 191))
        return gimbal
    }

    @Test func `a dry run requests no control`() {
        var driver = MavlinkDriver(profile: DriverRows.mavlink.profile)
        driver.begin(now: 0, motionless: true)
        var bytes: [UInt8] = [], reports: [DockReport] = []
        for tick in 0..<40 {
            let now = Double(tick) * 0.05
            _ = driver.service(now: now, into: &bytes)
            for hex in [MavlinkCodecTests.information, MavlinkCodecTests.turned] {
                MavlinkCodecTests.bytes(hex).withUnsafeBytes { driver.receive($0, now: now, into: &reports) }
            }
        }
        #expect(reports.contains(.ready))
        let asked = MavlinkCodecTests.frames(bytes).filter { $0.message == .commandLong }.map { $0.word(28) }
        #expect(!asked.isEmpty && !asked.contains(1001), "\(asked)")
    }
}

extension MavlinkGimbal {
    fileprivate mutating func receive(_ bytes: [UInt8]) { for byte in bytes { receive(byte, at: 0.5) } }
}
