import DockControl
import DockSimulator
import DockWire
import Geometry
import Testing

@Suite struct DlpDriverTests {
    @Test func `the handshake and the configuration make the dock ready within half a second`() {
        var rig = VirtualRig()
        rig.run(until: 100.5)
        #expect(rig.machine.state == .ready)
        #expect(rig.machine.identity?.uid == "d0cface000000001")
        #expect(rig.poses.latest != nil)
    }

    @Test func `a velocity turns the dock in the right direction, at the right speed`() {
        var rig = VirtualRig()
        rig.makeReady()
        _ = rig.director.apply(.velocity(.degrees(pan: 30, tilt: 10), duration: 2), now: rig.now, pose: rig.pose)
        rig.run(until: rig.now + 1)
        #expect(abs(rig.dock.rate.pan.inDegrees - 30) < 1)
        #expect(abs(rig.dock.rate.tilt.inDegrees - 10) < 1)
        #expect(abs((rig.pose ?? .zero).pan.inDegrees - rig.dock.pose.pan.inDegrees) < 1)
    }

    @Test func `an inverted axis turns the motor the other way and looks the same from outside`() {
        var profile = RigProfile.dlpDock
        profile.pan.invert = true
        var rig = VirtualRig(profile: profile)
        rig.makeReady()
        _ = rig.director.apply(.velocity(.degrees(pan: 30, tilt: 0), duration: 2), now: rig.now, pose: rig.pose)
        rig.run(until: rig.now + 1)
        #expect(rig.dock.rate.pan < 0)
        #expect((rig.pose ?? .zero).pan > 0)
    }

    @Test func `a set-point is as long as the pace assumes`() throws {
        var rig = VirtualRig()
        rig.makeReady()
        var bytes: [UInt8] = []
        rig.driver.encode(.velocity(.degrees(pan: 5, tilt: -3)), now: rig.now, into: &bytes)
        let time = try #require(rig.driver.abilities.setpointTime)
        #expect(abs(time - Double(10 * bytes.count) / 115_200) < 1e-9, "\(bytes.count) bytes")
    }

    @Test func `the stop works as the last message after any cut frame`() throws {
        var driver = DlpDriver(profile: .dlpDock)
        var bytes: [UInt8] = [5, 16, 7, 1, 25]  // a set-point that was cut off
        driver.encodeStop(into: &bytes)
        var decoder = FrameDecoder()
        var last: HostMessage?
        for byte in bytes {
            if let frame = try? decoder.push(byte) { last = try HostMessage(frame) }
        }
        guard case .setpoint(let setpoint)? = last else {
            Issue.record("the last frame is not a set-point")
            return
        }
        #expect(setpoint.mode == .idle)
    }

    @Test func `a dock that reboots goes through the handshake again and becomes ready again`() {
        var rig = VirtualRig()
        rig.makeReady()
        rig.dock.reboot()
        var wasGreeting = false
        rig.run(until: rig.now + 2) { if $0.machine.state == .greeting { wasGreeting = true } }
        #expect(wasGreeting)
        #expect(rig.machine.state == .ready)
    }

    @Test
    func `an unsolicited identity is not an answer, and the handshake is repeated even while the dock is latched`() {
        var rig = VirtualRig()
        rig.run(until: 100.6)
        // The dock boots while the handshake is lost: it sends its identity, but has not received our hello.
        rig.isCut = true
        rig.driver.begin(now: rig.now, motionless: false)
        rig.dock.reboot()
        rig.run(until: rig.now + 0.1)
        rig.isCut = false
        var bytes: [UInt8] = []
        rig.driver.encodeEmergencyStop(into: &bytes)
        rig.send(bytes)
        rig.run(until: rig.now + 0.1)
        #expect(rig.dock.isEmergencyStopped && rig.dock.flags.contains(.notGreeted))
        rig.run(until: rig.now + 1)
        #expect(!rig.dock.flags.contains(.notGreeted))
        #expect(rig.machine.state == .faulted(.emergencyStop))
    }

