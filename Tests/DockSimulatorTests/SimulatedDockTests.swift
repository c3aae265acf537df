import DockSimulator
import DockWire
import Geometry
import Testing

@Suite struct SimulatedDockTests {
    private func configuration(_ model: RigModel) -> SimulatedDock.Configuration {
        SimulatedDock.Configuration(model: model, seed: 5)
    }

    @Test(arguments: [RigModel.good, .cheap]) func `a velocity moves the head as far as it should`(model: RigModel) {
        var host = Host.armed(configuration(model))
        host.drive(pan: 40, tilt: 10, for: 2)
        #expect(abs(host.dock.rate.pan.inDegrees - 40) < 0.5)
        host.send(.setpoint(.stop))
        host.run(1)
        #expect(host.dock.isAtRest)
        #expect(abs(host.dock.pose.pan.inDegrees - 80) < 2 && abs(host.dock.pose.tilt.inDegrees - 20) < 2)
    }

    @Test(arguments: [RigModel.good, .cheap]) func `after its host is killed a dock stands still`(model: RigModel) {
        var host = Host.armed(configuration(model))
        host.drive(pan: 60, for: 1)
        let last = host.dock.time - 0.02
        var fired: Seconds = 0
        while host.dock.time < last + 2, !host.dock.isAtRest {
            host.run(0.001)
            if fired == 0, host.dock.flags.contains(.deadman) { fired = host.dock.time - last }
        }
        // The deadman runs from the arrival of the last set-point.
        let latency = model.commandLatency + model.commandJitter
        #expect((0.250...0.252 + latency).contains(fired))
        let place = host.dock.pose
        host.run(3)
        #expect((host.dock.pose - place).magnitude < .degrees(0.01))
    }

    @Test(arguments: [RigModel.good, .cheap]) func `a position is reached and held`(model: RigModel) {
        var host = Host.armed(configuration(model))
        for _ in 0..<100 {
            host.send(.setpoint(Setpoint(mode: .position, panPosition: 60_000, tiltPosition: -20_000)))
            host.run(0.02)
        }
        #expect(abs(host.dock.pose.pan.inDegrees - 60) < 1 && abs(host.dock.pose.tilt.inDegrees + 20) < 1)
    }

    @Test(arguments: [RigModel.good, .cheap]) func `full speed into the limits stays inside`(model: RigModel) {
        var host = Host.armed(configuration(model))
        host.drive(pan: 500, tilt: 500, for: 5)
        #expect(host.dock.maximumSpeedSeen <= model.maximumSpeed)
        #expect((169...170).contains(host.dock.pose.pan.inDegrees))
        #expect((79...80).contains(host.dock.pose.tilt.inDegrees))
        let flags = host.motions.last?.flags
        #expect(flags?.isSuperset(of: [.panAtMaximum, .tiltAtMaximum]) == true)
    }

    @Test func `the same seed gives the same bytes`() {
        func run(_ seed: UInt64) -> [DockMessage] {
            var host = Host.armed(SimulatedDock.Configuration(model: .cheap, seed: seed))
            host.drive(pan: 33, tilt: -5, for: 1)
            return host.heard.map(\.message)
        }
        #expect(run(1) == run(1))
        #expect(run(1) != run(2))
    }

    @Test func `commands and reports are as late as the model says`() {
        var host = Host(configuration(.good))
        host.run(0.5)
        host.heard = []
        let sent = host.dock.time
        host.send(.timeSync(hostMicroseconds: 9))
        while host.dock.time < sent + 0.1, !host.heard.contains(where: { $0.message.type == FrameType.timeSyncReply }) {
            host.run(0.0005)
        }
        #expect((0.0205...0.031).contains(host.dock.time - sent))
    }

    @Test func `poses of the past are the true ones`() {
        var host = Host.armed()
        host.drive(pan: 30, for: 1)
        let then = host.dock.time
        let pose = host.dock.pose
        host.drive(pan: 30, for: 1)
        #expect((host.dock.pose(at: then) - pose).magnitude < .degrees(0.05))
        #expect(host.dock.pose.pan > pose.pan)
    }

    @Test func `buttons arrive as events until they are acknowledged`() {
        var host = Host.armed()
        host.dock.press(.zoom(steps: -2))
        host.dock.press(.tracking)
        host.dock.press(.button(id: 3))
        host.run(0.2)
        var window = EventWindow()
        var first: [EventReport] = []
        for event in host.events where window.isNew(id: event.id, bootID: 1) { first.append(event) }
        #expect(first.map(\.kind) == [.zoom, .trackingButton, .trackingButton, .button, .button])
        #expect(first.map(\.value) == [-2, 1, 0, 0x301, 0x300])
        for event in first { host.send(.eventAcknowledge(id: event.id)) }
        host.run(0.1)
        host.heard = []
        host.run(0.5)
        #expect(host.events.isEmpty)
    }

