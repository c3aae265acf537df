import DockWire
import Testing

@testable import DockFirmware

/// A blocked motor: the dock stops pushing, backs off once, and latches.
@Suite struct StallRetreatTests {
    private static let limits = Bench.pan
    private static let push = Setpoint(mode: .velocity, panVelocity: 60_000)

    /// A dock that pushes against an obstacle until it begins to back off.
    private func backingOff() -> Bench {
        var bench = Bench.armed(followingError: 4_000)
        bench.isFollowing = false
        bench.blockedAt = 0
        bench.run(20)
        for _ in 0..<100 where bench.pan.velocity >= 0 { bench.run(20, repeating: Self.push) }
        return bench
    }

    @Test func `it stops pushing at once, turns back by 3 degrees at 10 degrees per second, and then latches`() {
        var bench = backingOff()
        #expect(bench.firmware.fault == FaultCode.none && bench.firmware.flags.contains(.moving))
        #expect(bench.pan.position < 50, "the target no longer pushes: \(bench.pan.position)")
        _ = bench.answers()
        // The obstacle is gone.
        bench.isFollowing = true
        var fastest: Int32 = 0, milliseconds = 0
        while bench.firmware.fault == FaultCode.none, milliseconds < 2000 {
            if milliseconds % 20 == 0 { bench.send(.setpoint(Self.push)) }
            bench.run(1)
            fastest = min(fastest, bench.pan.velocity)
            milliseconds += 1
        }
        #expect(milliseconds < 500 && fastest >= -10_000)
        bench.run(200)
        #expect(bench.pan.position <= -2_800 && bench.pan.position >= -3_100, "\(bench.pan.position)")
        #expect(bench.firmware.fault == FaultCode.stall && bench.pan.velocity == 0 && bench.pan.torque == .full)
        let answers = bench.answers()
        #expect(answers.first == .busy, "the host's pushes are refused meanwhile: \(answers)")
    }

    @Test func `one event reports it, at its start`() {
        var bench = backingOff()
        let begun = bench.events().filter { $0.kind == .stall }
        #expect(begun.first?.value == 0 && Set(begun.map(\.id)).count == 1)
        bench.send(.eventAcknowledge(id: begun.first?.id ?? 0))
        _ = bench.events()
        bench.run(2000)
        #expect(bench.events().filter { $0.kind == .stall }.isEmpty)
    }

    @Test func `blocked in that direction, too, it gives up after half a second, and does not try twice`() {
        var bench = backingOff()
        bench.run(400, repeating: Self.push)
        #expect(bench.firmware.fault == FaultCode.none && bench.pan.velocity < 0)
        bench.run(200, repeating: Self.push)
        #expect(bench.firmware.fault == FaultCode.stall && bench.pan.velocity == 0)
        for _ in 0..<200 {
            bench.run(20, repeating: Self.push)
            #expect(bench.pan.velocity == 0)
        }
        bench.firmware.stalled(.pan, now: bench.now)
        bench.run(100)
        #expect(bench.pan.velocity == 0)
    }

    @Test func `if no motion is commanded any more, it stops pushing and latches, and nothing turns`() {
        for isSilent in [true, false] {
            var bench = Bench.armed(followingError: 4_000)
            bench.isFollowing = false
            bench.blockedAt = 0
            // Its deadman trips before the dock would call it a stall.
            bench.run(300, repeating: Self.push)
            if !isSilent { bench.send(.setpoint(.stop)) }
            for _ in 0..<1500 {
                bench.run(1)
                #expect(bench.pan.velocity >= 0)
            }
            #expect(bench.firmware.fault == FaultCode.stall && abs(bench.pan.position) < 50, "\(bench.pan.position)")
        }
    }

    @Test func `a host that falls silent ends the back-off within the deadman time`() {
        var bench = backingOff()
        bench.isFollowing = true
        bench.run(200)
        #expect(bench.pan.velocity < 0 && bench.firmware.fault == FaultCode.none)
        bench.run(80)
        #expect(bench.pan.velocity == 0 && bench.firmware.fault == FaultCode.stall && bench.pan.position > -2_800)
        #expect(bench.firmware.flags.contains(.deadman))
    }

