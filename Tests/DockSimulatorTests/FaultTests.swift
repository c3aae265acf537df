import DockSimulator
import DockWire
import Geometry
import Testing

/// A dock with a faulty line, motors or encoders, in virtual time.
@Suite struct FaultTests {
    private func noisy(_ line: LineFaults, toDock: Bool = true, toHost: Bool = true) -> Host {
        var host = Host.armed()
        if toDock { host.dock.faults.toDock = line }
        if toHost { host.dock.faults.toHost = line }
        host.heard = []
        return host
    }

    @Test(arguments: [LineFaults(drop: 0.02), LineFaults(insert: 0.02), LineFaults(flip: 0.02)])
    func `a bad line costs frames in both directions, and nothing else`(line: LineFaults) {
        var host = noisy(line)
        host.drive(pan: 30, for: 5)
        #expect(host.dock.invalidFrames > 30 && host.dock.setpoints > 50)
        #expect(host.decoder.invalidFrames > 5 && host.motions.count > 10)
        #expect(host.dock.rate.magnitude <= .degrees(31))
        host.dock.faults = SimulatedDock.Faults()
        host.run(2)
        #expect(host.dock.isAtRest)
    }

    @Test func `each direction has its own faults`() {
        var deaf = noisy(.dead, toHost: false)
        deaf.drive(pan: 60, for: 1)
        #expect(deaf.motions.count > 5 && deaf.dock.setpoints == 0 && deaf.dock.isAtRest && deaf.dock.faults.isDeaf)
        var mute = noisy(.dead, toDock: false)
        mute.drive(pan: 60, for: 1)
        // Reports already on their way still arrive.
        #expect(mute.motions.count <= 1 && mute.dock.setpoints == 50 && mute.dock.rate.pan > 1)
        var lossy = noisy(LineFaults(drop: 1), toHost: false)
        lossy.drive(pan: 60, for: 1)
        #expect(lossy.dock.setpoints == 0 && lossy.dock.invalidFrames == 0 && lossy.motions.count > 5)
    }

    @Test func `an invalid fraction or delay becomes the nearest valid value`() {
        for line in [LineFaults(drop: -1, insert: -.infinity, flip: .nan, delay: .nan), LineFaults(delay: -5)] {
            var host = noisy(line)
            host.drive(pan: 30, for: 1)
            #expect(host.dock.setpoints == 50 && host.dock.invalidFrames == 0 && host.motions.count > 5)
        }
        var host = noisy(LineFaults(drop: .infinity, insert: 9, flip: 9, delay: .infinity))
        host.drive(pan: 30, for: 1)
        #expect(host.dock.setpoints == 0 && host.motions.count <= 1)
    }

    @Test func `a delay affects every byte, and its end is a burst in order`() {
        var host = noisy(LineFaults(delay: 2), toDock: false)
        host.run(1.9)
        #expect(host.motions.count <= 1)
        host.run(0.3)
        let count = host.motions.count
        #expect((2...4).contains(count))
        host.run(1)
        host.heard = []
        host.dock.faults.toHost.delay = 0
        host.run(0.001)
        #expect((19...21).contains(host.motions.count), "two seconds of reports at once")
        let stamps = host.motions.map(\.microseconds)
        #expect(stamps == stamps.sorted() && host.decoder.invalidFrames == 0)
        host.heard = []
        host.run(1)
        #expect((9...11).contains(host.motions.count))
    }

    @Test func `set-points that a line delays are too old for a dock that knows the time`() {
        var host = Host.armed()
        host.send(.timeSync(hostMicroseconds: 1))
        host.run(0.1)
        host.dock.faults.toDock.delay = 2
        for _ in 0..<100 {
            let now = UInt32((host.dock.time - 100) * 1e6)
            host.send(.setpoint(Setpoint(mode: .velocity, panVelocity: 60_000, sentMicroseconds: now)))
            host.run(0.02)
        }
        host.run(3)
        #expect(host.dock.staleSetpoints == 100 && host.dock.maximumSpeedSeen < .degrees(0.1))
    }

    @Test func `a boot loader's text corrupts the first hello, and the next one is received`() {
        var host = Host.armed()
        host.drive(pan: 60, for: 0.5)
        host.dock.faults.bootText = SimulatedDock.Faults.bootLoaderText
        host.heard = []
        let bad = host.decoder.invalidFrames
        host.dock.reboot()
        host.run(0.5)
        #expect(host.greetings.isEmpty && host.decoder.invalidFrames > bad && host.dock.isAtRest)
        host.send(.hello(Hello()))
        host.run(0.2)
        #expect(host.greetings.map(\.bootID) == [2])
    }

