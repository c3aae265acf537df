internal import Files
internal import Geometry
internal import Glibc

/// Tells systemd how the extension is, if it is a service (the protocol of sd_notify(3)): each notice is one datagram
/// to the socket that `NOTIFY_SOCKET` names. No call blocks.
final class ServiceNotice: Sendable {
    private let descriptor: Int32
    /// How long systemd waits for a sign of life, in seconds, or nil if it does not wait for one.
    let timeout: Seconds?

    /// Finds the service manager of this process. The result is nil if there is none.
    /// - Parameter variables: the environment, by name.
    init?(variables: (String) -> String? = ProcessEnvironment.value) {
        guard let path = variables("NOTIFY_SOCKET"), path.hasPrefix("/") || path.hasPrefix("@") else { return nil }
        var address = sockaddr_un(), name = Array(path.utf8)
        guard name.count < MemoryLayout.size(ofValue: address.sun_path) else { return nil }
        address.sun_family = sa_family_t(AF_UNIX)
        // An abstract name begins with a zero byte, and ends at the given length.
        if name[0] == UInt8(ascii: "@") { name[0] = 0 }
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: name) }
        let size = socklen_t(MemoryLayout<sa_family_t>.size + name.count + (name[0] == 0 ? 0 : 1))
        let kind = Int32(SOCK_DGRAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue) | Int32(SOCK_NONBLOCK.rawValue)
        let socket = Glibc.socket(AF_UNIX, kind, 0)
        descriptor = socket
        timeout = Self.timeout(variables)
        guard socket >= 0 else { return nil }
        let isConnected = withUnsafePointer(to: address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { connect(socket, $0, size) == 0 }
        }
        // The object is complete, and closes its socket when it is released.
        guard isConnected else { return nil }
    }

    deinit { if descriptor >= 0 { close(descriptor) } }

    /// Tells that the extension has started.
    func ready() { send("READY=1") }

    /// Gives a sign of life, and sets the text that `systemctl status` shows.
    func live(_ text: String) { send("WATCHDOG=1\nSTATUS=" + text) }

    /// Tells that the extension ends.
    func stopping() { send("STOPPING=1") }

    private func send(_ text: String) {
        let bytes = Array(text.utf8)
        _ = Glibc.send(descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL))
    }

    /// Returns `WATCHDOG_USEC`, in microseconds, if it is intended for this process. `WATCHDOG_PID` names the process
    /// if it is set.
    private static func timeout(_ variables: (String) -> String?) -> Seconds? {
        guard let text = variables("WATCHDOG_USEC"), let time = UInt64(text), time > 0 else { return nil }
        if let process = variables("WATCHDOG_PID"), Int32(process) != getpid() { return nil }
        return Seconds(time) / 1e6
    }
}
