import DockWire
import Testing

@Suite struct DeviceClockTests {
    @Test func `time continues across the wrap, from two seconds before it`() {
        var clock = DeviceClock()
        let start = UInt32.max - 1_999_999
        var host: Int64 = 0
        let first = clock.unwrap(start, hostMicroseconds: host)
        #expect(first.isNewEpoch)
        for step in 1...400 {
            host += 10_000
            let sample = clock.unwrap(start &+ UInt32(step) * 10_000, hostMicroseconds: host)
            #expect(!sample.isNewEpoch)
            #expect(sample.microseconds - first.microseconds == Int64(step) * 10_000)
        }
    }

    @Test func `a small step back is no new epoch, a second is`() {
        var clock = DeviceClock()
        let first = clock.unwrap(5_000_000, hostMicroseconds: 0)
        let back = clock.unwrap(4_000_000, hostMicroseconds: 1)
        #expect(!back.isNewEpoch && back.microseconds == first.microseconds - 1_000_000)
        let far = clock.unwrap(2_999_999, hostMicroseconds: 2)
        #expect(far.isNewEpoch)
    }

    @Test func `after thirty minutes of silence nothing is known`() {
        var clock = DeviceClock()
        _ = clock.unwrap(0, hostMicroseconds: 0)
        let inTime = clock.unwrap(1_800_000_000, hostMicroseconds: 1_800_000_000)
        let late = clock.unwrap(3_600_000_001, hostMicroseconds: 3_600_000_001)
        #expect(!inTime.isNewEpoch && late.isNewEpoch)
    }
}

@Suite struct EventWindowTests {
    /// The window's verdict about each boot's ids, in turn.
    private func answers(_ ids: [(id: UInt8, bootID: UInt16)]) -> [Bool] {
        var window = EventWindow()
        return ids.map { window.isNew(id: $0.id, bootID: $0.bootID) }
    }

    @Test func `a repeated event is recognised by boot and id`() {
        #expect(answers([(0, 1), (0, 1), (0, 2), (0, 2)]) == [true, false, true, false])
    }

    @Test func `the last 32 events are remembered`() {
        let found = answers((0..<33).map { (UInt8($0), 1) } + [(32, 1), (1, 1), (0, 1)])
        #expect(found == [Bool](repeating: true, count: 33) + [false, false, true])
    }
}
