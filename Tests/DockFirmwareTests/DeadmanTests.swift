import DockFirmware
import DockWire
import Testing

@Suite struct DeadmanTests {
    /// The milliseconds from the last set-point to standstill.
    private func stopping(deadman: UInt8, start: UInt32 = 1_000_000) -> (fired: Int, still: Int) {
        var bench = Bench.armed(start: start)
        bench.run(400, repeating: Setpoint(mode: .velocity, deadman: deadman, panVelocity: 30_000))
        // The last one came 20 ms ago.
        var fired = 0
        var still = 20
        while bench.firmware.isMoving && still < 5000 {
            if fired == 0, bench.firmware.flags.contains(.deadman) { fired = still }
            bench.run(1)
            still += 1
        }
        #expect(bench.firmware.flags.contains(.deadman))
        return (fired, still)
    }

    @Test func `a killed host stops the dock within 250 to 300 ms of its last set-point`() {
        let time = stopping(deadman: 25)
        #expect((250...252).contains(time.fired))
        #expect((250...303).contains(time.still))
    }

    @Test func `the axis then stands still, with torque, until the next set-point`() {
        var bench = Bench.armed()
        bench.velocity(pan: 30_000)
        bench.run(400)
        let place = bench.pan.position
        bench.run(4000)
        #expect(bench.pan == AxisTarget(position: place, velocity: 0, torque: .full))
        bench.velocity(pan: 30_000)
        bench.run(100)
        #expect(bench.pan.velocity == 30_000 && !bench.firmware.flags.contains(.deadman))
    }

    @Test func `repeated requests for torque do not keep a dock turning`() {
        var bench = Bench.armed()
        bench.velocity(pan: 30_000)
        for _ in 0..<20 {
            bench.run(20)
            bench.send(.torque(mask: 0b11, on: true))
        }
        #expect(!bench.firmware.isMoving && bench.firmware.flags.contains(.deadman))
    }

    @Test(arguments: [(0, 50), (4, 50), (10, 100), (100, 1000), (255, 1000)])
    func `the host's deadman time is clamped to 50 through 1000 ms`(wire: UInt8, milliseconds: Int) {
        let time = stopping(deadman: wire)
        #expect((milliseconds...milliseconds + 2).contains(time.fired))
    }

    @Test func `the deadman works across the wrap of the clock`() {
        for offset in stride(from: UInt32(0), to: 1_000_000, by: 37_000) {
            let time = stopping(deadman: 25, start: UInt32.max &- 699_999 &+ offset)
            #expect((250...252).contains(time.fired))
        }
    }

    @Test func `a position set-point has the same deadman`() {
        var bench = Bench.armed()
        bench.send(.setpoint(Setpoint(mode: .position, panPosition: 150_000)))
        bench.run(249)
        #expect(bench.firmware.isMoving)
        // Braking from 120 deg/s at 600 deg/s² takes 200 ms.
        bench.run(204)
        #expect(!bench.firmware.isMoving && bench.firmware.flags.contains(.deadman))
        #expect(bench.pan.position < 60_000)
    }

    @Test func `after five seconds the axes are pinned, after a minute they hold with low torque`() {
        var bench = Bench.armed()
        bench.velocity(pan: 30_000)
        bench.run(59_000)
        #expect(bench.pan.torque == .full && !bench.firmware.isMoving)
        bench.run(1_500)
        #expect(bench.pan.torque == .low)
        bench.velocity(pan: 30_000)
        bench.run(100)
        #expect(bench.pan.torque == .full && bench.pan.velocity == 30_000)
    }

    @Test func `mode 0 stops at the acceleration limit and latches nothing`() {
        var bench = Bench.armed()
        bench.velocity(pan: 120_000, deadman: 100)
        bench.run(300)
        bench.largestGain = 0
        bench.send(.setpoint(.stop))
        bench.run(202)
        #expect(!bench.firmware.isMoving && bench.largestGain <= 601)
        #expect(!bench.firmware.flags.contains(.deadman) && !bench.firmware.flags.contains(.emergencyStop))
        bench.velocity(pan: 10_000)
        bench.run(50)
        #expect(bench.pan.velocity == 10_000)
    }
}

@Suite struct StaleSetpointTests {
    @Test func `a burst of set-points from a buffer does not move the dock`() {
        var bench = Bench.armed()
        bench.send(.timeSync(hostMicroseconds: 1))
        let sent = bench.now
        bench.run(300)
        for _ in 0..<20 { bench.velocity(pan: 90_000, deadman: 25, sent: sent) }
        bench.run(200)
        #expect(bench.pan.position == 0 && bench.largestGain == 0)
        #expect(bench.firmware.counters.staleSetpoints == 20)
        bench.velocity(pan: 90_000, deadman: 25, sent: bench.now - 200_000)
        bench.run(10)
        #expect(bench.pan.velocity > 0)
    }

    @Test func `an old stop still stops`() {
        var bench = Bench.armed()
        bench.send(.timeSync(hostMicroseconds: 1))
        bench.velocity(pan: 30_000, deadman: 100)
        bench.run(100)
        bench.send(.setpoint(Setpoint(mode: .idle, sentMicroseconds: 5)))
        bench.run(60)
        #expect(!bench.firmware.isMoving)
    }

    @Test func `a set-point from far in the future is dropped`() {
        var bench = Bench.armed()
        bench.send(.timeSync(hostMicroseconds: 1))
        bench.velocity(pan: 30_000, sent: bench.now &+ 1_100_000)
        bench.run(10)
        #expect(bench.pan.velocity == 0)
    }

    @Test func `the age is right across the wrap of the clock`() {
        var bench = Bench.armed(start: UInt32.max - 1_999_999)
        bench.send(.timeSync(hostMicroseconds: 1))
        bench.run(1_900)
        let before = bench.now
        bench.run(200)
        #expect(bench.now < before)
        bench.velocity(pan: 30_000, sent: before)
        bench.run(10)
        #expect(bench.pan.velocity > 0)
        bench.run(300)
        bench.velocity(pan: 30_000, sent: before)
        bench.run(10)
        #expect(bench.pan.velocity == 0 && bench.firmware.counters.staleSetpoints == 1)
    }

    @Test func `a set-point without a time is accepted as it arrives`() {
        var bench = Bench.armed()
        bench.velocity(pan: 30_000, sent: 0)
        bench.run(10)
        #expect(bench.pan.velocity > 0)
    }
}