    @Test(arguments: [false, true])
    func `an answer to an earlier greeting does not count once the port has cut the last one`(isCut: Bool) {
        var rig = VirtualRig()
        var hello: [UInt8] = []
        _ = rig.driver.service(now: rig.now, into: &hello)
        rig.dock.receive(hello, at: rig.now)
        if isCut { rig.driver.wasCut() }
        rig.dock.advance(to: rig.now + 0.01)
        var reports: [DockReport] = []
        rig.dock.drainOutput().withUnsafeBytes { rig.driver.receive($0, now: rig.now + 0.01, into: &reports) }
        let isIdentified = reports.contains { if case .identified = $0 { true } else { false } }
        #expect(isIdentified == !isCut)
        rig.run(until: rig.now + 1)
        #expect(rig.machine.state == .ready)
    }

    @Test func `garbage between the frames affects nothing else`() {
        var rig = VirtualRig()
        rig.dock.faults.byteErrors = 0.01
        rig.run(until: 104)
        #expect(rig.machine.state == .ready)
        #expect(rig.driver.invalidBytes > 0)
    }

    @Test func `the error of a refused message names the message and the reason`() throws {
        let types: [UInt8] = [
            FrameType.hello, FrameType.timeSync, FrameType.getLimits, FrameType.setpoint, FrameType.setLimits,
            FrameType.eventAcknowledge, FrameType.parameter, FrameType.torque, FrameType.home, FrameType.save,
            FrameType.reboot, FrameType.emergencyStop,
        ]
        let codes: [ResultCode] = [
            .unknownType, .badLength, .range, .busy, .notHomed, .fault, .lowPower, .flash, .other,
        ]
        var said: Set<String> = []
        for type in types {
            for code in codes {
                var driver = DlpDriver(profile: .dlpDock), encoder = FrameEncoder()
                driver.begin(now: 1, motionless: false)
                let refusal = Acknowledgement(ofType: type, ofSequence: 0, code: code)
                var reports: [DockReport] = []
                encoder.encode(DockMessage.acknowledge(refusal)).array.withUnsafeBytes {
                    driver.receive($0, now: 1, into: &reports)
                }
                guard case .refused(let text)? = reports.first else {
                    Issue.record("\(type) \(code): \(reports)")
                    continue
                }
                said.insert(text)
                #expect(!text.contains("0x") && !text.hasSuffix(": \(code)"), "\(text)")
            }
        }
        #expect(said.count == types.count * codes.count)
    }

    @Test func `random bytes never trap and never make a dock ready`() {
        var driver = DlpDriver(profile: .dlpDock)
        driver.begin(now: 1, motionless: false)
        var random = SeededRandom(seed: 3)
        var reports: [DockReport] = []
        for _ in 0..<2000 {
            let bytes = (0..<64).map { _ in UInt8.random(in: 0...255, using: &random) }
            bytes.withUnsafeBytes { driver.receive($0, now: 2, into: &reports) }
        }
        #expect(!reports.contains(.ready))
    }

    @Test func `an event is reported once, however often the dock repeats it`() {
        var rig = VirtualRig()
        rig.makeReady()
        rig.isCut = true  // its acknowledgement does not arrive, so it is repeated
        rig.dock.press(.button(id: 3))
        var pressed = 0
        rig.run(until: rig.now + 0.5) { rig in
            pressed += rig.lastReports.filter { $0 == .event(.button(id: 3, pressed: true)) }.count
        }
        #expect(pressed == 1)
        var presses = 0
        var fresh = VirtualRig()
        fresh.makeReady()
        fresh.dock.press(.shutter)
        fresh.run(until: fresh.now + 0.4) { rig in
            presses += rig.lastReports.filter { $0 == .event(.cameraShutter) }.count
        }
        #expect(presses == 1)
    }

