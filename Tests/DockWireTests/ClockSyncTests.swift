import DockWire
import Testing

@Suite struct ClockSyncTests {
    @Test func `the shortest round trip of the last sixteen counts`() {
        var sync = ClockSync()
        #expect(sync.offset == nil && sync.sentMicroseconds(atHost: 5) == 0)
        // The dock's clock is 1 s ahead; answers come back late by 4, 1 and 9 ms.
        for (sent, late) in [(10_000_000, 4_000), (11_000_000, 1_000), (12_000_000, 9_000)] as [(Int64, Int64)] {
            sync.record(
                echo: UInt32(truncatingIfNeeded: sent), dock: sent + 1_000_000 + 500,
                hostMicroseconds: sent + 500 + late)
        }
        #expect(sync.roundTrip == 1_500 && sync.offset == 1_000_000 - 250)
        #expect(sync.sentMicroseconds(atHost: 1_000_000) == 1_999_750)
        for _ in 0..<16 { sync.record(echo: 0, dock: 100, hostMicroseconds: 200) }
        #expect(sync.roundTrip == 200 && sync.count == 16)
    }

    @Test func `echoes across the wrap are right, impossible ones are ignored`() {
        var sync = ClockSync()
        let host: Int64 = 0x1_0000_0100
        sync.record(echo: 0xFFFF_FF00, dock: host, hostMicroseconds: host)
        #expect(sync.roundTrip == 0x200)
        sync.record(echo: 0x200, dock: host, hostMicroseconds: host)
        sync.record(echo: 0x8000_0000, dock: .min, hostMicroseconds: .max)
        #expect(sync.count == 1)
    }

    @Test func `a known time is never sent as unknown`() {
        var sync = ClockSync()
        sync.record(echo: 0, dock: 0, hostMicroseconds: 0)
        #expect(sync.sentMicroseconds(atHost: 0x1_0000_0000) == 1)
    }
}
