import DockFirmware
import DockWire
import Testing

@Suite struct EmergencyStopTests {
    @Test func `the emergency stop brakes at the limit, holds, and is latched until cleared`() {
        var bench = Bench.armed()
        bench.velocity(pan: 60_000, deadman: 100)
        bench.run(200)
        _ = bench.answers()
        for _ in 0..<3 { bench.send(.emergencyStop(.stop)) }
        bench.run(102)
        #expect(!bench.firmware.isMoving && bench.pan.torque == .full)
        let stops = bench.answers()
        #expect(stops == [.ok, .ok, .ok])
        bench.velocity(pan: 60_000)
        bench.run(50)
        let refused = bench.answers()
        #expect(!bench.firmware.isMoving && refused == [.emergencyStop])
        bench.send(.emergencyStop(.clear))
        bench.run(300)
        #expect(!bench.firmware.isMoving)
        bench.velocity(pan: 60_000)
        bench.run(50)
        #expect(bench.firmware.isMoving)
    }

    @Test(arguments: [1_500, 4_000, 27_000] as [Int32], [false, true])
    func `a latched dock does not return to a hold that a stuck encoder put in the wrong place`(
        place: Int32, held: Bool
    ) {
        var bench = Bench.armed()
        // It may have held already when it was stopped.
        if held { bench.run(6_000) }
        bench.send(.emergencyStop(.stop))
        bench.run(6_000)
        // The encoder, stuck at 0 until now, reads correctly again while the axis is blocked.
        bench.isFollowing = false
        bench.blockedAt = place
        bench.run(1_400)
        bench.isFollowing = true
        bench.run(1_000)
        #expect(abs(bench.pan.position - place) < 500 && bench.pan.torque == .full, "\(bench.pan.position)")
    }

    @Test func `a latched axis that is too heavy for its motor does not sink step by step`() {
        var bench = Bench.armed()
        bench.send(.emergencyStop(.stop))
        bench.run(6_000)
        bench.isFollowing = false
        for _ in 0..<10 {
            // Its motor lets it hang a degree and a half below the target, wherever that is.
            bench.blockedAt = bench.pan.position - 1_500
            bench.run(500)
        }
        #expect(bench.pan.position > -4_000, "\(bench.pan.position)")
    }

    @Test func `a latched dock holds against a small push, and against one wrong reading`() {
        var bench = Bench.armed()
        bench.send(.emergencyStop(.stop))
        bench.run(6_000)
        bench.isFollowing = false
        bench.blockedAt = -800
        bench.run(1_000)
        bench.blockedAt = 30_000
        bench.run(20)
        bench.isFollowing = true
        bench.run(1_000)
        #expect(abs(bench.pan.position) < 300, "\(bench.pan.position)")
    }

    @Test func `an emergency stop brakes as hard as the motors can, even if the host lowered the limit meanwhile`() {
        var bench = Bench.armed()
        bench.velocity(pan: 60_000, deadman: 100)
        bench.run(200)
        let gentle = AxisLimits(
            minimumPosition: -170_000, maximumPosition: 170_000, velocity: 120_000, acceleration: 1000, jerk: 0)
        bench.send(.setLimits(LimitSet(axis: .pan, limits: gentle)))
        bench.send(.emergencyStop(.stop))
        bench.run(20)
        // A gentle stop after it does not soften it.
        bench.send(.setpoint(.stop))
        bench.run(82)
        #expect(!bench.firmware.isMoving && bench.firmware.isEmergencyStopped)
    }

    @Test func `NAK 7 comes at most twice a second`() {
        var bench = Bench.armed()
        bench.send(.emergencyStop(.stop))
        _ = bench.answers()
        bench.run(5_000, repeating: Setpoint(mode: .velocity, panVelocity: 1000))
        let refused = bench.answers()
        #expect(refused.count >= 9 && refused.count <= 11)
        #expect(refused.allSatisfy { $0 == .emergencyStop })
    }

    @Test func `a latch cannot be cleared while the button is pressed`() {
        var bench = Bench.armed()
        bench.velocity(pan: 60_000, deadman: 100)
        bench.run(100)
        _ = bench.answers()
        bench.firmware.setEmergencyInput(true, now: bench.now)
        bench.run(110)
        #expect(!bench.firmware.isMoving && bench.firmware.flags.contains(.emergencyStop))
        bench.send(.emergencyStop(.clear))
        bench.firmware.setEmergencyInput(false, now: bench.now)
        #expect(bench.firmware.isEmergencyStopped)
        bench.send(.emergencyStop(.clear))
        let answers = bench.answers()
        #expect(answers == [.emergencyStop, .ok])
        #expect(!bench.firmware.isEmergencyStopped)
    }

    @Test func `torque cannot be switched on while latched`() {
        var bench = Bench()
        bench.send(.hello(Hello()))
        bench.send(.emergencyStop(.stop))
        bench.send(.torque(mask: 3, on: true))
        let answers = bench.answers()
        #expect(answers == [.ok, .emergencyStop])
    }

    @Test func `a motor that does not follow is a stall, which latches`() {
        var bench = Bench.armed(followingError: 4_000)
        bench.isFollowing = false
        bench.blockedAt = 0
        bench.run(2_000, repeating: Setpoint(mode: .velocity, panVelocity: 60_000))
        #expect(bench.firmware.fault == FaultCode.stall && bench.pan.velocity == 0)
        #expect(bench.firmware.flags.contains(.stalled))
        let events = bench.events()
        #expect(events.first?.kind == .stall && events.first?.value == 0)
        bench.send(.emergencyStop(.clear))
        #expect(bench.firmware.fault == FaultCode.none)
    }

    @Test func `without readings the dock stops and refuses to move`() {
        var bench = Bench.armed()
        bench.run(200, repeating: Setpoint(mode: .velocity, panVelocity: 60_000))
        _ = bench.answers()
        bench.isFollowing = false
        bench.run(400, repeating: Setpoint(mode: .velocity, panVelocity: 60_000))
        #expect(!bench.firmware.isMoving)
        let answers = bench.answers()
        #expect(answers == [.notHomed])
        bench.isFollowing = true
        bench.run(200, repeating: Setpoint(mode: .velocity, panVelocity: 60_000))
        #expect(bench.firmware.isMoving)
    }

    @Test func `an overheated dock stops, and cannot be cleared before it has cooled`() {
        var bench = Bench.armed()
        bench.velocity(pan: 60_000, deadman: 100)
        bench.run(100)
        bench.firmware.setOverTemperature(true, now: bench.now)
        _ = bench.answers()
        bench.velocity(pan: 60_000)
        bench.send(.emergencyStop(.clear))
        bench.run(300)
        #expect(!bench.firmware.isMoving && bench.firmware.flags.contains(.overTemperature))
        bench.firmware.setOverTemperature(false, now: bench.now)
        bench.send(.emergencyStop(.clear))
        let answers = bench.answers()
        #expect(answers == [.fault, .fault, .ok])
    }
}
