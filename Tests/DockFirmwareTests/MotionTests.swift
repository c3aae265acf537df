import DockFirmware
import DockWire
import TestSupport
import Testing

@Suite struct MotionTests {
    @Test func `a velocity is reached and left at the acceleration limit`() {
        var bench = Bench.armed()
        bench.velocity(pan: 60_000, deadman: 100)
        bench.run(99)
        #expect(bench.pan.velocity < 60_000)
        bench.run(2)
        #expect(bench.pan.velocity == 60_000)
        #expect(bench.largestGain == 600)
    }

    @Test(arguments: [30_000, -120_000, 169_999, 500, 15] as [Int32])
    func `a position is reached without overshoot`(place: Int32) {
        var bench = Bench.armed()
        var farthest: Int32 = 0
        for _ in 0..<150 {
            bench.run(20, repeating: Setpoint(mode: .position, panPosition: place))
            farthest = place > 0 ? max(farthest, bench.pan.position) : min(farthest, bench.pan.position)
        }
        #expect(abs(bench.pan.position - place) <= 10)
        #expect(abs(farthest) <= abs(place) + 2)
        #expect(bench.largestGain <= 601 && !bench.firmware.isMoving)
    }

    @Test func `a moving position is followed with feed-forward`() {
        var bench = Bench.armed()
        var place: Int32 = 0
        for _ in 0..<100 {
            bench.run(
                20,
                repeating: Setpoint(mode: .positionWithFeedForward, panPosition: place, panVelocity: 30_000))
            place += 600
        }
        #expect(abs(bench.pan.position - place) < 150)
        #expect(abs(bench.pan.velocity - 30_000) < 1_500)
    }

    @Test func `an axis approaches a limit so that it still stops in front of it`() {
        var bench = Bench.armed()
        bench.run(4_000, repeating: Setpoint(mode: .velocity, panVelocity: 120_000, tiltVelocity: -120_000))
        #expect((169_900...170_000).contains(bench.pan.position))
        #expect((-30_000...(-29_900)).contains(bench.firmware.axes.tilt.position))
        #expect(bench.largestGain <= 601)
        #expect(bench.firmware.flags.isSuperset(of: [.panAtMaximum, .tiltAtMinimum]))
        let events = bench.events()
        #expect(Set(events.map(\.id)).count == 2 && events.allSatisfy { $0.kind == .limit })
    }

    @Test func `no sequence of set-points leaves the limits`() {
        var random = Seeded(11)
        for round in 0..<30 {
            var bench = Bench.armed(start: UInt32.random(in: 0 ... .max, using: &random))
            let extremes: [Int32] = [.min, .max, 0, -1, 170_000, -30_000, 80_001]
            for _ in 0..<150 {
                func any() -> Int32 {
                    Bool.random(using: &random)
                        ? extremes.randomElement(using: &random) ?? 0
                        : Int32.random(in: -200_000...200_000, using: &random)
                }
                let mode = SetpointMode(rawValue: UInt8.random(in: 0...3, using: &random)) ?? .idle
                bench.send(
                    .setpoint(
                        Setpoint(
                            mode: mode, deadman: 100, panPosition: any(), tiltPosition: any(), panVelocity: any(),
                            tiltVelocity: any())))
                bench.run(Int.random(in: 1...120, using: &random))
                let axes = bench.firmware.axes
                #expect((-170_000...170_000).contains(axes.pan.position), "round \(round)")
                #expect((-30_000...80_000).contains(axes.tilt.position), "round \(round)")
                #expect(abs(axes.pan.velocity) <= 120_000 && abs(axes.tilt.velocity) <= 120_000)
            }
            #expect(bench.largestGain <= 601, "round \(round)")
        }
    }

    @Test func `random bytes from the host never trap nor move a dock that is not armed`() {
        var random = Seeded(12)
        var bench = Bench()
        for _ in 0..<2_000 {
            bench.deliver((0..<50).map { _ in UInt8.random(in: 0...255, using: &random) & 0x3F })
            bench.run(1)
        }
        #expect(bench.largestGain == 0)
    }

