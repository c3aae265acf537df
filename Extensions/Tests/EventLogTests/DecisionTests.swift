import ControlProtocol
import DockClient
import Testing

@testable import EventLog

@Suite struct PersonSpansTests {
    @Test func `a person makes one record, when the person has gone`() {
        var people = PersonSpans()
        #expect(people.saw(tracking([subject(7)]), at: at(0)).isEmpty)
        #expect(people.saw(tracking([subject(7)], followed: 7), at: at(30)).isEmpty)
        #expect(people.saw(tracking([]), at: at(31)).isEmpty, "a moment is not long enough")
        #expect(people.due(at: at(32.9)).isEmpty)
        let records = people.due(at: at(33))
        #expect(words(records) == ["person seen"])
        #expect(records[0].details["subject"] == .number(7) && records[0].details["seconds"] == .number(30))
        #expect(records[0].details["first"] == .string("2026-11-27T14:05:03.000+01:00"))
        #expect(records[0].details["last"] == .string("2026-11-27T14:05:33.000+01:00"))
        #expect(records[0].details["followed"] == .bool(true))
        #expect(people.due(at: at(99)).isEmpty)
    }

    @Test func `a person who returns within 2 s is still the same`() {
        var people = PersonSpans()
        _ = people.saw(tracking([subject(7)]), at: at(0))
        _ = people.saw(tracking([]), at: at(1))
        _ = people.saw(tracking([subject(7)]), at: at(2.5))
        #expect(people.due(at: at(10)).isEmpty, "without updates nothing is known to have changed")
        #expect(people.endAll()[0].details["seconds"] == .number(2.5))
    }

    @Test func `a predicted rectangle is not a sight`() {
        var people = PersonSpans()
        _ = people.saw(tracking([subject(7)]), at: at(0))
        _ = people.saw(tracking([subject(7)]), at: at(4))
        _ = people.saw(tracking([subject(7, coasting: true)]), at: at(9))
        #expect(people.endAll()[0].details["seconds"] == .number(4))
    }

    @Test func `objects have a kind of their own, and a clock that is set does not change a duration`() {
        var people = PersonSpans()
        _ = people.saw(tracking([subject(3, kind: "object")]), at: at(0))
        let set = Moment(monotonic: 1010, wall: zone.wall(noon - 7200))
        _ = people.saw(tracking([subject(3, kind: "object")]), at: set)
        let records = people.endAll()
        #expect(words(records) == ["object seen"] && records[0].details["seconds"] == .number(10))
    }

    @Test func `a liar's subjects are bounded`() {
        var people = PersonSpans()
        _ = people.saw(tracking((0..<10_000).map { subject($0) }), at: at(0))
        #expect(people.endAll().count == PersonSpans.most)
    }
}

@Suite struct BatteryStepsTests {
    private static func supply(
        _ level: Double?, _ charge: String = "notCharging", low: Bool = false, critical: Bool = false
    ) -> BatteryReading {
        var supply = SupplyReading()
        (supply.name, supply.level, supply.charge, supply.isLow, supply.isCritical) = (
            "main", level, charge, low, critical
        )
        return BatteryReading([supply])
    }

    @Test func `a battery that empties makes a record at each 10 percent`() {
        var battery = BatterySteps()
        let levels = stride(from: 100, through: 0, by: -1).map { Double($0) / 100 }
        let recorded = levels.filter { !battery.read(Self.supply($0)).isEmpty }
        #expect(recorded == [1, 0.9, 0.8, 0.7, 0.6, 0.5, 0.4, 0.3, 0.2, 0.1, 0])
    }

    @Test func `a level that moves around a step makes one record`() {
        var battery = BatterySteps()
        _ = battery.read(Self.supply(0.8))
        let count = (0..<100).reduce(0) { $0 + battery.read(Self.supply($1.isMultiple(of: 2) ? 0.69 : 0.71)).count }
        #expect(count == 1)
    }

    @Test func `changes of its state are records`() {
        var battery = BatterySteps()
        let readings = [
            Self.supply(0.5), Self.supply(0.5, "charging"), Self.supply(0.5), Self.supply(0.49, low: true),
            Self.supply(0.48, low: true, critical: true), Self.supply(0.49), Self.supply(nil), Self.supply(0.49),
        ]
        let said = readings.flatMap { battery.read($0) }.map(\.what)
        #expect(said == ["first", "charging", "notCharging", "low", "critical", "recovered"])
    }
}

@Suite struct ChangeTests {
    private static func indicator(_ name: String, _ client: Int, _ state: IndicatorState, _ text: String = "")
        -> IndicatorReading
    {
        var reading = IndicatorReading()
        (reading.name, reading.client, reading.state, reading.text) = (name, client, state, text)
        return reading
    }

