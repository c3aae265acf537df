import DockControl
import DockSimulator
import DockTypes
import DockWire
import Geometry
import Testing

/// What outlasts a run, a silence and a handshake: latches and clears.
@Suite struct LatchTests {
    @Test func `a latch of an earlier run lasts until it is cleared, and the dock receives the emergency stop`() {
        let rig = CoreRig(latched: .emergencyStop)
        rig.run(2)
        #expect(rig.states.allSatisfy { $0 == .faulted(.emergencyStop) } && rig.line.dock.isEmergencyStopped)
        rig.give(.turn)
        rig.run(1)
        #expect(rig.speed == 0)
        rig.give(.clear)
        rig.run(1)
        #expect(rig.states.last == .ready && !rig.line.dock.isEmergencyStopped)
    }

    @Test(arguments: [false, true]) func `a clear is not reported as done during another handshake`(
        isReplugged: Bool
    ) {
        let rig = CoreRig()
        rig.run(1)
        rig.line.dock.faults.isMute = true
        rig.run(isReplugged ? 0.5 : 1.5, hungUp: isReplugged)
        #expect(rig.states.last == .greeting)
        // The dock hears and latches, but its reports do not arrive.
        rig.give(.emergencyStop)
        rig.run(0.1)
        rig.give(.clear)
        rig.run(0.1)
        #expect(rig.answers.last?.answer == .failure(DockError(.notConnected, "", hint: "")))
        rig.line.dock.faults.isMute = false
        rig.run(1)
        #expect(rig.states.last == .faulted(.emergencyStop) && rig.line.dock.isEmergencyStopped)
        rig.give(.clear)
        rig.run(1)
        #expect(rig.states.last == .ready && !rig.line.dock.isEmergencyStopped)
    }

    @Test func `a clear is not reported as done if the dock is latched again before its reports are read`() {
        let rig = CoreRig()
        rig.run(1)
        rig.give(.emergencyStop)
        rig.run(0.3)
        let before = rig.states.count
        rig.give(.clear)
        rig.run(0.001)
        rig.hold(0.1)
        #expect(!rig.line.dock.isEmergencyStopped && rig.answers.last?.command == .emergencyStop)
        rig.line.dock.setEmergencyInput(true)
        // At rest, the dock reports ten times a second.
        rig.hold(0.12)
        rig.run(0.1)
        #expect(rig.answers.last?.command == .clear)
        #expect(rig.answers.last?.answer == .failure(DockError(.faulted, "", hint: "")))
        #expect(!rig.states[before...].contains(.ready))
    }