    @Test func `good frames with random bodies never trap`() {
        var random = Seeded(13)
        var bench = Bench.armed()
        for _ in 0..<20_000 {
            var frame = Frame(type: UInt8.random(in: 0...0x20, using: &random), sequence: 0)
            for _ in 0..<Int.random(in: 0...56, using: &random) {
                frame.body.append([0, 1, 2, 0x7F, 0x80, 0xFF].randomElement(using: &random) ?? UInt8(3))
            }
            bench.deliver(EncodedFrame(frame).array)
            if Int.random(in: 0..<20, using: &random) == 0 {
                bench.firmware.measured(pan: .min, tilt: .max, panRate: .max, tiltRate: .min, now: bench.now)
                bench.firmware.tick(now: bench.now &+ UInt32.random(in: 0...30_000, using: &random))
            }
            bench.run(1)
            bench.heard = []
        }
        #expect(bench.firmware.validFrames > 20_000)
    }

    @Test func `homing turns to zero slowly, reports its end, and needs a host that keeps sending`() {
        var bench = Bench.armed()
        bench.run(1_000, repeating: Setpoint(mode: .velocity, panVelocity: 60_000))
        bench.run(500)
        _ = bench.answers()
        bench.send(.home)
        bench.run(1_000)
        #expect(bench.firmware.flags.contains(.homing) && bench.pan.velocity == -30_000)
        bench.send(.timeSync(hostMicroseconds: 0))
        bench.run(1_400)
        bench.send(.timeSync(hostMicroseconds: 0))
        bench.run(1_400)
        #expect(!bench.firmware.flags.contains(.homing) && abs(bench.pan.position) <= 10)
        let ends = bench.events().filter { $0.kind == .animation }
        #expect(ends.first?.value == 0)

        bench.run(2_000, repeating: Setpoint(mode: .velocity, panVelocity: 60_000))
        bench.send(.home)
        bench.run(1_700)
        #expect(!bench.firmware.isMoving && bench.pan.position > 20_000)
        let broken = bench.events().filter { $0.kind == .animation }
        #expect(broken.last?.value == 1)
    }

    @Test func `homing ends at limits that were set meanwhile and exclude zero`() {
        var bench = Bench.armed()
        bench.run(1_000, repeating: Setpoint(mode: .velocity, panVelocity: 60_000))
        bench.send(.home)
        bench.run(100)
        var narrow = Bench.pan
        narrow.minimumPosition = 20_000
        bench.send(.setLimits(LimitSet(axis: .pan, limits: narrow)))
        for _ in 0..<4 {
            bench.run(1_000)
            bench.send(.timeSync(hostMicroseconds: 0))
        }
        #expect(!bench.firmware.flags.contains(.homing) && abs(bench.pan.position - 20_000) <= 10)
    }

    @Test func `the deadman brakes as fast as the motor can, however gentle the limits are`() {
        var bench = Bench.armed()
        var gentle = Bench.pan
        gentle.acceleration = 20_000
        bench.run(1_000, repeating: Setpoint(mode: .velocity, panVelocity: 60_000))
        bench.send(.setLimits(LimitSet(axis: .pan, limits: gentle)))
        bench.run(40, repeating: Setpoint(mode: .velocity, panVelocity: 60_000))
        #expect(bench.pan.velocity == 60_000)
        bench.run(230 + 60_000 / 600 + 20)
        #expect(bench.firmware.flags.contains(.deadman) && bench.pan.velocity == 0)
    }

    @Test func `a set-point is refused while homing unless it overrides`() {
        var bench = Bench.armed()
        bench.run(1_000, repeating: Setpoint(mode: .velocity, panVelocity: 60_000))
        bench.send(.home)
        bench.run(300)
        _ = bench.answers()
        bench.velocity(pan: 60_000)
        bench.run(20)
        let refused = bench.answers()
        #expect(refused == [.busy] && bench.firmware.flags.contains(.homing))
        bench.send(.setpoint(Setpoint(mode: .velocity, panVelocity: 60_000, flags: .overridesMotion)))
        bench.run(200)
        #expect(!bench.firmware.flags.contains(.homing) && bench.pan.velocity == 60_000)
    }

    @Test func `a reading that returns elsewhere causes no motion`() {
        var bench = Bench.armed()
        bench.run(200, repeating: Setpoint(mode: .idle, deadman: 25))
        bench.isFollowing = false
        bench.blockedAt = 0
        bench.run(5000 - 800)
        // A stuck encoder reads again, shortly before the axes are pinned.
        bench.blockedAt = 70_000
        var fastest: Int32 = 0
        for _ in 0..<3000 {
            bench.run(1)
            fastest = max(fastest, abs(bench.firmware.axes.pan.velocity))
        }
        #expect(fastest == 0, "\(fastest)")
    }
}
