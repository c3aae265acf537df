import DockTypes
import Geometry
import Testing

@testable import VideoRecorder

@Suite struct ChunkClockTests {
    private let begin = ClockReading(wall: 1_795_551_979.5, monotonic: 1000, boot: 1500)

    @Test func `an exposure has a date to the millisecond`() {
        let clock = ChunkClock(begin)
        #expect(clock.milliseconds(of: 1000) == 1_795_551_979_500)
        #expect(clock.milliseconds(of: 999.1236) == 1_795_551_978_624)
        #expect(clock.milliseconds(of: .nan) == 0 && clock.milliseconds(of: .infinity) == 0)
        #expect(clock.milliseconds(of: -1e12) == 0)
    }

    @Test func `a small correction is no step, a set clock and a sleep are`() {
        let clock = ChunkClock(begin)
        func step(wall: Double, monotonic: Double, boot: Double) -> ChunkClock.Step? {
            clock.step(to: ClockReading(wall: begin.wall + wall, monotonic: 1000 + monotonic, boot: 1500 + boot))
        }
        #expect(step(wall: 30, monotonic: 30, boot: 30) == nil)
        #expect(step(wall: 30.9, monotonic: 30, boot: 30) == nil)
        #expect(step(wall: 3630, monotonic: 30, boot: 30) == .set(by: 3600))
        #expect(step(wall: -3570, monotonic: 30, boot: 30) == .set(by: -3600))
        #expect(step(wall: 630, monotonic: 30, boot: 630) == .slept(600))
    }

    @Test func `a date before 2024 cannot be right`() {
        #expect(ChunkClock(begin).isPlausible)
        #expect(!ChunkClock(ClockReading(wall: 86_400, monotonic: 5, boot: 5)).isPlausible)
    }
}

@Suite struct ExpiryCalendarTests {
    private func reading(_ now: Double, wall: Double = 1_795_000_000, boot: Double = 0) -> ClockReading {
        ClockReading(wall: wall + now, monotonic: now, boot: now + boot)
    }

    @Test func `no date is certain until the clock has run for ten minutes`() {
        var calendar = ExpiryCalendar()
        #expect(calendar.date(reading(100)) == nil && calendar.date(reading(699)) == nil)
        #expect(calendar.date(reading(700)) == 1_795_000_700_000)
    }

    @Test func `after the clock was set, it must run again`() {
        var calendar = ExpiryCalendar()
        _ = calendar.date(reading(0))
        #expect(calendar.date(reading(700)) != nil)
        let later = 1_795_000_000.0 + 24 * 365 * 86_400
        #expect(calendar.date(reading(800, wall: later)) == nil && calendar.date(reading(1300, wall: later)) == nil)
        #expect(calendar.date(reading(1400, wall: later)) != nil)
    }

    @Test func `a sleep does not make the date uncertain, a date before 2024 is never certain`() {
        var calendar = ExpiryCalendar()
        _ = calendar.date(reading(0))
        #expect(calendar.date(reading(700, wall: 1_795_009_000, boot: 9000)) == 1_795_009_700_000)
        var early = ExpiryCalendar()
        _ = early.date(reading(0, wall: 1000))
        #expect(early.date(reading(5000, wall: 1000)) == nil)
    }

    @Test func `old chunks are looked at every ten minutes`() {
        var calendar = ExpiryCalendar(), count = 0
        for second in 0..<7300 where calendar.isExpiryDue(reading(Double(second))) { count += 1 }
        #expect(count == 12 && calendar.deadline == 7800)
    }
}

@Suite struct RangeWordsTests {
    /// 2026-11-27 14:05:03 in a zone an hour ahead of UTC.
    private let now = 1_795_784_703.0
    private let zone = LocalZone { _ in 3600 }

    private func range(_ text: String) throws -> String {
        let range = try RangeWords.range(text, now: now, in: zone)
        func words(_ date: Int) -> String {
            let time = zone.time(date / 1000)
            return "\(time.date) \(time.clock)"
        }
        return "\(words(range.from)) > \(words(range.to))"
    }

