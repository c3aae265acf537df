import DockTestKit
import Foundation
import Testing

@testable import EventLog

/// The built program from outside. Some tests need the daemon, too.
@Suite(.timeLimit(.minutes(10))) struct ProgramTests {
    private let place = TemporaryFolder()

    private func start(_ words: String...) throws -> Running { try Running(Running.log, words, in: place) }

    @Test func `a recorder says what it keeps, waits for the daemon, and ends with TERM`() async throws {
        let recorder = try start(), records = RecordWatch(place)
        try await records.wait(for: "recorder started")
        recorder.signal(SIGTERM)
        #expect(recorder.status() == 143)
        try await records.wait(for: "recorder stopped")
        let text = recorder.text
        #expect(text.contains("log: keeps events, faults") && text.contains("at most 64 MB; stop it with Ctrl-C"))
        #expect(text.contains("/state/dockface/log"))
    }

    @Test func `Ctrl-C is an orderly end, too`() async throws {
        let recorder = try start("run", "--no-people"), records = RecordWatch(place)
        try await records.wait(for: "recorder started")
        recorder.signal(SIGINT)
        #expect(recorder.status() == 0 && !recorder.text.contains("who was seen"))
    }

    @Test func `a recorder whose output no one reads still ends within 5 s of TERM`() async throws {
        let pipe = Pipe(), descriptor = pipe.fileHandleForWriting.fileDescriptor
        _ = fcntl(descriptor, F_SETFL, O_NONBLOCK)
        while write(descriptor, [UInt8](repeating: 0x78, count: 4096), 4096) > 0 {}
        _ = fcntl(descriptor, F_SETFL, 0)
        let recorder = try Running(Running.log, [], in: place, output: pipe.fileHandleForWriting)
        // It has taken the folder, and hangs in its first line.
        while !LogFolder.exists(place.path + "/state/dockface/log") { await Task.yield() }
        recorder.signal(SIGTERM)
        #expect([128 + SIGTERM].contains(recorder.status()))
        withExtendedLifetime(pipe) {}
    }

    @Test func `a second recorder of one folder ends with status 75`() async throws {
        let first = try start(), records = RecordWatch(place)
        try await records.wait(for: "recorder started")
        let second = try start()
        #expect(second.status() == 75 && second.text.contains("already records"))
        first.signal(SIGTERM)
        #expect(first.status() == 143)
    }

    @Test func `a recorder that was killed leaves a gap, and its torn line is removed`() async throws {
        let first = try start(), records = RecordWatch(place)
        try await records.wait(for: "recorder started")
        first.signal(SIGKILL)
        #expect(first.status() == 128 + SIGKILL)
        let folder = try LogFolder.open(place.path + "/state/dockface/log", makes: false)
        let day = try #require(try folder.days().keys.max())
        let name = "state/dockface/log/\(day.text).jsonl"
        place.write((place.text(of: name) ?? "") + #"{"kind":"eve"#, to: name)
        let second = try start()
        try await records.wait(for: "recorder repaired")
        try await records.wait(for: "recorder gap")
        try await records.wait(for: "recorder started")
        second.signal(SIGTERM)
        #expect(second.status() == 143)
    }

    @Test func `records are shown, counted and deleted`() async throws {
        let recorder = try start(), records = RecordWatch(place)
        try await records.wait(for: "recorder started")
        let status = try start("status")
        #expect(status.status() == 0 && status.text.contains("recording  yes"))
        recorder.signal(SIGTERM)
        _ = recorder.status()
        let show = try start("show", "--kind", "recorder")
        #expect(show.status() == 0)
        #expect(show.text.split(separator: "\n").map { $0.suffix(22) }.first == "started: version 0.2.0")
        let short = try start("--since", "1h", "--kind", "recorder")
        #expect(short.status() == 0 && short.text == show.text)
        let asks = try start("delete")
        #expect(asks.status() == 64 && asks.text.contains("--yes"))
        let delete = try start("delete", "--yes")
        #expect(delete.status() == 0 && delete.text.contains("deleted 1 day of records"))
        let empty = try start("status", "--json")
        #expect(empty.status() == 0 && empty.text.contains(#""days":0"#))
    }

    @Test(arguments: [
        ["show", "--since", "tomorrow"], ["show", "--kind", "fualt"], ["run", "--budget", "0"],
        ["delete", "--before", "now"], ["record"],
    ])
    func `a mistake on the command line has status 64`(words: [String]) throws {
        let program = try Running(Running.log, words, in: place)
        #expect(program.status() == 64)
    }

    @Test func `a mistake in the settings has status 78, and names its line`() throws {
        place.write("# settings\nbudgte = 3\n", to: "config/dockface/log.toml")
        let program = try start()
        #expect(program.status() == 78)
        #expect(program.text.contains("log.toml:2:1: \"budgte\" is unknown; did you mean \"budget\"?"))
    }

    @Test(.enabled(if: Running.daemon != nil, "the daemon is not built"))
    func `the daemon may go and return, and the log says when`() async throws {
        let words = ["run", "--headless", "--port", "sim"], program = try #require(Running.daemon)
        let recorder = try start(), records = RecordWatch(place)
        try await records.wait(for: "recorder started")
        let first = try Running(program, words, in: place)
        try await records.wait(for: "daemon connected")
        try await records.wait(for: "dock ready")
        first.signal(SIGKILL)
        try await records.wait(for: "daemon lost")
        let second = try Running(program, words, in: place)
        try await records.wait(for: "daemon away")
        try await records.wait(for: "dock ready")
        let stop = try Running(program, ["estop"], in: place)
        #expect(stop.status() == 0)
        try await records.wait(for: "fault latched")
        recorder.signal(SIGTERM)
        #expect(recorder.status() == 143)
        try await records.wait(for: "recorder stopped")
        second.signal(SIGTERM)
        _ = second.status()
    }
}
