import Foundation
import Glibc
import TestSupport
import Testing

/// The daemon as a systemd service, with a socket of the test in systemd's place.
@Suite(.inLanes) struct ServiceManagerTests {
    /// Receives the daemon's notifications.
    private final class Manager {
        let path = TemporaryFile.freePath("notify")
        private let descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue), 0)
        private(set) var said: [String] = []

        init() throws {
            var address = sockaddr_un()
            address.sun_family = sa_family_t(AF_UNIX)
            withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: Array(path.utf8)) }
            let isBound = withUnsafePointer(to: address) { pointer in
                pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size)) == 0
                }
            }
            try #require(isBound)
        }

        deinit {
            close(descriptor)
            unlink(path)
        }

        func hears(_ count: Int, _ line: String, from daemon: Daemon) -> Bool {
            daemon.program.wait { [self] in
                var bytes = [UInt8](repeating: 0, count: 400)
                while case let size = recv(descriptor, &bytes, bytes.count, Int32(MSG_DONTWAIT)), size >= 0 {
                    said.append(String(decoding: bytes[..<size], as: UTF8.self))
                }
                return said.count { $0.hasPrefix(line) } >= count
            }
        }
    }

    @Test func `it reports that it is ready, that it is alive, what the dock does, and that it ends`() throws {
        let manager = try Manager()
        var setup = Program.Setup()
        setup.environment = ["NOTIFY_SOCKET": manager.path, "WATCHDOG_USEC": "600000"]
        let daemon = try Daemon(["--headless"], setup)
        try daemon.waitForPose()
        for (count, line) in [(1, "READY=1"), (1, "STATUS=dock ready"), (4, "WATCHDOG=1")] {
            #expect(manager.hears(count, line, from: daemon), "\(manager.said)")
        }
        daemon.program.signal(SIGTERM)
        #expect(manager.hears(1, "STOPPING=1", from: daemon), "\(manager.said)")
        #expect(daemon.program.end() == .exit(0))
    }

    @Test func `a service without a detector waits, though its standard input is empty`() throws {
        let manager = try Manager()
        var setup = Program.Setup()
        setup.environment = ["NOTIFY_SOCKET": manager.path, "WATCHDOG_USEC": "300000"]
        setup.hasInput = false
        let daemon = try Daemon(["--headless", "--socket", "none"], setup)
        #expect(manager.hears(6, "WATCHDOG=1", from: daemon) && !daemon.program.hasEnded, "\(daemon.program.errors)")
        daemon.program.signal(SIGTERM)
        #expect(daemon.program.end() == .exit(0), "\(daemon.program.errors)")
    }

    @Test func `a restart is not reported as an end`() throws {
        let manager = try Manager()
        let file = try TemporaryFile("limits = [\"pan -60 60\"]\n", ".toml")
        var setup = Program.Setup()
        setup.environment = ["NOTIFY_SOCKET": manager.path, "DOCKFACE_CONFIG": file.path]
        let daemon = try Daemon(["--headless", "--socket", "none"], setup)
        #expect(manager.hears(1, "READY=1", from: daemon), "\(manager.said)")
        try "limits = [\"pan -5 5\"]\n".write(toFile: file.path, atomically: false, encoding: .utf8)
        daemon.program.signal(SIGHUP)
        #expect(manager.hears(1, "RELOADING=1", from: daemon) && manager.hears(2, "READY=1", from: daemon))
        // A manager that is notified of an end would kill the process that continues.
        #expect(!manager.said.contains("STOPPING=1"), "\(manager.said)")
        daemon.program.signal(SIGTERM)
        #expect(manager.hears(1, "STOPPING=1", from: daemon), "\(manager.said)")
        #expect(daemon.program.end() == .exit(0))
    }
}