    @Test(arguments: [
        ("-10m", "2026-11-27 13:55:03 > 2026-11-27 14:05:03"),
        ("90s", "2026-11-27 14:03:33 > 2026-11-27 14:05:03"),
        ("-1h..-30m", "2026-11-27 13:05:03 > 2026-11-27 13:35:03"),
        ("14:00", "2026-11-27 14:00:00 > 2026-11-27 14:05:03"),
        ("14:06", "2026-11-26 14:06:00 > 2026-11-27 14:05:03"),
        ("13:00..13:20:30", "2026-11-27 13:00:00 > 2026-11-27 13:20:30"),
        ("23:50..00:10", "2026-11-26 23:50:00 > 2026-11-27 00:10:00"),
        ("today", "2026-11-27 00:00:00 > 2026-11-28 00:00:00"),
        ("yesterday", "2026-11-26 00:00:00 > 2026-11-27 00:00:00"),
        ("2026-11-20", "2026-11-20 00:00:00 > 2026-11-21 00:00:00"),
        ("2026-11-20..2026-11-21", "2026-11-20 00:00:00 > 2026-11-22 00:00:00"),
        ("2026-11-20T08:30..09:00", "2026-11-20 08:30:00 > 2026-11-20 09:00:00"),
        ("2026-11-20 08:30..now", "2026-11-20 08:30:00 > 2026-11-27 14:05:03"),
        ("-1w..", "2026-11-20 14:05:03 > 2026-11-27 14:05:03"),
        ("..-1h", "1970-01-01 01:00:00 > 2026-11-27 13:05:03"),
    ])
    func `a range is read as people write it`(text: String, expected: String) throws {
        #expect(try range(text) == expected)
    }

    @Test(arguments: [
        "", "x", "25:00", "14:60", "-10", "10x", "2026-02-30", "2026-11-27T", "now", "14:05..14:00x", "-30m..-1h",
        "1:2:3:4", "-99999999999h", "tomorrow", "2026-13-01",
    ])
    func `what is no range is refused, with the forms`(text: String) throws {
        let error = #expect(throws: DockError.self) { try RangeWords.range(text, now: now, in: zone) }
        #expect(error?.hint.contains("14:05..14:20") == true)
    }

    @Test(arguments: ["-10m", "14:00", "13:00..now", "-1h..", "2026-11-27T08:00"])
    func `a range that ends now has what is recorded in this second`(text: String) throws {
        let range = try RangeWords.range(text, now: now + 0.4, in: zone)
        #expect(range.to == Int(now + 1) * 1000)
        #expect(throws: DockError.self) { try RangeWords.range("now", now: now + 0.4, in: zone) }
        #expect(try RangeWords.range("-1h..-30m", now: now + 0.4, in: zone).to == Int(now - 1800) * 1000)
    }

    @Test func `a day of a zone with summer time has its own length`() throws {
        // As in Berlin: an hour ahead, two from 2026-03-29 01:00 UTC on.
        let zone = LocalZone { $0 >= 1_774_746_000 ? 7200 : 3600 }
        let day = try RangeWords.range("2026-03-29", now: now, in: zone)
        #expect(day.to - day.from == 23 * 3_600_000)
    }

    @Test func `a chunk is in a range if one of its frames is`() {
        let name = ChunkName(start: 1000, duration: 500, verdict: .clear)
        func isIn(_ from: Int, _ to: Int) -> Bool { DateRange(from: from, to: to).contains(name) }
        #expect(isIn(0, 1001) && isIn(1499, 9000) && isIn(1200, 1201) && !isIn(0, 1000) && !isIn(1500, 9000))
        #expect(DateRange(from: 7, to: 8).contains(ChunkName(start: 7, duration: 0, verdict: .clear)))
    }
}
