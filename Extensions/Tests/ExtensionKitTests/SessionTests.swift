import ControlProtocol
import DockClient
import DockTestKit
import Synchronization
import Testing

@testable import ExtensionKit

/// A session and its reports, beside a daemon that only answers.
@Suite(.timeLimit(.minutes(10))) struct SessionTests {
    private static let identity = ExtensionIdentity(name: "pad", version: "1.2.3")

    private final class Lines: Sendable {
        let all = Mutex<[String]>([])
        func put(_ line: String) { all.withLock { $0.append(line) } }
    }

    private static func session(_ path: String, _ lines: Lines = Lines()) -> ExtensionSession {
        ExtensionSession(identity, control: path, log: ExtensionLog("pad") { lines.put($0) })
    }

    @Test func `a session reports its state at once and after each change`() async throws {
        let daemon = try FakeDaemon()
        let session = Self.session(daemon.path)
        let reporter = Task { await ExtensionReporter(session: session).run() }
        defer { reporter.cancel() }
        let dock = try await session.connect()
        defer { dock.close() }
        let first = try await daemon.next()
        #expect(first.method == "setExtension")
        #expect(first["name"] == .string("pad") && first["version"] == .string("1.2.3"))
        #expect(first["state"] == .string("starting"))
        session.report(.trying, "no gamepad")
        let second = try await daemon.next()
        #expect(second["state"] == .string("trying") && second["text"] == .string("no gamepad"))
    }

    @Test func `a report is repeated before it is too old`() async throws {
        let daemon = try FakeDaemon()
        let session = Self.session(daemon.path)
        let reporter = Task { await ExtensionReporter(session: session).run() }
        defer { reporter.cancel() }
        let dock = try await session.connect()
        defer { dock.close() }
        let first = try await daemon.next("setExtension"), second = try await daemon.next("setExtension")
        #expect(first.parameters == second.parameters)
    }

    @Test func `an older daemon is asked once, and the log stays empty`() async throws {
        let daemon = try FakeDaemon()
        daemon.answer("setExtension", .refusal(.methodNotFound, "unknown method \"setExtension\""))
        let lines = Lines(), session = Self.session(daemon.path, lines)
        let reporter = Task { await ExtensionReporter(session: session).run() }
        let dock = try await session.connect()
        try await daemon.next("setExtension")
        // The refusal may still be on its way; the next state may therefore be sent, but not the one after it.
        for state in [ExtensionState.trying, .ready, .fault] {
            session.report(state)
            _ = try await dock.call("status")
            while case let call = try await daemon.next(), call.method != "status" {
                #expect(state == .trying, "asked again: \(call)")
            }
        }
        reporter.cancel()
        await reporter.value
        dock.close()
        #expect(lines.all.withLock { $0 }.isEmpty)
    }

    @Test func `a session waits for the daemon, says so once, and ends with its task`() async throws {
        let lines = Lines(), path = "/tmp/dockface-test-\(UInt64.random(in: 0 ... .max))/s"
        let session = Self.session(path, lines)
        let work = Task { _ = try await session.connect() }
        // Until it has tried for the first time.
        while lines.all.withLock({ $0.isEmpty }) { await Task.yield() }
        work.cancel()
        await #expect(throws: CancellationError.self) { try await work.value }
        #expect(
            lines.all.withLock { $0 } == ["pad: waiting for the daemon at \(path): start it with `dockface run`"])
    }
}
