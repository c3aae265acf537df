import ControlProtocol
import DockTestKit
import DockTypes
import Testing

@testable import EventLog

@Suite struct RecordTextTests {
    private static func line(_ record: LogRecord) -> String {
        StoredRecord(line: record.line(time: zone.wall(noon), order: 1).dropLast()).map(RecordText.line) ?? ""
    }

    @Test func `each kind is a plain line`() {
        #expect(
            Self.line(LogRecord(.fault, "latched", ["reason": .string("stall")]))
                == "2026-11-27 14:05:03  fault     latched: stall")
        #expect(Self.line(LogRecord(.dock, "ready")) == "2026-11-27 14:05:03  dock      ready")
        #expect(
            Self.line(LogRecord(.event, "button", ["id": .number(3), "pressed": .bool(true)]))
                == "2026-11-27 14:05:03  event     button: id 3, pressed yes")
        #expect(
            Self.line(
                LogRecord(.battery, "level", ["name": .string("main"), "level": .number(0.4), "low": .bool(true)]))
                == "2026-11-27 14:05:03  battery   main 40 %, low")
    }

    @Test func `a person has a beginning, an end and a duration`() {
        var people = PersonSpans()
        _ = people.saw(tracking([subject(12)], followed: 12), at: at(0))
        _ = people.saw(tracking([subject(12)], followed: 12), at: at(125))
        #expect(
            Self.line(people.endAll()[0])
                == "2026-11-27 14:05:03  person    person 12, from 14:05:03 to 14:07:08, 2 min 5 s, followed")
    }

    @Test func `a record of another program commands no terminal`() throws {
        let line =
            #"{"kind":"a\u001b[2J","order":1,"time":"2026-11-27T12:00:00Z","what":"\u202ex","n\u0007":["\u001b"]}"#
        let text = RecordText.line(try #require(StoredRecord(line: line.utf8)))
        #expect(text.unicodeScalars.allSatisfy { $0.value >= 0x20 && $0 != "\u{202E}" })
        #expect(text.contains(#"\u{1b}[2J"#))
    }

    @Test(arguments: [
        "", "{}", "[]", "null", #"{"kind":"event","order":1,"what":"x"}"#,
        #"{"kind":"event","order":1.5,"time":"2026-11-27T12:00:00Z","what":"x"}"#,
        #"{"kind":7,"order":1,"time":"2026-11-27T12:00:00Z","what":"x"}"#,
    ])
    func `a line that is no record is rejected`(line: String) { #expect(StoredRecord(line: line.utf8) == nil) }

    @Test func `kinds are named, and a wrong one has a suggestion`() throws {
        #expect(try LogKind.named(in: "fault, person") == ["fault", "person"])
        let error = #expect(throws: DockError.self) { try LogKind.named(in: "fualt") }
        #expect(error?.hint == "did you mean \"fault\"?")
    }

    @Test func `the status has sizes in words`() {
        let days = [day("2026-11-20"): 3_200_000, day("2026-11-27"): 900]
        let summary = LogSummary(folder: "/x", days: days, budget: 64_000_000, isRecording: true)
        #expect(summary.text.contains("2 days, the first 2026-11-20") && summary.text.contains("3.2 MB of 64 MB"))
        #expect(summary.json["bytes"] == .number(3_200_900) && summary.json["first"] == .string("2026-11-20"))
        #expect(LogSummary.size(999) == "999 bytes" && LogSummary.size(640_000) == "640 kB")
    }
}

@Suite struct LogDeskTests {
    @Test func `records of a run and its successor are in one file, in order`() async throws {
        let temporary = TemporaryFolder()
        let folder = try LogFolder.open(temporary.path + "/log", makes: true)
        for run in 0..<2 {
            let desk = try LogDesk(LogSettings(), folder) {
                at(Double(run) * 60)
            } say: { text, _ in
                Issue.record("said: \(text)")
            }
            await desk.handle(.started(version: "1", removed: 0))
            await desk.handle(.accessory(accessory("faulted", reason: "stall")))
            await desk.tick()
            await desk.end()
        }
        let reader = LogReader(folder, LogRange()) { day("2026-11-27") }
        let records = try reader.next()
        let run = ["recorder started", "fault latched", "dock faulted", "recorder stopped"]
        #expect(words(records) == run + run && records.map(\.order) == Array(1...8))
    }

    @Test func `the budget holds on the disk`() async throws {
        let temporary = TemporaryFolder()
        let folder = try LogFolder.open(temporary.path + "/log", makes: true)
        var settings = LogSettings()
        settings.budget = 1
        for text in ["2026-11-20", "2026-11-21", "2026-11-22"] {
            temporary.write(String(repeating: "x", count: 399_999) + "\n", to: "log/\(text).jsonl")
        }
        let desk = try LogDesk(settings, folder) {
            at(0)
        } say: { _, _ in
        }
        await desk.handle(.started(version: "1", removed: 0))
        await desk.end()
        #expect(try folder.days().keys.sorted() == [day("2026-11-21"), day("2026-11-22"), day("2026-11-27")])
    }
}
