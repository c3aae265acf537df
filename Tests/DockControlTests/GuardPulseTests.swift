import DockControl
import Testing

@Suite struct GuardPulseTests {
    @Test func `the first motion and the last are sent at once, in between every 50 ms, at rest nothing`() {
        var pulse = GuardPulse(), beats: [Double] = []
        for tick in 0...300 {
            let now = 10 + Double(tick) / 100
            let moving = tick >= 50 && tick < 200
            if pulse.isDue(moving: moving, now: now) { beats.append(now) }
        }
        #expect(beats.first == 10.5)
        #expect(abs((beats.last ?? 0) - 12) < 1e-9)
        #expect(beats.count == 31, "\(beats.count)")
        for (a, b) in zip(beats, beats.dropFirst().dropLast()) { #expect(abs(b - a - 0.05) < 0.011) }
    }

    @Test func `a loop that turns 20 times a second sends a heartbeat in every turn, whatever the timer's jitter`() {
        var pulse = GuardPulse()
        var random = SystemRandomNumberGenerator()
        for turn in 0..<1000 {
            let now = Double(turn) / 20 + Double.random(in: -0.000_9...0.000_9, using: &random)
            let isDue = pulse.isDue(moving: true, now: now)
            #expect(isDue)
        }
    }

    @Test func `motion that begins and ends within one interval is reported both times`() {
        var pulse = GuardPulse()
        let calls = [(true, 1), (true, 1.01), (false, 1.02), (false, 1.5), (true, 1.51)]
        #expect(calls.map { pulse.isDue(moving: $0.0, now: $0.1) } == [true, false, true, false, true])
        pulse.reset()
        #expect(!pulse.isMoving)
        let isDue = pulse.isDue(moving: true, now: 1.52)
        #expect(isDue, "a new guard does not know yet")
    }

    @Test func `a clock that goes back does not silence it`() {
        var pulse = GuardPulse()
        #expect([100, 1].map { pulse.isDue(moving: true, now: $0) } == [true, true])
    }
}