    @Test func `an indicator makes a record when it is switched on, changed and off`() {
        var indicators = IndicatorChanges()
        let on = IndicatorsReading([Self.indicator("record", 4, .on, "to disk"), Self.indicator("link", 5, .trying)])
        #expect(words(indicators.read(on)) == ["indicator trying", "indicator on"])
        #expect(indicators.read(on).isEmpty)
        let off = indicators.read(IndicatorsReading([Self.indicator("link", 5, .secure)]))
        #expect(words(off) == ["indicator secure", "indicator off"])
        #expect(off.last?.details["name"] == .string("record"))
    }

    @Test func `two programs with one name are two indicators`() {
        var indicators = IndicatorChanges()
        _ = indicators.read(IndicatorsReading([Self.indicator("record", 4, .on), Self.indicator("record", 5, .on)]))
        let off = indicators.read(IndicatorsReading([Self.indicator("record", 5, .on)]))
        #expect(off.count == 1 && off[0].details["client"] == .number(4))
    }

    @Test func `a fault is latched and cleared, and the state follows`() {
        var dock = DockChanges()
        #expect(words(dock.read(accessory("ready"))) == ["dock ready"])
        #expect(dock.read(accessory("ready")).isEmpty)
        let fault = dock.read(accessory("faulted", reason: "stall"))
        #expect(words(fault) == ["fault latched", "dock faulted"] && fault[0].details["reason"] == .string("stall"))
        #expect(words(dock.read(accessory("faulted", reason: "emergencyStop"))) == ["fault replaced", "fault latched"])
        let cleared = dock.read(accessory("ready"))
        #expect(words(cleared) == ["fault cleared", "dock ready"])
        #expect(cleared[0].details["reason"] == .string("emergencyStop"))
    }

    @Test func `a stop and its end name the one who stopped`() {
        var dock = DockChanges()
        _ = dock.read(accessory("ready"))
        let stop = dock.read(accessory("ready", stoppedBy: "person")), end = dock.read(accessory("ready"))
        #expect(words(stop) == ["stop stopped"] && words(end) == ["stop released"])
        #expect(end[0].details["by"] == .string("person"))
    }

    @Test func `of the daemon's log only warnings and errors are kept`() {
        func line(_ level: String) -> LogReading {
            var reading = LogReading()
            (reading.level, reading.text) = (level, "a\u{1B}[2Jb")
            return reading
        }
        #expect(EventRecords.record(line("info")) == nil)
        #expect(EventRecords.record(line("warning"))?.details["text"] == .string(#"a\u{1b}[2Jb"#))
    }

    @Test func `an event of a newer daemon is kept, but not without a limit`() {
        let json = JSONValue.object(["event": .string("dance"), "steps": .string(String(repeating: "x", count: 5000))])
        let record = EventRecords.record(.other(json))
        #expect(record.what == "dance" && (record.details["data"]?.string?.count ?? 9999) <= 500)
    }
}

@Suite struct FloodGateTests {
    @Test func `at most 200 lines pass in any second, whatever the rate`() {
        var gate = FloodGate(), times: [Double] = []
        for step in 0..<30_000 {
            let now = Double(step) / 10_000
            if gate.admits(step.isMultiple(of: 7) ? .dock : .event, now: now) { times.append(now) }
        }
        for time in times { #expect(times.count { $0 >= time && $0 < time + 1 } <= FloodGate.most) }
        #expect(times.count >= 3 * (FloodGate.most - FloodGate.reserve))
    }

    @Test func `a flood of events leaves room for faults`() {
        var gate = FloodGate()
        for _ in 0..<10_000 { _ = gate.admits(.event, now: 5) }
        let faults = (0..<100).count { _ in gate.admits(.fault, now: 5) }
        #expect(faults == FloodGate.reserve)
    }

    @Test func `what was held back is counted once, a second later`() {
        var gate = FloodGate()
        for _ in 0..<1000 { _ = gate.admits(.event, now: 5) }
        gate.hold(7, now: 5.5)
        #expect(gate.due(now: 5.9) == nil)
        #expect(gate.due(now: 6) == 1000 - 180 + 7)
        #expect(gate.due(now: 9) == nil && gate.end() == nil)
    }
}

@Suite struct LogBudgetTests {
    @Test func `the oldest days go first, until the rest fits`() {
        let days = [day("2026-11-24"): 40, day("2026-11-25"): 40, day("2026-11-26"): 40, day("2026-11-27"): 40]
        var budget = LogBudget(limit: 100, days: days)
        #expect(budget.removeSurplus(today: day("2026-11-27")) == [day("2026-11-24"), day("2026-11-25")])
        #expect(budget.total == 80)
        #expect(budget.removeSurplus(today: day("2026-11-27")).isEmpty)
    }

    @Test func `today never goes`() {
        var budget = LogBudget(limit: 100, days: [day("2026-11-27"): 500])
        #expect(budget.removeSurplus(today: day("2026-11-27")).isEmpty)
    }

