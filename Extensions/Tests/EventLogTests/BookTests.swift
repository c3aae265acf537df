import ControlProtocol
import DockClient
import Testing

@testable import EventLog

/// What is written, deleted and said, in virtual time.
@Suite struct LogBookTests {
    private static func book(_ megabytes: Double = 64, people: Bool = true) -> LogBook {
        var settings = LogSettings()
        (settings.budget, settings.people) = (megabytes, people)
        return LogBook(settings)
    }

    private static func said(_ actions: [LogBook.Action]) -> [String] {
        actions.compactMap { if case .say(let text, _) = $0 { text } else { nil } }
    }

    private static func lines(_ actions: [LogBook.Action]) -> [LogLine] {
        actions.compactMap { if case .write(let line) = $0 { line } else { nil } }
    }

    private static let button = LogNews.event(.button(id: 1, isPressed: true))

    @Test func `records are numbered, whatever the clock does`() {
        var book = Self.book()
        var actions = book.handle(.started(version: "1", removed: 0), at: at(0))
        actions += book.handle(Self.button, at: at(-3600))
        actions += book.handle(.stopping, at: at(1))
        let records = written(actions)
        #expect(words(records) == ["recorder started", "event button", "recorder stopped"])
        #expect(records.map(\.order) == [1, 2, 3])
        #expect(records[1].time.iso == "2026-11-27T13:05:03.000+01:00")
    }

