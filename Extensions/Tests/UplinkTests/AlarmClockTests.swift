import Testing

@testable import Uplink

/// When the conversation sets its timer.
@Suite struct AlarmClockTests {
    @Test func `a deadline that moves on with each picture sets a timer once a second`() {
        var clock = AlarmClock(), timers = 0
        for picture in 0..<300 {
            let now = Double(picture) / 30
            if let time = clock.time, time <= now { clock.wentOff() }
            if clock.mustSet(now + 1) { timers += 1 }
        }
        #expect((9...11).contains(timers))
    }

    @Test func `no deadline is missed`() {
        var clock = AlarmClock()
        let first = [5, 5, 6, 4].map { clock.mustSet($0) }
        #expect(first == [true, false, false, true] && clock.time == 4)
        clock.wentOff()
        let later = clock.mustSet(6)
        #expect(later && clock.time == 6)
    }
}
