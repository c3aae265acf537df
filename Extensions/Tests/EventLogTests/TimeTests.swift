import DockTypes
import Testing

@testable import EventLog

@Suite struct DayTests {
    @Test(arguments: [
        ("1970-01-01", 0), ("1970-03-01", 59), ("2000-02-29", 11016), ("2026-11-27", 20784), ("9999-12-31", 2_932_896),
    ])
    func `a day is a number and a text`(text: String, number: Int) {
        #expect(Day(text)?.number == number)
        #expect(Day(number: number).text == text)
    }

    @Test func `every day follows the one before it`() {
        var before = Day(number: 0)
        for number in stride(from: 1, through: 60_000, by: 1) {
            let day = Day(number: number)
            #expect(before < day && Day(day.text) == day)
            before = day
        }
    }

    @Test(arguments: [
        "2026-02-29", "2026-13-01", "2026-00-10", "2026-1-1", "26-11-27", "2026-11-27x", "", "1969-12-31", "२०२६-११-२७",
    ])
    func `a text that is no day is rejected`(text: String) { #expect(Day(text) == nil) }

    @Test func `a number out of range becomes the nearest day`() {
        #expect(Day(number: -5).text == "1970-01-01" && Day(number: .max).text == "9999-12-31")
    }
}

@Suite struct WallTimeTests {
    @Test(arguments: [
        "2026-11-27T14:05:03.120+01:00", "2026-11-27T00:00:00.000-03:30", "2024-02-29T23:59:59.999+00:00",
    ])
    func `a time is written as it is read`(text: String) { #expect(WallTime(iso: text)?.iso == text) }

    @Test func `the day is the local one`() {
        #expect(WallTime(iso: "2026-11-27T23:30:00Z")?.day == day("2026-11-27"))
        #expect(zone.wall(WallTime(iso: "2026-11-27T23:30:00Z")?.unix ?? 0).day == day("2026-11-28"))
    }

    @Test(arguments: [
        "2026-11-27", "2026-11-27T", "2026-11-27T14:05:03", "2026-11-27T25:00:00Z", "2026-11-27T14:05:03.Z",
        "2026-11-27T14:05:03+0100", "T14:05:03Z", "",
    ])
    func `a text that is no time is rejected`(text: String) { #expect(WallTime(iso: text) == nil) }

    @Test(arguments: [-1e30, Double.nan, .infinity, 1e30])
    func `a clock that is out of its mind is no trap`(unix: Double) {
        #expect(zone.wall(unix).iso.utf8.count == 29)
    }
}

@Suite struct TimeWordsTests {
    private static let now = zone.wall(noon)

    private static func since(_ text: String) throws -> String {
        zone.wall(try TimeWords.moment(text, .since, now: now, in: zone)).iso
    }
    private static func until(_ text: String) throws -> String {
        zone.wall(try TimeWords.moment(text, .until, now: now, in: zone)).iso
    }

    @Test(arguments: [
        ("1h", "2026-11-27T13:05:03.000+01:00"), ("90s", "2026-11-27T14:03:33.000+01:00"),
        ("2d", "2026-11-25T14:05:03.000+01:00"), ("1w", "2026-11-20T14:05:03.000+01:00"),
        ("now", "2026-11-27T14:05:03.000+01:00"), ("today", "2026-11-27T00:00:00.000+01:00"),
        ("yesterday", "2026-11-26T00:00:00.000+01:00"), ("14:05", "2026-11-27T14:05:00.000+01:00"),
        ("14:06", "2026-11-26T14:06:00.000+01:00"), ("2026-11-01", "2026-11-01T00:00:00.000+01:00"),
        ("2026-11-01T08:30", "2026-11-01T08:30:00.000+01:00"), ("2026-11-01 08:30:05", "2026-11-01T08:30:05.000+01:00"),
        ("2026-11-01T08:30:05Z", "2026-11-01T09:30:05.000+01:00"),
    ])
    func `a beginning is understood`(text: String, expected: String) throws {
        #expect(try Self.since(text) == expected)
    }

    @Test(arguments: [
        ("today", "2026-11-27T23:59:59.999+01:00"), ("2026-11-01", "2026-11-01T23:59:59.999+01:00"),
        ("14:06", "2026-11-27T14:06:59.999+01:00"), ("14:06:10", "2026-11-27T14:06:10.999+01:00"),
        ("1h", "2026-11-27T13:05:03.000+01:00"),
    ])
    func `an end includes the day, minute or second that it names`(text: String, expected: String) throws {
        #expect(try Self.until(text) == expected)
    }

    @Test(arguments: ["", "h", "-1h", "1.5h", "25:00", "14:5x", "2026-11-31", "tomorrow", "9999999999h"])
    func `other words are rejected with the forms`(text: String) {
        let error = #expect(throws: DockError.self) { try TimeWords.moment(text, .since, now: Self.now, in: zone) }
        #expect(error?.code == .invalidParameter && error?.hint.contains("14:05") == true)
    }

    @Test func `a day begins at its local midnight on both sides of summer time`() {
        // Ahead by 2 h until 2026-10-25 03:00, then by 1 h.
        let change = 1_792_890_000
        let berlin = LocalZone { $0 < change ? 7200 : 3600 }
        for text in ["2026-10-25", "2026-10-26"] {
            #expect(berlin.wall(berlin.unix(day(text))).iso.hasPrefix("\(text)T00:00:00.000"))
        }
    }
}
