import Geometry
import Glibc
import TestSupport
import Testing

@testable import Companion

/// What is reported to a service manager, and when not.
@Suite struct ServiceTests {
    @Test func `a running loop is reported three times within the timeout, a hung one never again`() {
        var heart = ServiceWatchdog(timeout: 3)
        var turns: UInt64 = 7, reports: [Seconds] = []
        for tick in 0..<80 {
            let now = 100 + Double(tick) / 4
            switch heart.tick(now: now, turns: turns) {
            case .rest: break
            // Hung for good from the tenth second on.
            case .ring: if now < 110 { turns += 1 }
            case .tell: reports.append(now)
            }
        }
        #expect(reports.count == 10 && reports[0] == 100.25)
        #expect(zip(reports.dropFirst(), reports).allSatisfy { $0 - $1 <= 1.25 })
        #expect((reports.last ?? 0) < 110.5)
    }

    /// A service manager's end of the socket.
    private final class Manager {
        let descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue), 0)
        let name = "@dockface-test-\(getpid())-\(UInt32.random(in: 0 ... .max))"
        init() {
            var address = sockaddr_un()
            address.sun_family = sa_family_t(AF_UNIX)
            var bytes = Array(name.utf8)
            bytes[0] = 0
            withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: bytes) }
            let size = socklen_t(MemoryLayout<sa_family_t>.size + bytes.count)
            _ = withUnsafePointer(to: address) { pointer in
                pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { bind(descriptor, $0, size) }
            }
        }
        deinit { close(descriptor) }

        func next() -> String? {
            var bytes = [UInt8](repeating: 0, count: 400)
            let count = recv(descriptor, &bytes, bytes.count, Int32(MSG_DONTWAIT))
            return count < 0 ? nil : String(decoding: bytes[..<count], as: UTF8.self)
        }
    }

    @Test func `lines go to an abstract socket, and a state is reported once`() throws {
        let manager = Manager()
        let services = try #require(
            ServiceManager { ["NOTIFY_SOCKET": manager.name, "WATCHDOG_USEC": "2000000"][$0] })
        #expect(services.timeout == 2)
        services.ready()
        services.status("dock ready")
        services.status("dock ready")
        services.sendWatchdog()
        services.stopping()
        let heard = (0..<5).map { _ in manager.next() }
        #expect(heard == ["READY=1", "STATUS=dock ready", "WATCHDOG=1", "STOPPING=1", nil])
    }

    @Test(arguments: ["", "relative/path", "/nonexistent/notify", "/" + String(repeating: "x", count: 300)])
    func `without a reachable socket there is no service manager`(path: String) {
        #expect(ServiceManager { $0 == "NOTIFY_SOCKET" ? path : nil } == nil)
    }

    @Test func `a watchdog for another process is ignored`() throws {
        let manager = Manager()
        let services = try #require(
            ServiceManager {
                ["NOTIFY_SOCKET": manager.name, "WATCHDOG_USEC": "2000000", "WATCHDOG_PID": "1"][$0]
            })
        #expect(services.timeout == nil)
    }
}