    static let stops: [HostMessage] = [
        .setpoint(.stop), .emergencyStop(.stop), .hello(Hello()), .torque(mask: 3, on: false),
        .torque(mask: 1, on: false),
    ]

    @Test(arguments: stops.indices) func `any stop ends the back-off, and the dock latches where it stands`(
        index: Int
    ) {
        var bench = backingOff()
        bench.isFollowing = true
        bench.run(60)
        #expect(bench.pan.velocity < -5_000)
        bench.send(Self.stops[index])
        bench.run(30)
        #expect(bench.firmware.fault == FaultCode.stall && bench.pan.velocity == 0)
        let place = bench.pan.position
        bench.run(1500)
        #expect(bench.pan.position == place)
    }

    @Test func `after an emergency stop nothing turns back`() {
        var bench = Bench.armed(followingError: 4_000)
        bench.isFollowing = false
        bench.blockedAt = 0
        bench.run(300, repeating: Self.push)
        bench.send(.emergencyStop(.stop))
        for _ in 0..<2000 {
            bench.run(1)
            #expect(bench.pan.velocity >= 0)
        }
        bench.firmware.stalled(.pan, now: bench.now)
        bench.run(500)
        #expect(bench.pan.velocity == 0)
    }

    @Test func `a host that turns back by itself may do so`() {
        var bench = Bench.armed(followingError: 4_000)
        bench.isFollowing = false
        bench.blockedAt = 0
        bench.run(20)
        // Shortly before the dock would call it a stall: it is behind for 0.5 s.
        bench.run(560, repeating: Self.push)
        #expect(bench.firmware.fault == FaultCode.none && bench.pan.velocity > 0)
        bench.send(.setpoint(.stop))
        _ = bench.answers()
        bench.run(600, repeating: Setpoint(mode: .velocity, panVelocity: -10_000))
        #expect(bench.firmware.fault == FaultCode.none && bench.pan.velocity == -10_000)
        #expect(bench.answers().isEmpty)
    }

    @Test func `after a clear the next stall is a new one`() {
        var bench = backingOff()
        bench.send(.emergencyStop(.clear))
        #expect(bench.answers().last == .busy, "not while it backs off")
        bench.run(700)
        bench.send(.emergencyStop(.clear))
        #expect(bench.answers().last == .ok && bench.firmware.fault == FaultCode.none)
        bench.run(300)
        #expect(bench.pan.velocity == 0)
        for _ in 0..<100 where bench.pan.velocity >= 0 { bench.run(20, repeating: Self.push) }
        #expect(bench.pan.velocity < 0)
    }

    // MARK: the decision alone

    @Test(arguments: [-1, 1] as [Int32]) func `it turns against the push, and no further than the limits`(push: Int32) {
        let middle = StallRetreat(.pan, against: push * 60_000, at: 0, inside: Self.limits)
        #expect(middle?.goal == -push * 3_000)
        let near = StallRetreat(.pan, against: push, at: -push * 168_000, inside: Self.limits)
        #expect(near?.goal == -push * 170_000)
        #expect(StallRetreat(.pan, against: push, at: -push * 169_600, inside: Self.limits) == nil, "no room")
        #expect(StallRetreat(.pan, against: push, at: push * 171_000, inside: Self.limits) == nil, "outside")
        #expect(StallRetreat(.pan, against: 0, at: 0, inside: Self.limits) == nil, "which way?")
    }

    @Test func `it ends when it arrives, makes no progress, goes the wrong way, or takes too long`() throws {
        let start = try #require(StallRetreat(.tilt, against: 5, at: 10_000, inside: Self.limits))
        func isOver(_ reading: Int32, after passed: UInt32) -> Bool {
            var retreat = start
            return retreat.isOver(at: reading, after: passed)
        }
        #expect(!isOver(10_000, after: 400_000) && isOver(10_000, after: 500_000))
        #expect(!isOver(7_200, after: 1_000) && isOver(7_100, after: 1_000))
        #expect(!isOver(11_400, after: 1_000) && isOver(11_500, after: 1_000))
        #expect(!isOver(9_000, after: 900_000) && isOver(9_000, after: 1_000_000))
        #expect(isOver(9_000, after: .max))
    }
}