    @Test func `the late reports of an earlier clear do not confirm a later one`() {
        let rig = CoreRig()
        rig.run(1)
        rig.give(.emergencyStop)
        rig.run(0.2)
        (rig.line.dock.faults.toDock.delay, rig.line.dock.faults.toHost.delay) = (0.53, 0.53)
        rig.run(0.8)
        // The stop right after the first clear overrides it. In between the dock is free, and reports that half a
        // second later.
        rig.give(.clear)
        rig.run(0.06)
        rig.give(.emergencyStop)
        rig.run(0.62)
        rig.give(.clear)
        rig.run(1.5) {
            if rig.states.last == .ready { #expect(!rig.line.dock.isEmergencyStopped) }
        }
        #expect(rig.answers.map(\.command) == [.emergencyStop, .clear, .emergencyStop, .clear])
        #expect(rig.answers.last?.answer == .failure(DockError(.busy, "", hint: "")))
    }

    @Test func `a report that is older than the answer to a clear does not confirm the clear`() throws {
        var rig = VirtualRig()
        rig.makeReady()
        var stop: [UInt8] = [], clear: [UInt8] = []
        rig.driver.encodeEmergencyStop(into: &stop)
        rig.send(stop)
        rig.run(until: rig.now + 0.3)
        // The dock does not receive the clear, and a report arrives without the latch, as if from before the emergency
        // stop.
        rig.driver.encodeClear(into: &clear)
        var encoder = FrameEncoder()
        var reports: [DockReport] = []
        func report(_ message: DockMessage, after delay: Seconds) {
            let frame = encoder.encode(message).array
            frame.withUnsafeBytes { rig.driver.receive($0, now: rig.now + delay, into: &reports) }
        }
        let free = MotionReport(
            microseconds: UInt32((rig.now - 100) * 1e6), pan: 0, tilt: 0, panRate: 0, tiltRate: 0,
            flags: [.torque], lastSetpointSequence: 0, fault: FaultCode.none)
        report(.motion(free), after: 0.01)
        #expect(!reports.contains(.faultCleared))
        var decoder = FrameDecoder()
        let sent = try #require(clear.compactMap { try? decoder.push($0) }.last)
        let answer = Acknowledgement(ofType: FrameType.emergencyStop, ofSequence: sent.sequence, code: .ok)
        report(.acknowledge(answer), after: 0.02)
        report(.motion(free), after: 0.03)
        #expect(reports.filter { $0 == .faultCleared }.count == 1)
    }

    @Test func `a clear whose answer was lost latches the dock again, and the next one releases it`() {
        let rig = CoreRig()
        rig.run(1)
        rig.give(.emergencyStop)
        rig.run(0.3)
        rig.line.dock.faults.toHost.drop = 1
        rig.give(.clear)
        rig.run(0.1)
        rig.line.dock.faults.toHost.drop = 0
        #expect(!rig.line.dock.isEmergencyStopped)
        rig.run(1)
        #expect(rig.answers.last?.answer == .failure(DockError(.faulted, "", hint: "")))
        #expect(rig.line.dock.isEmergencyStopped && rig.states.last == .faulted(.emergencyStop))
        rig.give(.clear)
        rig.run(0.3)
        #expect(!rig.line.dock.isEmergencyStopped && rig.states.last == .ready)
    }

    @Test func `a dock that has lost the emergency stop gets it again, even if something else latches it`() {
        let rig = CoreRig()
        rig.run(1)
        rig.give(.emergencyStop)
        rig.run(0.3)
        // For example, its answer to an earlier clear was lost, and meanwhile it overheated.
        var clear: [UInt8] = []
        var driver = DlpDriver(profile: .dlpDock)
        driver.encodeClear(into: &clear)
        rig.line.dock.receive(clear, at: rig.now)
        var wasFree = false
        rig.run(0.02) { wasFree = wasFree || !rig.line.dock.isEmergencyStopped }
        rig.line.dock.setOverTemperature(true)
        rig.run(0.3)
        let isLatched = rig.line.dock.isEmergencyStopped
        #expect(wasFree && isLatched && rig.states.last == .faulted(.emergencyStop))
    }

    @Test func `a clear that the dock has not answered is not reported as refused by it`() {
        let rig = CoreRig()
        rig.run(1)
        rig.give(.emergencyStop)
        rig.run(0.3)
        rig.line.dock.faults.isMute = true
        rig.give(.clear)
        rig.run(0.6)
        #expect(rig.answers.last?.answer == .failure(DockError(.busy, "", hint: "")))
        rig.line.dock.faults.isMute = false
        rig.run(0.3)
        #expect(rig.line.dock.isEmergencyStopped && rig.states.last == .faulted(.emergencyStop))
    }

    @Test func `a clear is not reported as done by a dock that has rebooted and been silent since`() {
        let rig = CoreRig()
        rig.run(1)
        rig.line.dock.faults.isDeaf = true
        rig.line.dock.reboot()
        rig.run(0.2)
        rig.line.dock.faults.isMute = true
        rig.give(.emergencyStop)
        rig.run(0.1)
        rig.give(.clear)
        rig.run(1)
        #expect(rig.answers.last?.command == .clear)
        #expect(rig.answers.last?.answer == .failure(DockError(.busy, "", hint: "")))
        #expect(rig.states.last == .faulted(.emergencyStop))
    }

    @Test func `a clear is not reported as done by a dock that rebooted, was latched again and does not hear it`() {
        let rig = CoreRig()
        rig.run(1)
        rig.give(.emergencyStop)
        rig.run(0.5)
        rig.line.dock.reboot()
        rig.run(1)
        #expect(rig.line.dock.isEmergencyStopped)
        rig.line.dock.faults.isDeaf = true
        rig.give(.clear)
        rig.run(0.7)
        #expect(rig.answers.last?.answer == .failure(DockError(.faulted, "", hint: "")))
        #expect(rig.states.last == .faulted(.emergencyStop))
    }

    @Test func `a latch of an earlier run that the dock does not know is cleared in the daemon`() {
        let rig = CoreRig(latched: .followingError)
        rig.run(2)
        #expect(rig.states.last == .faulted(.followingError) && !rig.line.dock.isEmergencyStopped)
        rig.give(.clear)
        rig.run(0.1)
        #expect(rig.states.last == .ready)
        rig.give(.turn)
        rig.run(1)
        #expect(rig.speed > 29)
    }

    /// Covers the writes up to the dock's first messages, and the stop that is due when it is ready.
    @Test(arguments: 1...8) func `the stop to a dock that comes back arrives, whichever write is cut off`(cut: Int) {
        let rig = CoreRig()
        rig.line.cut = cut
        rig.run(2)
        #expect(rig.states.last == .ready && rig.line.dock.setpoints > 0)
    }

    @Test func `a daemon that ends while an axis backs off leaves it latched`() {
        let rig = CoreRig.moving(.turn)
        rig.line.dock.faults.blocked = [.pan]
        var isBacking = false
        for _ in 0..<400 where !isBacking {
            rig.run(0.005)
            isBacking = rig.notes.contains { $0.contains("pan") } && rig.states.last == .ready
        }
        #expect(isBacking)
        rig.end()
        guard case .faulted? = rig.states.last else {
            Issue.record("\(rig.states)")
            return
        }
    }

    @Test func `a second clear to a silent dock is not reported as done either, and the stop is repeated`() {
        let rig = CoreRig.moving(.turn)
        rig.line.dock.faults.isMute = true
        rig.line.dock.faults.isDeaf = true
        rig.give(.emergencyStop)
        rig.run(0.3)
        for _ in 0..<2 {
            rig.give(.clear)
            rig.run(0.7)
            guard case .failure? = rig.answers.last?.answer else {
                Issue.record("cleared: \(rig.answers)")
                return
            }
        }
        rig.line.dock.faults.isMute = false
        rig.line.dock.faults.isDeaf = false
        rig.run(1.5)
        #expect(rig.line.dock.isEmergencyStopped && rig.states.last == .faulted(.emergencyStop))
    }
}
