import ControlProtocol
import DockClient
import DockTestKit
import Glibc
import Synchronization
import Testing

@testable import ExtensionKit

@Suite struct WorkPulseTests {
    @Test func `work that never gave a sign of life is not expected to`() {
        var pulse = WorkPulse()
        pulse.excuse(now: 5)
        #expect(pulse.check(now: 1000) == nil && pulse.isAlive)
    }

    @Test func `work that stops giving signs of life hangs, and may go on`() {
        var pulse = WorkPulse()
        pulse.beat(now: 100)
        #expect(pulse.check(now: 109.9) == nil && pulse.isAlive)
        #expect(pulse.check(now: 110) == .stopped && !pulse.isAlive)
        #expect(pulse.check(now: 111) == nil && !pulse.isAlive, "it is said once")
        pulse.beat(now: 112)
        #expect(pulse.check(now: 112) == .resumed && pulse.isAlive)
    }

    @Test func `work that waits for the daemon does not hang`() {
        var pulse = WorkPulse()
        pulse.beat(now: 100)
        for now in stride(from: 105.0, to: 150, by: 5) {
            pulse.excuse(now: now)
            #expect(pulse.check(now: now) == nil && pulse.isAlive)
        }
    }
}

@Suite(.timeLimit(.minutes(10))) struct ServiceNoticeTests {
    /// A service manager that only listens.
    private final class Manager: Sendable {
        let folder = TemporaryFolder()
        private let descriptor: Int32
        var path: String { folder.path + "/notify" }

        init() throws {
            descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
            var address = sockaddr_un()
            address.sun_family = sa_family_t(AF_UNIX)
            withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
            let descriptor = descriptor
            let status = withUnsafePointer(to: address) { pointer in
                pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
                }
            }
            try #require(status == 0)
        }

        deinit { close(descriptor) }

        /// Waits for the next notice; nil after 10 s.
        func next() -> String? {
            var wait = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
            guard poll(&wait, 1, 10_000) > 0 else { return nil }
            var bytes = [UInt8](repeating: 0, count: 512)
            let count = recv(descriptor, &bytes, bytes.count, 0)
            return count < 0 ? nil : String(decoding: bytes[..<count], as: UTF8.self)
        }

        func notice(_ variables: [String: String] = [:]) -> ServiceNotice? {
            let all = ["NOTIFY_SOCKET": path].merging(variables) { $1 }
            return ServiceNotice { all[$0] }
        }
    }

    @Test func `systemd gets a sign of life with the state`() throws {
        let manager = try Manager(), notice = try #require(manager.notice(["WATCHDOG_USEC": "20000000"]))
        #expect(notice.timeout == 20)
        notice.ready()
        notice.live("trying: no gamepad")
        notice.stopping()
        #expect(manager.next() == "READY=1" && manager.next() == "WATCHDOG=1\nSTATUS=trying: no gamepad")
        #expect(manager.next() == "STOPPING=1")
    }

    @Test func `a watchdog of another process does not count, and without a manager there is no notice`() throws {
        let manager = try Manager()
        #expect(try #require(manager.notice(["WATCHDOG_USEC": "20000000", "WATCHDOG_PID": "1"])).timeout == nil)
        #expect(try #require(manager.notice(["WATCHDOG_USEC": "many"])).timeout == nil)
        for path in ["", "relative", "@", "/no/such/socket", "/" + String(repeating: "x", count: 200)] {
            #expect(ServiceNotice { $0 == "NOTIFY_SOCKET" ? path : nil } == nil)
        }
        #expect(ServiceNotice { _ in nil } == nil)
    }

    @Test func `an extension whose work hangs reports neither to the daemon nor to systemd`() async throws {
        let manager = try Manager(), daemon = try FakeDaemon(), lines = Mutex<[String]>([])
        let session = ExtensionSession(
            ExtensionIdentity(name: "pad", version: "1"), control: daemon.path,
            log: ExtensionLog("pad") { line in lines.withLock { $0.append(line) } })
        let reporter = Task { await ExtensionReporter(session: session, service: manager.notice()).run() }
        let dock = try await session.connect()
        defer { dock.close() }
        try await daemon.next("setExtension")
        #expect(manager.next() == "READY=1" && manager.next() == "WATCHDOG=1\nSTATUS=starting")
        // It hung more than ten seconds ago.
        session.beat(at: SystemTime.monotonic - 11)
        #expect(!session.isAtWork(now: SystemTime.monotonic))
        for state in [ExtensionState.trying, .ready, .trying] {
            session.report(state, "while it hangs")
            _ = try await dock.call("status")
        }
        session.beat()
        session.report(.ready, "again")
        try await daemon.next("report") { $0["text"] == .string("again") }
        #expect(!daemon.requests.contains { $0["text"] == .string("while it hangs") })
        var notices: [String] = []
        while let notice = manager.next(), notice != "WATCHDOG=1\nSTATUS=ready: again" { notices.append(notice) }
        #expect(!notices.contains { $0.contains("while it hangs") })
        reporter.cancel()
        await reporter.value
        while notices.last != "STOPPING=1", let notice = manager.next() { notices.append(notice) }
        #expect(notices.last == "STOPPING=1")
        let said = lines.withLock { $0 }
        #expect(said.contains("pad: error: the work hangs: it gave no sign of life for 10 s"))
        #expect(said.contains("pad: warning: the work continues"))
    }
}
