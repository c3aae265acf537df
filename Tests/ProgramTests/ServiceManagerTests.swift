import Glibc
import TestSupport
import Testing

/// The daemon as a service of systemd, with a socket of the test's in systemd's place.
@Suite(.inLanes) struct ServiceManagerTests {
    @Test func `it says when it is ready, that it lives, what the dock does, and that it ends`() throws {
        let path = TemporaryFile.freePath("notify")
        let manager = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue), 0)
        defer {
            close(manager)
            unlink(path)
        }
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: Array(path.utf8)) }
        let isBound = withUnsafePointer(to: address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(manager, $0, socklen_t(MemoryLayout<sockaddr_un>.size)) == 0
            }
        }
        try #require(isBound)
        var setup = Program.Setup()
        setup.environment = ["NOTIFY_SOCKET": path, "WATCHDOG_USEC": "600000"]
        let daemon = try Daemon(["--headless"], setup)
        try daemon.waitForPose()
        var said: [String] = []
        func hears(_ count: Int, _ line: String) -> Bool {
            daemon.program.wait {
                var bytes = [UInt8](repeating: 0, count: 400)
                while case let size = recv(manager, &bytes, bytes.count, Int32(MSG_DONTWAIT)), size >= 0 {
                    said.append(String(decoding: bytes[..<size], as: UTF8.self))
                }
                return said.count { $0 == line } >= count
            }
        }
        #expect(hears(1, "READY=1") && hears(1, "STATUS=dock ready"), "\(said)")
        #expect(hears(4, "WATCHDOG=1"), "\(said)")
        daemon.program.signal(SIGTERM)
        #expect(hears(1, "STOPPING=1"), "\(said)")
        #expect(daemon.program.end() == .exit(0))
    }
}