    @Test func `the emergency button stops, latches and cannot be cleared while pressed`() {
        var host = Host.armed()
        host.drive(pan: 60, for: 0.5)
        host.dock.setEmergencyInput(true)
        host.run(0.5)
        #expect(host.dock.isAtRest && host.dock.isEmergencyStopped)
        host.send(.emergencyStop(.clear))
        host.run(0.1)
        #expect(host.dock.isEmergencyStopped)
        host.dock.setEmergencyInput(false)
        host.send(.emergencyStop(.clear))
        host.run(0.1)
        #expect(!host.dock.isEmergencyStopped)
    }

    @Test func `a blocked motor is detected and latched`() {
        var host = Host.armed()
        host.dock.faults.blocked = [.tilt]
        host.drive(pan: 0, tilt: 30, for: 2)
        #expect(host.dock.fault == FaultCode.stall)
        #expect(host.events.contains { $0.kind == .stall && $0.value == 1 })
    }

    @Test func `a dock that catches something turns back by 3 degrees, and latches`() {
        var host = Host.armed()
        host.drive(pan: 30, for: 0.5)
        host.dock.faults.blocked = [.pan]
        let stuck = host.dock.pose.pan
        for _ in 0..<80 where !host.events.contains(where: { $0.kind == .stall }) { host.drive(pan: 30, for: 0.02) }
        #expect(host.dock.fault == FaultCode.none && host.dock.pose.pan == stuck)
        host.dock.faults.blocked = []
        host.drive(pan: 30, for: 1)
        let gone = (stuck - host.dock.pose.pan).inDegrees
        #expect(gone > 2.5 && gone < 3.5, "\(gone)")
        #expect(host.dock.fault == FaultCode.stall && host.dock.isAtRest)
        let place = host.dock.pose
        host.drive(pan: 30, for: 2)
        #expect(host.dock.pose == place)
    }

    @Test func `a reboot changes the boot number, disarms, and the dock sends its identity unasked`() {
        var host = Host.armed()
        host.drive(pan: 60, for: 0.5)
        host.dock.reboot()
        host.heard = []
        host.run(0.5)
        #expect(host.greetings.map(\.bootID) == [2])
        #expect(host.dock.isAtRest && host.motions.last?.flags.contains(.notGreeted) == true)
        host.send(.reboot(magic: HostMessage.rebootMagic))
        host.run(0.2)
        #expect(host.greetings.map(\.bootID) == [2, 3])
    }

    @Test func `a mute dock sends nothing and still stops by itself`() {
        var host = Host.armed()
        host.dock.faults.isMute = true
        host.run(0.05)
        host.heard = []
        host.drive(pan: 60, for: 0.5)
        host.run(1)
        #expect(host.heard.isEmpty && host.dock.isAtRest && host.dock.pose.pan > 0)
    }

    @Test func `wrong bits cost frames and nothing else`() {
        var host = Host.armed()
        host.dock.faults.byteErrors = 0.01
        host.drive(pan: 30, for: 5)
        #expect(host.dock.invalidFrames > 10 && host.dock.setpoints > 150)
        #expect(host.decoder.invalidFrames > 0 && host.motions.count > 30)
    }

    @Test func `a low battery is reported`() {
        var host = Host.armed()
        host.dock.battery.level = 0.1
        host.run(0.2)
        let powers = host.heard.compactMap { if case .power(let power) = $0.message { power } else { nil } }
        #expect(powers.last?.percent == 10 && powers.last?.state == .low)
        let level = host.dock.battery.level
        host.run(60)
        #expect(host.dock.battery.level < level)
    }

    @Test func `everything continues across the wrap of the dock's clock`() {
        var configuration = SimulatedDock.Configuration()
        configuration.clockStart = UInt32.max - 1_999_999
        var host = Host.armed(configuration)
        var clock = DeviceClock()
        host.drive(pan: 10, for: 4)
        var last: Int64 = -1
        for (at, message) in host.heard {
            guard case .motion(let report) = message else { continue }
            let sample = clock.unwrap(report.microseconds, hostMicroseconds: Int64(at * 1e6))
            #expect(sample.microseconds > last && sample.isNewEpoch == (last < 0))
            last = sample.microseconds
        }
        #expect(abs(host.dock.pose.pan.inDegrees - 40) < 2)
        host.run(1)
        #expect(host.dock.isAtRest)
    }

    @Test func `saved settings survive a reboot, others do not`() {
        var host = Host.armed()
        host.send(.parameter(.set(.motionRate, to: 20)))
        host.send(.save)
        host.run(0.1)
        host.send(.parameter(.set(.motionRate, to: 100)))
        host.run(0.1)
        host.dock.reboot()
        host.run(0.1)
        host.heard = []
        host.run(1)
        #expect((19...21).contains(host.motions.count))
    }
}
