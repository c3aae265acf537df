internal import CPosix
internal import DockControl
internal import Files
internal import Geometry
internal import Glibc
internal import Processes

/// Reports to systemd (`Type=notify`, the protocol of sd_notify(3)): each report is one datagram to the socket that
/// `NOTIFY_SOCKET` names. The same state is never reported twice, and no call blocks.
final class ServiceManager: Sendable {
    private let descriptor: Int32
    /// The time for which the service manager waits for a sign of life, in seconds, or nil if there is no limit.
    let timeout: Seconds?
    private let lastStatus = Locked("")

    /// Finds the service manager of this process. The result is nil if there is none.
    /// - Parameter variables: the environment, by name.
    init?(variables: (String) -> String? = ProcessEnvironment.value) {
        guard let path = variables("NOTIFY_SOCKET"), let first = path.utf8.first else { return nil }
        // The name is an absolute path, or an abstract name (`@`).
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
        // An abstract name ends at the given length.
        let size = socklen_t(MemoryLayout<sa_family_t>.size + name.count + (first == UInt8(ascii: "@") ? 0 : 1))
        let socket = descriptor
        let isConnected = withUnsafePointer(to: address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { connect(socket, $0, size) == 0 }
        }
        timeout = Self.timeout(variables)
        // The object is now complete, and closes its socket when it is released.
        guard isConnected else { return nil }
    }

    deinit { if descriptor >= 0 { close(descriptor) } }

    /// Reports that the API is available, if it was requested. A missing dock is a state, not a failure.
    func ready() { tell("READY=1") }
    /// Reports that the daemon is alive.
    func sendWatchdog() { tell("WATCHDOG=1") }
    /// Reports that the settings are being reloaded, which `ready` ends.
    func reloading() {
        tell("RELOADING=1\nMONOTONIC_USEC=\(UInt64(cposix_monotonic_now() * 1e6))")
    }
    /// Reports that the daemon is ending.
    func stopping() { tell("STOPPING=1") }

    /// Sets the text that `systemctl status` shows.
    func status(_ text: String) {
        let isNew = lastStatus.withLock { before in
            defer { before = text }
            return before != text
        }
        if isNew { tell("STATUS=" + text) }
    }

    private func tell(_ line: String) { _ = line.utf8.withContiguousStorageIfAvailable { write($0) } }

    private func write(_ bytes: UnsafeBufferPointer<UInt8>) {
        _ = send(descriptor, bytes.baseAddress, bytes.count, Int32(MSG_NOSIGNAL))
    }

    /// Returns `WATCHDOG_USEC`, in microseconds, if it is intended for this process. `WATCHDOG_PID` names the process
    /// if it is set.
    private static func timeout(_ variables: (String) -> String?) -> Seconds? {
        guard let text = variables("WATCHDOG_USEC"), let time = UInt64(text), time > 0 else { return nil }
        if let process = variables("WATCHDOG_PID"), Int32(process) != getpid() { return nil }
        return Seconds(time) / 1e6
    }
}