    @Test(arguments: [
        (79, LogBudget.Keeping.all, true, true, true), (80, .withoutPeople, false, true, true),
        (90, .gravest, false, false, true), (100, .none, false, false, false), (5000, .none, false, false, false),
    ])
    func `a day that fills the budget keeps less and less`(
        size: Int, keeping: LogBudget.Keeping, person: Bool, event: Bool, fault: Bool
    ) {
        let today = day("2026-11-27"), budget = LogBudget(limit: 100, days: [today: size, day("2026-11-26"): 90])
        #expect(budget.keeping(today: today) == keeping)
        #expect(budget.admits(.person, today: today) == person)
        #expect(budget.admits(.event, today: today) == event)
        #expect(budget.admits(.fault, today: today) == fault)
    }
}

@Suite struct DayFilesTests {
    @Test func `records follow the local day`() {
        var files = DayFiles()
        #expect(files.day(for: wall("2026-11-27T23:59:59.999+01:00")) == day("2026-11-27"))
        #expect(files.day(for: wall("2026-11-28T00:00:00+01:00")) == day("2026-11-28"))
    }

    @Test func `a clock that goes back by less than a day keeps the newest file`() {
        var files = DayFiles()
        _ = files.day(for: wall("2026-11-28T00:30:00+01:00"))
        #expect(files.day(for: wall("2026-11-27T23:45:00+01:00")) == day("2026-11-28"))
        #expect(files.day(for: wall("2026-11-27T00:31:00+01:00")) == day("2026-11-28"))
    }

    @Test func `several small steps back count as one`() {
        var files = DayFiles()
        _ = files.day(for: wall("2026-11-28T12:00:00+01:00"))
        for text in ["2026-11-28T02:00:00+01:00", "2026-11-27T20:00:00+01:00", "2026-11-27T13:00:00+01:00"] {
            #expect(files.day(for: wall(text)) == day("2026-11-28"))
        }
        #expect(files.day(for: wall("2026-11-27T11:59:00+01:00")) == day("2026-11-27"))
    }

    @Test func `a clock that goes back further was wrong before`() {
        var files = DayFiles(last: wall("2031-01-01T00:00:00+01:00").unix, day: day("2031-01-01"))
        #expect(files.day(for: wall("2026-11-27T14:00:00+01:00")) == day("2026-11-27"))
        #expect(files.day(for: wall("2026-11-28T14:00:00+01:00")) == day("2026-11-28"))
    }

    @Test func `a journey to the west stays in the newest file`() {
        var files = DayFiles()
        _ = files.day(for: wall("2026-11-28T00:10:00+01:00"))
        #expect(files.day(for: wall("2026-11-27T18:20:00-05:00")) == day("2026-11-28"))
    }
}

@Suite struct DaemonRunsTests {
    private static func run(_ runs: inout DaemonRuns, _ uptime: Double?, at now: Double, took: Double = 0) -> DaemonRun
    {
        runs.connected(uptime: uptime, times: now...(now + took))
    }

    @Test func `a daemon that began at another time is another run`() {
        var runs = DaemonRuns()
        #expect(Self.run(&runs, 100, at: 1000) == .first)
        #expect(Self.run(&runs, 150.1, at: 1050) == .same, "both clocks are read at slightly different times")
        #expect(Self.run(&runs, 2, at: 1060) == .new)
        #expect(Self.run(&runs, 12, at: 1067, took: 5) == .same, "an answer may be late")
        #expect(Self.run(&runs, 0.1, at: 1080, took: 3) == .new)
    }

    @Test func `a daemon that does not say is the same, so that no record is written twice`() {
        var runs = DaemonRuns()
        #expect(Self.run(&runs, nil, at: 1000) == .first)
        #expect(Self.run(&runs, 5, at: 1000) == .first)
        #expect(Self.run(&runs, nil, at: 1001) == .same && Self.run(&runs, .nan, at: 1001) == .same)
    }
}

@Suite struct FutureTests {
    @Test func `files of the future were written first`() {
        let days = ["2026-11-27", "2099-01-02", "2026-11-28", "2026-11-20", "2099-01-01"].map { day($0) }
        #expect(
            Day.inOrderOfWriting(days, today: day("2026-11-27")).map(\.text) == [
                "2099-01-01", "2099-01-02", "2026-11-20", "2026-11-27", "2026-11-28",
            ], "tomorrow may be today in another time zone")
    }

    @Test func `a day of the future is deleted first`() {
        var budget = LogBudget(limit: 100, days: [day("2099-01-01"): 60, day("2026-11-20"): 60, day("2026-11-27"): 10])
        #expect(budget.removeSurplus(today: day("2026-11-27")) == [day("2099-01-01")])
        #expect(budget.total == 70)
    }

    @Test func `a run after a clock that was wrong writes to today's file`() throws {
        let last = try #require(
            StoredRecord(line: #"{"kind":"event","order":41,"time":"2026-11-27T13:05:03+01:00","what":"flip"}"#.utf8))
        var book = LogBook(
            LogSettings(), days: [day("2099-01-01"): 90, day("2026-11-27"): 90], last: last)
        // An hour back: the same file, as without the other one.
        let actions = book.handle(.event(.cameraFlip), at: at(-7200))
        guard case .write(let line)? = actions.last else {
            Issue.record("\(actions)")
            return
        }
        #expect(line.day == day("2026-11-27"))
    }
}
