import ControlProtocol
import DockTestKit
import DockTypes
import Synchronization
import Testing

@testable import EventLog
@testable import ExtensionKit

/// The recorder beside a daemon that dies and comes back.
@Suite(.timeLimit(.minutes(10))) struct RecorderTests {
    /// When a fake daemon began, CLOCK_MONOTONIC.
    private final class Beginning: Sendable {
        private let moment: Mutex<Double>
        init(_ moment: Double) { self.moment = Mutex(moment) }
        var uptime: Double { SystemTime.monotonic - moment.withLock { $0 } }
        func set(_ new: Double) { moment.withLock { $0 = new } }
    }

    private struct Stage {
        let daemon: FakeDaemon, place = TemporaryFolder(), work: Task<Void, any Error>
        let beginning = Beginning(SystemTime.monotonic - 1000)

        /// `said`: what the daemon has written to its log before.
        init(said: String...) throws {
            daemon = try FakeDaemon()
            let beginning = beginning
            daemon.answerOthers { request in
                guard request.method == "status" else { return [.usual] }
                var status = MethodTable.row("status")?.result.sample.object ?? [:]
                status["uptime"] = .number(beginning.uptime)
                return [.result(.object(status))]
            }
            for text in said { daemon.publish(.log, RecorderTests.warning(text)) }
            let recorder = try RecorderTests.recorder(daemon, place)
            work = Task { try await recorder.run() }
        }

        func say(_ text: String) { daemon.publish(.log, RecorderTests.warning(text)) }

        /// Waits until the recorder has subscribed to all its topics.
        func subscribed() async throws {
            var topics: Set<String> = []
            while topics.count < 6 {
                let request = try await daemon.next("subscribe")
                topics.formUnion((request["topics"]?.array ?? []).compactMap(\.string))
            }
        }

        /// Waits until a text is on the disk.
        func wait(for text: String) async throws {
            let reader = try reader(), end = SystemTime.monotonic + 30
            while SystemTime.monotonic < end {
                while case let new = try reader.next(), !new.isEmpty {
                    if new.contains(where: { $0.json["text"]?.string == text }) { return }
                }
                await Task.yield()
            }
            Issue.record("\"\(text)\" is not recorded")
        }

        /// Ends the recorder. Returns the texts of all messages, and the words of the other records.
        func end() async throws -> [String] {
            work.cancel()
            _ = await work.result
            let reader = try reader()
            var all: [StoredRecord] = []
            while case let new = try reader.next(), !new.isEmpty { all += new }
            return all.map { $0.json["text"]?.string ?? "\($0.kind) \($0.what)" }
        }

        private func reader() throws -> LogReader {
            LogReader(try LogFolder.open(place.path + "/log", makes: true), LogRange())
        }
    }

    private static func recorder(_ daemon: FakeDaemon, _ place: TemporaryFolder) throws -> LogRecorder {
        let session = ExtensionSession(
            ExtensionIdentity(name: "log", version: "1"), control: daemon.path, log: ExtensionLog("log") { _ in })
        return try LogRecorder(session, LogSettings(), LogFolder.open(place.path + "/log", makes: true))
    }

    private static func warning(_ text: String) -> JSONValue {
        var line = LogReading()
        (line.level, line.text) = ("warning", text)
        return line.json
    }

    @Test func `what a new daemon said before the log was connected again is recorded`() async throws {
        let stage = try Stage(said: "before the log began")
        try await stage.subscribed()
        stage.say("while it runs")
        stage.say("its last words")
        stage.daemon.leave()
        stage.beginning.set(SystemTime.monotonic)
        // The new daemon says something before a program can connect to it.
        stage.say("its first words")
        try stage.daemon.comeBack()
        try await stage.subscribed()
        stage.say("later")
        try await stage.wait(for: "later")
        let texts = try await stage.end()
        #expect(
            texts.filter { !$0.hasPrefix("dock ") } == [
                "recorder started", "daemon connected", "while it runs", "its last words", "daemon lost",
                "daemon away", "daemon connected", "its first words", "later", "recorder stopped",
            ])
    }

    @Test func `a daemon that goes on after a lost connection is not recorded twice`() async throws {
        let stage = try Stage()
        try await stage.subscribed()
        stage.say("once")
        try await stage.wait(for: "once")
        stage.daemon.send(.hangUp)
        try await stage.subscribed()
        stage.say("again")
        try await stage.wait(for: "again")
        #expect(try await stage.end().count { $0 == "once" } == 1)
    }

    @Test func `persons are announced on every connection, before the first of them can be seen`() async throws {
        let stage = try Stage()
        for connection in 1...2 {
            let first = try await stage.daemon.next("setIndicator", "subscribe")
            #expect(first.method == "setIndicator" && first["name"] == .string("log"))
            #expect(first.connection == connection)
            try await stage.subscribed()
            stage.daemon.send(.hangUp)
        }
        _ = try await stage.end()
    }

    @Test func `a daemon that cannot show that persons are recorded ends the recorder`() async throws {
        let daemon = try FakeDaemon(greeting: .daemon(features: [])), place = TemporaryFolder()
        let recorder = try Self.recorder(daemon, place)
        let error = await #expect(throws: DockError.self) { try await recorder.run() }
        #expect(error?.code == .notSupported)
    }
}