    @Test func `a late button event drives no camera and does not disturb the clock`() {
        var rig = VirtualRig()
        rig.makeReady()
        rig.dock.faults.isMute = true
        rig.run(until: rig.now + 0.2)
        rig.dock.press(.shutter)
        rig.run(until: rig.now + 2.5)
        rig.dock.faults.isMute = false
        var shutters = 0, worst = 0.0
        rig.run(until: rig.now + 1) { rig in
            for report in rig.lastReports {
                if report == .event(.cameraShutter) { shutters += 1 }
                if case .motion(let sample, _) = report { worst = max(worst, rig.now - sample.time) }
            }
        }
        #expect(shutters == 0 && worst < 0.1 && rig.machine.state == .ready, "\(worst) s")
        // Events that are in time still count.
        rig.dock.press(.shutter)
        rig.run(until: rig.now + 0.3) { rig in
            shutters += rig.lastReports.filter { $0 == .event(.cameraShutter) }.count
        }
        #expect(shutters == 1)
    }

    @Test func `the emergency stop latches, and only clear releases it`() {
        var rig = VirtualRig()
        rig.makeReady()
        var bytes: [UInt8] = []
        rig.driver.encodeEmergencyStop(into: &bytes)
        rig.send(bytes)
        rig.run(until: rig.now + 0.3)
        #expect(rig.dock.isEmergencyStopped)
        #expect(rig.machine.state == .faulted(.emergencyStop))
        var clear: [UInt8] = []
        rig.driver.encodeClear(into: &clear)
        rig.send(clear)
        rig.run(until: rig.now + 0.3)
        #expect(!rig.dock.isEmergencyStopped)
        #expect(rig.machine.state == .faulted(.emergencyStop))  // until a person clears it on the daemon, too
        let isCleared = rig.machine.clear(deviceStillFaulted: false)
        #expect(isCleared)
    }

    @Test func `a dock that latches a stall by itself reports that it refuses to move, and why`() {
        var rig = VirtualRig()
        rig.makeReady()
        rig.dock.faults.blocked = [.pan]
        var texts: Set<String> = []
        _ = rig.director.apply(
            .velocity(.degrees(pan: 60, tilt: 0), duration: 5), now: rig.now, pose: rig.pose)
        rig.run(until: rig.now + 2) { rig in
            for case .refused(let text) in rig.lastReports { texts.insert(text) }
        }
        #expect(rig.machine.state == .faulted(.stall))
        #expect(texts.contains("to move: a motion of its own is running"), "while it backs off: \(texts)")
        texts = []
        var move: [UInt8] = []
        rig.driver.encode(.velocity(.degrees(pan: 5, tilt: 0)), now: rig.now, into: &move)
        rig.send(move)
        rig.run(until: rig.now + 0.3) { rig in
            for case .refused(let text) in rig.lastReports { texts.insert(text) }
        }
        #expect(texts.count == 1 && texts.allSatisfy { $0.hasPrefix("to move: it has latched a fault") }, "\(texts)")
    }

    @Test func `a dry run never switches the torque on`() {
        var rig = VirtualRig()
        rig.driver.begin(now: rig.now, motionless: true)
        rig.run(until: rig.now + 1)
        #expect(rig.machine.state == .ready)
        #expect(!rig.dock.flags.contains(.torque))
    }

    @Test func `torque off is repeated at most six times a second, and never becomes torque on`() throws {
        var rig = VirtualRig()
        rig.makeReady()
        rig.isCut = true
        rig.wrote = []
        var bytes: [UInt8] = []
        rig.driver.encodeTorque(false, into: &bytes)
        rig.send(bytes)
        var reports = 0
        rig.run(until: rig.now + 10) { rig in
            for case .disobeys in rig.lastReports { reports += 1 }
        }
        var decoder = FrameDecoder(), count = 0
        for byte in rig.wrote {
            guard let frame = try? decoder.push(byte), case .torque(_, let on) = try HostMessage(frame) else {
                continue
            }
            #expect(!on)
            count += 1
        }
        #expect((45...60).contains(count), "\(count) in 10 s")
        #expect(reports == 1)
        rig.isCut = false
        rig.run(until: rig.now + 0.4)
        #expect(!rig.dock.flags.contains(.torque))
        rig.wrote = []
        rig.run(until: rig.now + 2)
        var later = 0
        for byte in rig.wrote {
            if let frame = try? decoder.push(byte), case .torque = try HostMessage(frame) { later += 1 }
        }
        #expect(later == 0, "what the dock reports is accepted")
    }
}
