import DockFirmware
import DockWire
import Testing

@Suite struct ArmingTests {
    @Test func `a booted dock sends its identity unasked and reports that it was not greeted`() {
        var bench = Bench()
        let greetings = bench.take { if case .helloAck(let identity) = $0 { identity } else { nil } }
        #expect(greetings.map(\.bootID) == [17])
        bench.run(200)
        let before = bench.motions().last?.flags
        #expect(before?.contains(.notGreeted) == true && before?.contains(.torque) == false)
        bench.send(.hello(Hello()))
        bench.run(200)
        let after = bench.motions().last?.flags
        #expect(after?.contains(.notGreeted) == false)
    }

    @Test func `nothing moves before HELLO`() {
        var bench = Bench()
        bench.send(.torque(mask: 3, on: true))
        bench.velocity(pan: 30_000)
        bench.run(200)
        #expect(bench.pan.velocity == 0 && bench.pan.torque == .off)
        let answers = bench.answers()
        #expect(answers == [.notArmed, .notArmed])
    }

    @Test func `nothing moves before TORQUE on`() {
        var bench = Bench()
        bench.send(.hello(Hello()))
        bench.velocity(pan: 30_000)
        bench.run(200)
        #expect(bench.pan.velocity == 0 && bench.pan.torque == .off)
        let answers = bench.answers()
        #expect(answers == [.notArmed])
    }

    @Test func `mode 0 and ESTOP are accepted by a dock that was never greeted`() {
        var bench = Bench()
        bench.send(.setpoint(.stop))
        bench.send(.emergencyStop(.stop))
        let answers = bench.answers()
        #expect(answers == [.ok])
        #expect(bench.firmware.counters.setpoints == 1 && bench.firmware.isEmergencyStopped)
    }

    @Test func `TORQUE pins the goal to the present pose`() {
        var bench = Bench()
        bench.place(pan: 42_000, tilt: -7_000)
        bench.send(.hello(Hello()))
        bench.send(.torque(mask: 3, on: true))
        bench.run(6_000)
        #expect(bench.firmware.axes.pan == AxisTarget(position: 42_000, velocity: 0, torque: .full))
        #expect(bench.firmware.axes.tilt.position == -7_000)
        #expect(bench.largestGain == 0)
    }

    @Test func `torque of one axis leaves the other free`() {
        var bench = Bench()
        bench.send(.hello(Hello()))
        bench.send(.torque(mask: 1, on: true))
        bench.velocity(pan: 20_000, tilt: 20_000)
        bench.run(100)
        #expect(bench.pan.velocity == 20_000)
        #expect(bench.firmware.axes.tilt == AxisTarget(position: 0, velocity: 0, torque: .off))
    }

    @Test func `without a common version the answer is NAK 4, and a moving dock stops`() {
        var bench = Bench.armed()
        bench.velocity(pan: 30_000, deadman: 100)
        bench.run(100)
        _ = bench.answers()
        bench.send(.hello(Hello(minimumVersion: 2, maximumVersion: 9)))
        bench.velocity(pan: 30_000)
        bench.run(200)
        let answers = bench.answers()
        #expect(answers == [.version, .version])
        #expect(bench.pan.velocity == 0)
        bench.send(.torque(mask: 3, on: true))
        let refused = bench.answers()
        #expect(refused == [.version])
    }

    @Test func `unknown types are counted and not answered`() {
        var bench = Bench.armed()
        _ = bench.answers()
        bench.send(.unknown(type: 0x13))
        bench.send(.unknown(type: 0x7F))
        #expect(bench.firmware.counters.unknownTypes == 2)
        #expect(bench.heard.isEmpty)
    }

    @Test func `a short body is NAK 2, a value outside its range NAK 3, noise has no answer`() {
        var bench = Bench.armed()
        _ = bench.answers()
        bench.deliver(EncodedFrame(Frame(type: FrameType.torque, sequence: 1)).array)
        var body = FrameBody()
        body.append(9 as UInt8)
        bench.deliver(EncodedFrame(Frame(type: FrameType.emergencyStop, sequence: 2, body: body)).array)
        bench.deliver([0x12, 0x34, 0x56, 0x78, 0x9A, 0x00])
        let answers = bench.answers()
        #expect(answers == [.badLength, .range])
        #expect(bench.firmware.invalidFrames == 1)
    }

    @Test func `REBOOT needs its magic number`() {
        var bench = Bench.armed()
        _ = bench.answers()
        bench.send(.reboot(magic: 1))
        #expect(!bench.firmware.isRebootRequested)
        bench.send(.reboot(magic: HostMessage.rebootMagic))
        let answers = bench.answers()
        #expect(bench.firmware.isRebootRequested && answers == [.range, .ok])
    }
}
