import DockFirmware
import DockWire
import Testing

@Suite struct SettingsTests {
    private func limits(_ low: Int32, _ high: Int32, velocity: UInt32, acceleration: UInt32 = 600_000) -> AxisLimits {
        AxisLimits(
            minimumPosition: low, maximumPosition: high, velocity: velocity, acceleration: acceleration, jerk: .max)
    }

    private func limitsInForce(_ bench: inout Bench, _ axis: DockAxis) -> AxisLimits? {
        bench.heard = []
        bench.send(.getLimits(axis))
        return bench.take { if case .limits(let set) = $0 { set.limits } else { nil } }.first
    }

    @Test func `LIMITS are intersected with the compiled ones and never widen them`() {
        var bench = Bench.armed()
        bench.send(.setLimits(LimitSet(axis: .pan, limits: limits(-999_000, 20_000, velocity: 1_000_000))))
        let inForce = limitsInForce(&bench, .pan)
        #expect(
            inForce
                == AxisLimits(
                    minimumPosition: -170_000, maximumPosition: 20_000, velocity: 120_000, acceleration: 600_000,
                    jerk: 12_000_000))
        bench.run(2_000, repeating: Setpoint(mode: .velocity, panVelocity: 120_000))
        #expect((19_900...20_000).contains(bench.pan.position))
    }

    @Test func `limits that leave nothing are NAK 3 and change nothing`() {
        var bench = Bench.armed()
        _ = bench.answers()
        bench.send(.setLimits(LimitSet(axis: .pan, limits: limits(171_000, 180_000, velocity: 1000))))
        bench.send(.setLimits(LimitSet(axis: .pan, limits: limits(10, -10, velocity: 1000))))
        bench.send(.setLimits(LimitSet(axis: .pan, limits: limits(-10, 10, velocity: 0))))
        bench.send(.setLimits(LimitSet(axis: .pan, limits: limits(-10, 10, velocity: 1000, acceleration: 0))))
        let answers = bench.answers()
        #expect(answers == [.range, .range, .range, .range])
        let inForce = limitsInForce(&bench, .pan)
        #expect(inForce == Bench.pan)
    }

    @Test func `outside its new limits the axis does not move by itself; outward is blocked, inward is slow`() {
        var bench = Bench.armed()
        bench.run(2_000, repeating: Setpoint(mode: .position, panPosition: 100_000))
        bench.send(.setLimits(LimitSet(axis: .pan, limits: limits(-50_000, 50_000, velocity: 120_000))))
        bench.run(6_000)
        #expect(abs(bench.pan.position - 100_000) <= 10)
        bench.run(500, repeating: Setpoint(mode: .velocity, panVelocity: 60_000))
        #expect(abs(bench.pan.position - 100_000) <= 10)
        bench.run(500, repeating: Setpoint(mode: .velocity, panVelocity: -60_000))
        #expect(bench.pan.velocity == -10_000)
    }

    @Test func `limits narrowed in front of a fast axis are still kept`() {
        var bench = Bench.armed()
        bench.run(500, repeating: Setpoint(mode: .velocity, panVelocity: 120_000))
        let stop = bench.pan.position + 15_000
        bench.send(
            .setLimits(LimitSet(axis: .pan, limits: limits(-50_000, stop, velocity: 120_000, acceleration: 50_000))))
        bench.run(1_000, repeating: Setpoint(mode: .velocity, panVelocity: 120_000))
        #expect((stop - 200...stop).contains(bench.pan.position))
    }

    @Test func `SAVE keeps limits and parameters, but cannot widen either`() {
        var bench = Bench.armed()
        bench.send(.setLimits(LimitSet(axis: .tilt, limits: limits(-10_000, 10_000, velocity: 50_000))))
        bench.send(.parameter(.set(.motionRate, to: 50)))
        bench.send(.save)
        #expect(bench.firmware.wantsSave)
        var stored = bench.firmware.settings
        stored.pan = limits(-500_000, 500_000, velocity: 900_000)
        stored.motionRate = 10_000
        var next = Bench(settings: stored)
        let tilt = limitsInForce(&next, .tilt)
        let pan = limitsInForce(&next, .pan)
        #expect(tilt?.maximumPosition == 10_000 && tilt?.velocity == 50_000)
        #expect(pan?.maximumPosition == 170_000 && pan?.velocity == 120_000)
        #expect(next.firmware.settings.motionRate == 100)
    }

    @Test func `PARAM gets, sets, and refuses unknown keys and values outside their range`() {
        var bench = Bench.armed()
        bench.heard = []
        bench.send(.parameter(.get(.idleRelax)))
        bench.send(.parameter(.set(.motionRate, to: 50)))
        let values = bench.take { if case .parameterValue(let value) = $0 { value } else { nil } }
        #expect(values == [ParameterValue(key: 4, value: 60), ParameterValue(key: 1, value: 50)])
        bench.send(.parameter(ParameterRequest(.get, key: 77)))
        bench.send(.parameter(.set(.motionRate, to: 0)))
        bench.send(.parameter(.set(.motionRate, to: 101)))
        bench.send(.parameter(.set(.panTrim, to: .min)))
        let answers = bench.answers()
        #expect(answers == [.range, .range, .range, .range])
    }

    @Test func `a trim moves the reading and not the axis`() {
        var bench = Bench.armed()
        bench.run(1_000, repeating: Setpoint(mode: .position, panPosition: 20_000))
        let before = bench.pan.position
        bench.send(.parameter(.set(.panTrim, to: 2_000)))
        bench.run(1_000)
        #expect(bench.pan.position == before && bench.largestGain <= 601)
        bench.send(.parameter(.set(.motionRate, to: 100)))
        bench.run(30)
        let motions = bench.motions()
        #expect(motions.last?.pan == before + 2_000)
    }

    @Test func `a trim does not extend the range beyond the motor's ends`() {
        var bench = Bench.armed()
        bench.send(.parameter(.set(.tiltTrim, to: 10_000)))
        bench.run(20)
        let raised = limitsInForce(&bench, .tilt)
        #expect(raised?.minimumPosition == -20_000 && raised?.maximumPosition == 80_000)
        bench.run(4_000, repeating: Setpoint(mode: .position, tiltPosition: -40_000))
        #expect(abs(bench.firmware.axes.tilt.position - -30_000) <= 10, "the motor's end is compiled in")
        bench.send(.parameter(.set(.tiltTrim, to: -10_000)))
        let lowered = limitsInForce(&bench, .tilt)
        #expect(lowered?.minimumPosition == -30_000 && lowered?.maximumPosition == 70_000)
        bench.run(6_000, repeating: Setpoint(mode: .position, tiltPosition: 90_000))
        #expect(abs(bench.firmware.axes.tilt.position - 80_000) <= 10)
    }

    @Test func `a trim that leaves no range within the limits is refused, and ignored at boot`() {
        var bench = Bench.armed()
        bench.send(.setLimits(LimitSet(axis: .tilt, limits: limits(-30_000, -25_000, velocity: 50_000))))
        _ = bench.answers()
        bench.send(.parameter(.set(.tiltTrim, to: 10_000)))
        let refused = bench.answers()
        #expect(refused == [.range] && bench.firmware.settings.tiltTrim == 0)
        var stored = bench.firmware.settings
        stored.tiltTrim = 10_000
        #expect(Bench(settings: stored).firmware.settings.tiltTrim == 0)
        bench.send(.setLimits(LimitSet(axis: .tilt, limits: limits(-10_000, 80_000, velocity: 50_000))))
        bench.send(.parameter(.set(.tiltTrim, to: 10_000)))
        _ = bench.answers()
        bench.send(.setLimits(LimitSet(axis: .tilt, limits: limits(-30_000, -25_000, velocity: 50_000))))
        let narrowed = bench.answers()
        #expect(narrowed == [.range])
    }

    @Test func `SAVE stores the agreed limits, not their intersection with a trim`() {
        var bench = Bench.armed()
        bench.send(.parameter(.set(.panTrim, to: 5_000)))
        bench.send(.setLimits(LimitSet(axis: .pan, limits: limits(-168_000, 100_000, velocity: 50_000))))
        let inForce = limitsInForce(&bench, .pan)
        #expect(inForce?.minimumPosition == -165_000 && bench.firmware.settings.pan?.minimumPosition == -168_000)
    }

    @Test func `the answer to SAVE is its result`() {
        var bench = Bench.armed()
        _ = bench.answers()
        bench.send(.save)
        let early = bench.answers()
        bench.send(.save)
        let second = bench.answers()
        bench.firmware.saved(true)
        bench.run(1)
        let done = bench.answers()
        bench.send(.save)
        bench.firmware.saved(false)
        bench.run(1)
        let failed = bench.answers()
        #expect(early.isEmpty && second == [.busy] && done == [.ok] && failed == [.flash])
    }

    @Test func `MOTION comes at its rate, with the sequence number of the last set-point`() {
        var bench = Bench.armed()
        bench.send(.parameter(.set(.motionRate, to: 50)))
        bench.heard = []
        bench.run(1_000)
        let motions = bench.motions()
        #expect(abs(motions.count - 50) <= 1)
        bench.velocity(pan: 5_000)
        let sequence = bench.encoder.nextSequence &- 1
        bench.run(100)
        let last = bench.motions().last
        #expect(last?.lastSetpointSequence == sequence && last?.flags.contains([.torque, .moving]) == true)
    }

    @Test func `TIME_SYNC answers with both times and makes the time valid`() {
        var bench = Bench.armed()
        #expect(!bench.firmware.flags.contains(.timeValid))
        bench.heard = []
        bench.send(.timeSync(hostMicroseconds: 123))
        #expect(bench.heard.map(\.message) == [.timeSync(hostMicroseconds: 123, dockMicroseconds: bench.now)])
        #expect(bench.firmware.flags.contains(.timeValid))
    }
}
