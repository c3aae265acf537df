internal import CPosix
internal import DockControl
internal import Geometry
internal import Glibc

/// Tells systemd how it goes (`Type=notify`, the protocol of sd_notify(3)): lines in one datagram each, to the socket that
/// `NOTIFY_SOCKET` names. Nobody is told twice the same state, and nothing is waited for.
final class ServiceManager: Sendable {
    private let descriptor: Int32
    /// How long it waits for a sign of life, seconds; nil: it does not.
    let timeout: Seconds?
    private let told = Guarded("")

    /// Of this process; nil: nobody wants to know.
    /// - Parameter variables: the environment, by name.
    init?(variables: (String) -> String? = ProcessEnvironment.value) {
        guard let path = variables("NOTIFY_SOCKET"), let first = path.utf8.first else { return nil }
        // An absolute path, or a name that is in no folder (`@`).
        guard first == UInt8(ascii: "/") || first == UInt8(ascii: "@") else { return nil }
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        var name = Array(path.utf8)
        guard name.count < MemoryLayout.size(ofValue: address.sun_path) else { return nil }
        if first == UInt8(ascii: "@") { name[0] = 0 }
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: name) }
        let kind = Int32(SOCK_DGRAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue) | Int32(SOCK_NONBLOCK.rawValue)
        descriptor = socket(AF_UNIX, kind, 0)
        guard descriptor >= 0 else { return nil }
        // An abstract name ends where its length says.
        let size = socklen_t(MemoryLayout<sa_family_t>.size + name.count + (first == UInt8(ascii: "@") ? 0 : 1))
        let socket = descriptor
        let isConnected = withUnsafePointer(to: address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { connect(socket, $0, size) == 0 }
        }
        timeout = Self.timeout(variables)
        // The object is whole by now, and closes its socket where it is let go.
        guard isConnected else { return nil }
    }

    deinit { if descriptor >= 0 { close(descriptor) } }

    /// The API is up, or as much of it as was wanted. A dock that is not there is a state, no failure.
    func ready() { tell("READY=1") }
    /// The daemon lives.
    func lives() { tell("WATCHDOG=1") }
    /// It reads its settings again; `ready` ends that.
    func reloading() {
        tell("RELOADING=1\nMONOTONIC_USEC=\(UInt64(cposix_monotonic_now() * 1e6))")
    }
    /// It ends.
    func stopping() { tell("STOPPING=1") }

    /// What `systemctl status` shows.
    func status(_ text: String) {
        let isNew = told.withLock { before in
            defer { before = text }
            return before != text
        }
        if isNew { tell("STATUS=" + text) }
    }

    private func tell(_ line: String) { _ = line.utf8.withContiguousStorageIfAvailable { write($0) } }

    private func write(_ bytes: UnsafeBufferPointer<UInt8>) {
        _ = send(descriptor, bytes.baseAddress, bytes.count, Int32(MSG_NOSIGNAL))
    }

    /// `WATCHDOG_USEC`, microseconds, meant for the process `WATCHDOG_PID` where that is set.
    private static func timeout(_ variables: (String) -> String?) -> Seconds? {
        guard let text = variables("WATCHDOG_USEC"), let time = UInt64(text), time > 0 else { return nil }
        if let process = variables("WATCHDOG_PID"), Int32(process) != getpid() { return nil }
        return Seconds(time) / 1e6
    }
}