    @Test func `reports of a motor that turns the wrong way are true, and the dock itself detects the fault`() {
        var host = Host.armed()
        host.dock.faults.reversedMotors = [.pan]
        host.drive(pan: 30, tilt: 5, for: 0.4)
        #expect(host.dock.rate.pan < -.degrees(20) && host.dock.rate.tilt > .degrees(4))
        #expect((host.motions.last?.panRate ?? 0) < -20_000)
        host.drive(pan: 30, for: 2)
        #expect(host.dock.fault == FaultCode.stall && host.dock.isAtRest)
    }

    @Test func `a reversed encoder starts at its last reading, and is right again when repaired`() {
        var host = Host.armed()
        host.drive(pan: 20, for: 1)
        host.run(0.5)
        let place = host.dock.pose.pan
        host.dock.faults.reversedEncoders = [.pan]
        host.drive(pan: 20, for: 0.3)
        let true0 = host.dock.pose.pan - place
        #expect(true0 > .degrees(2) && (host.motions.last?.panRate ?? 0) < -10_000)
        let deviation = Double(host.motions.last?.pan ?? 0) / 1000 - place.inDegrees
        #expect((-true0.inDegrees - 0.5...(-1)).contains(deviation))
        host.dock.faults.reversedEncoders = []
        host.run(0.2)
        #expect(abs(Double(host.motions.last?.pan ?? 0) / 1000 - host.dock.pose.pan.inDegrees) < 2)
    }

    @Test func `a broken encoder stands still while the axis turns, until the dock detects that it does not follow`() {
        var host = Host.armed()
        host.dock.faults.frozenEncoders = [.pan]
        host.drive(pan: 40, for: 0.4)
        #expect(host.dock.pose.pan > .degrees(10))
        #expect(host.motions.allSatisfy { abs($0.pan) < 400 && $0.panRate == 0 })
        host.drive(pan: 40, for: 2)
        #expect(host.dock.fault == FaultCode.stall && host.dock.isAtRest)
    }

    @Test(arguments: [true, false]) func `a rig without a deadman keeps turning until it is stopped`(isCut: Bool) {
        var configuration = SimulatedDock.Configuration(model: .good, seed: 5)
        configuration.hasDeadman = false
        var host = Host.armed(configuration)
        host.drive(pan: 10, for: 1)
        #expect(host.dock.setpoints == 50)
        if isCut { host.dock.receive([1, 2, 3], at: host.dock.time) }
        host.run(5)
        #expect(abs(host.dock.rate.pan.inDegrees - 10) < 0.5 && host.dock.setpoints == 50)
        #expect(host.motions.last?.flags.contains(.deadman) == false)
        if isCut { host.dock.receive([0], at: host.dock.time) }
        host.send(.setpoint(.stop))
        host.run(0.5)
        #expect(host.dock.isAtRest)
        host.run(5)
        #expect(host.dock.isAtRest)
    }

    @Test func `a rig without a deadman forgets its motion when it is greeted, latched or disarmed`() {
        let ends: [HostMessage] = [.hello(Hello()), .torque(mask: 3, on: false), .emergencyStop(.stop)]
        for end in ends {
            var configuration = SimulatedDock.Configuration()
            configuration.hasDeadman = false
            var host = Host.armed(configuration)
            host.drive(pan: 30, for: 1)
            host.send(end)
            host.run(1)
            #expect(host.dock.isAtRest)
            host.send(.emergencyStop(.clear))
            host.send(.torque(mask: 3, on: true))
            host.run(1)
            #expect(host.dock.isAtRest)
        }
    }

    @Test func `a rig without a deadman obeys set-points however old they are`() {
        var configuration = SimulatedDock.Configuration()
        configuration.hasDeadman = false
        var host = Host.armed(configuration)
        host.send(.timeSync(hostMicroseconds: 1))
        host.run(0.1)
        host.send(.setpoint(Setpoint(mode: .velocity, deadman: 5, panVelocity: 20_000, sentMicroseconds: 1)))
        host.run(2)
        #expect(host.dock.staleSetpoints == 0 && abs(host.dock.rate.pan.inDegrees - 20) < 0.5)
    }

    @Test func `intermittent faults are the same for the same seed`() {
        func run(_ seed: UInt64) -> [UInt8] {
            var dock = SimulatedDock(configuration: .init(model: .good, seed: seed), time: 0)
            var bytes: [UInt8] = [], encoder = FrameEncoder()
            for step in 0..<400 {
                let line = LineFaults(drop: 0.05, insert: 0.05, flip: 0.05, delay: Double(step % 7) / 20)
                dock.faults = step % 50 < 25 ? .line(line) : SimulatedDock.Faults()
                dock.receive(encoder.encode(.hello(Hello())).array, at: dock.time)
                dock.advance(to: dock.time + 0.01)
                bytes += dock.drainOutput()
            }
            return bytes
        }
        #expect(run(3) == run(3))
        #expect(run(3) != run(4))
    }
}