    @Test func `a run goes on with the numbers of the one before, and reports a crash as a gap`() throws {
        let last = try #require(
            StoredRecord(
                line: #"{"kind":"event","order":41,"time":"2026-11-27T13:05:03.000+01:00","what":"flip"}"#.utf8))
        var book = LogBook(LogSettings(), days: [day("2026-11-27"): 90], last: last)
        let records = written(book.handle(.started(version: "1", removed: 12), at: at(0)))
        #expect(words(records) == ["recorder repaired", "recorder gap", "recorder started"])
        #expect(records.map(\.order) == [42, 43, 44])
        #expect(records[1].json["seconds"] == .number(3600))
    }

    @Test func `a run after an orderly end has no gap`() throws {
        let last = try #require(
            StoredRecord(line: #"{"kind":"recorder","order":4,"time":"2026-11-26T13:05:03Z","what":"stopped"}"#.utf8))
        var book = LogBook(LogSettings(), days: [day("2026-11-26"): 90], last: last)
        #expect(words(written(book.handle(.started(version: "1", removed: 0), at: at(0)))) == ["recorder started"])
    }

    @Test func `the daemon's absence is one record, with its times`() {
        var book = Self.book()
        _ = book.handle(.connected(version: "0.2.0", run: .first), at: at(0))
        var actions = book.handle(.disconnected("gone"), at: at(10))
        for second in 11..<40 { actions += book.handle(.disconnected("refused"), at: at(Double(second))) }
        actions += book.handle(.connected(version: "0.3.0", run: .new), at: at(40))
        let records = written(actions)
        #expect(words(records) == ["daemon lost", "daemon away", "daemon connected"])
        #expect(records[1].json["seconds"] == .number(30))
        #expect(records[1].json["from"] == .string("2026-11-27T14:05:13.000+01:00"))
        #expect(records[1].json["to"] == .string("2026-11-27T14:05:43.000+01:00"))
    }

    @Test func `people end with the daemon, and a state is reported again after it`() {
        var book = Self.book()
        var actions = book.handle(.accessory(accessory("ready")), at: at(0))
        actions += book.handle(.tracking(tracking([subject(1)])), at: at(1))
        actions += book.handle(.disconnected("gone"), at: at(2))
        actions += book.handle(.accessory(accessory("ready")), at: at(3))
        #expect(words(written(actions)) == ["dock ready", "person seen", "daemon lost", "dock ready"])
    }

    @Test func `a run that ends while the daemon is away says how long`() {
        var book = Self.book()
        _ = book.handle(.disconnected("gone"), at: at(0))
        #expect(words(written(book.handle(.stopping, at: at(5)))) == ["daemon away", "recorder stopped"])
    }

    @Test func `who was seen is not kept if a person does not want it`() {
        var book = Self.book(people: false)
        var actions = book.handle(.tracking(tracking([subject(1)])), at: at(0))
        actions += book.handle(Self.button, at: at(0))
        actions += book.handle(.stopping, at: at(1))
        #expect(words(written(actions)) == ["event button", "recorder stopped"])
    }

    @Test func `a flood is 200 lines and one that counts the rest`() {
        var book = Self.book()
        var actions: [LogBook.Action] = []
        for step in 0..<10_000 { actions += book.handle(Self.button, at: at(Double(step) / 10_000)) }
        actions += book.handle(.dropped(500), at: at(1))
        let before = written(actions).count
        let rest = written(book.tick(at: at(1.1)))
        #expect(before == 180 && words(rest) == ["recorder more"])
        #expect(rest[0].json["count"] == .number(10_000 - 180 + 500))
    }

    @Test func `a disk that is full is named once, and afterwards the lost records are counted`() {
        var book = Self.book()
        var said: [String] = [], lost = 0
        for second in 0..<50 {
            let now = at(Double(second))
            for line in Self.lines(book.handle(Self.button, at: now)) {
                lost += 1
                said += Self.said(book.wrote(line, failure: "No space left on device", at: now))
            }
        }
        #expect(said == ["records are lost, because they cannot be written: No space left on device"])
        #expect(book.problem == "No space left on device" && book.total == 0)
        let line = Self.lines(book.handle(Self.button, at: at(60)))[0]
        let after = book.wrote(line, failure: nil, at: at(60))
        #expect(words(written(after)) == ["recorder lost"])
        #expect(written(after)[0].json["count"] == .number(lost))
        #expect(Self.said(after) == ["records are written again; 50 were lost"] && book.problem == nil)
    }

    @Test func `a count of lost records that is lost itself is counted again`() {
        var book = Self.book()
        let first = Self.lines(book.handle(Self.button, at: at(0)))[0]
        _ = book.wrote(first, failure: "full", at: at(0))
        let second = Self.lines(book.handle(Self.button, at: at(1)))[0]
        let count = Self.lines(book.wrote(second, failure: nil, at: at(1)))[0]
        #expect(Self.said(book.wrote(count, failure: "full", at: at(1))).isEmpty, "it was named a second ago")
        let third = Self.lines(book.handle(Self.button, at: at(2)))[0]
        #expect(written(book.wrote(third, failure: nil, at: at(2)))[0].json["count"] == .number(1))
    }

    @Test func `the oldest day is deleted before a line that needs its room`() {
        var settings = LogSettings()
        settings.budget = 1
        var book = LogBook(settings, days: [day("2026-11-20"): 600_000, day("2026-11-25"): 399_990])
        let actions = book.handle(Self.button, at: at(0))
        guard case .delete(let gone) = actions.first, case .write = actions.last else {
            Issue.record("\(actions)")
            return
        }
        #expect(gone == day("2026-11-20"))
    }

    @Test func `a day that fills the budget is reported in three steps, stays within it, and counts what it lacks`() {
        var book = Self.book(1)
        var said: [String] = [], kinds: Set<String> = [], second = 0.0
        while book.total < 1_000_000, second < 200_000 {
            second += 0.2
            var actions = book.handle(Self.button, at: Moment(monotonic: second, wall: zone.wall(noon)))
            actions += book.handle(
                .accessory(accessory(Int(second * 5).isMultiple(of: 2) ? "ready" : "detached")),
                at: Moment(monotonic: second, wall: zone.wall(noon)))
            said += Self.said(actions)
            kinds.formUnion(written(actions).map(\.kind))
        }
        let end = Moment(monotonic: second + 1, wall: zone.wall(noon))
        let last = book.handle(.accessory(accessory("faulted")), at: end)
        said += Self.said(last)
        #expect(written(last).isEmpty && said.count == 3)
        #expect(said[0].contains("80 %") && said[1].contains("90 %") && said[2].contains("no more records"))
        #expect(book.total < 1_000_000 + 400, "at most one line too many")
        #expect(book.problem == "the budget is used up")
        let tomorrow = Moment(monotonic: second + 2, wall: zone.wall(noon + 86_400))
        let next = written(book.handle(Self.button, at: tomorrow))
        #expect(words(next) == ["recorder lost", "event button"])
        #expect((next[0].json["count"]?.integer ?? 0) > 100 && book.problem == nil)
    }

    @Test func `a day whose file a person deletes is kept again, and what it lacks is counted`() {
        var book = Self.book(1), second = 0.0
        while book.problem == nil, second < 200_000 {
            second += 0.2
            let now = Moment(monotonic: second, wall: zone.wall(noon))
            _ = book.handle(.accessory(accessory(Int(second * 5).isMultiple(of: 2) ? "ready" : "detached")), at: now)
        }
        let end = Moment(monotonic: second + 1, wall: zone.wall(noon))
        _ = book.handle(.accessory(accessory("faulted")), at: end)
        #expect(book.tick(at: end).isEmpty && book.problem == "the budget is used up")
        book.recount([day("2026-11-27"): 100])
        let actions = book.tick(at: end)
        #expect(words(written(actions)) == ["recorder lost"] && book.problem == nil)
        #expect(Self.said(actions) == ["there is room for more records again"])
    }

    @Test func `a full budget is no problem any more after midnight, before the first record`() {
        var book = Self.book(1), second = 0.0
        while book.problem == nil, second < 200_000 {
            second += 0.2
            let now = Moment(monotonic: second, wall: zone.wall(noon))
            _ = book.handle(.accessory(accessory(Int(second * 5).isMultiple(of: 2) ? "ready" : "detached")), at: now)
        }
        let tomorrow = Moment(monotonic: second + 1, wall: zone.wall(noon + 86_400))
        #expect(words(written(book.tick(at: tomorrow))) == ["recorder lost"] && book.problem == nil)
    }

    @Test func `lines that the disk may have lost are counted like those that it did not take`() {
        var book = Self.book()
        _ = book.handle(Self.button, at: at(0))
        #expect(
            Self.said(book.doubted(3, failure: "Input/output error", at: at(1))) == [
                "records are lost, because they cannot be written: Input/output error"
            ])
        #expect(book.problem == "Input/output error")
        let line = Self.lines(book.handle(Self.button, at: at(2)))[0]
        let after = book.wrote(line, failure: nil, at: at(2))
        #expect(written(after)[0].json["count"] == .number(3) && book.problem == nil)
    }

    // MARK: entries of queues

    private static func entry(_ sequence: Int, snapshot: Bool = false, lost: Int = 0) -> LogEntry {
        var line = LogReading()
        (line.level, line.text) = ("warning", "\(sequence)")
        return LogEntry(topic: .log, sequence: sequence, isSnapshot: snapshot, lost: lost, news: .message(line))
    }

    private static func texts(_ actions: [LogBook.Action]) -> [String] {
        written(actions).compactMap { $0.json["text"]?.string }
    }

    @Test func `what happened before the log began is not recorded, and what a new daemon said first is`() {
        var book = Self.book()
        _ = book.handle(.connected(version: "1", run: .first), at: at(0))
        #expect(book.handle(Self.entry(9, snapshot: true), at: at(0)).isEmpty)
        #expect(Self.texts(book.handle(Self.entry(10), at: at(0))) == ["10"])
        _ = book.handle(.connected(version: "1", run: .new), at: at(5))
        let actions = [3, 3, 3].flatMap { book.handle(Self.entry($0, snapshot: true), at: at(5)) }
        #expect(Self.texts(actions + book.handle(Self.entry(4), at: at(5))) == ["3", "3", "3", "4"])
    }

    @Test func `the same daemon repeats its last entries, and those that were missed are counted`() {
        var book = Self.book()
        _ = book.handle(.connected(version: "1", run: .first), at: at(0))
        _ = book.handle(Self.entry(10), at: at(0))
        _ = book.handle(.connected(version: "1", run: .same), at: at(5))
        for _ in 0..<32 { #expect(book.handle(Self.entry(14, snapshot: true), at: at(5)).isEmpty) }
        _ = book.handle(Self.entry(15, lost: 2), at: at(5))
        let rest = written(book.tick(at: at(7)))
        #expect(words(rest) == ["recorder more"] && rest[0].json["count"] == .number(6))
    }

    @Test func `a liar's numbers do no harm`() {
        var book = Self.book()
        _ = book.handle(.connected(version: "1", run: .same), at: at(0))
        for sequence in [Int.max, .min, .max] {
            _ = book.handle(Self.entry(sequence, snapshot: true, lost: .max), at: at(0))
            _ = book.handle(Self.entry(sequence, lost: .max), at: at(0))
        }
        #expect(book.problem == nil)
    }
}
