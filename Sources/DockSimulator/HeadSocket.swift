internal import CPosix
public import Geometry
internal import Glibc
internal import Synchronization

/// Where the head of a simulated rig points, for a simulated camera in another process.
///
/// `dockface simulate` answers at `LINK.head`, a local socket of packets. A question is a time (CLOCK_MONOTONIC, 8 bytes), an answer
/// is that time with pan and tilt (radians) and the magnification of the rig's own camera (8 bytes each), in the machine's byte order. Only programs of the same user can connect.
public enum HeadSocket {
    /// The socket's path for a rig at this path.
    public static func path(ofRig link: String) -> String { link + ".head" }

    /// Calls `body` with the address of a path; nil if the path is too long for a socket.
    static func withAddress(_ path: String, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Int32) -> Int32? {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        let bytes = Array(path.utf8)
        guard bytes.count < MemoryLayout.size(ofValue: address.sun_path) else { return nil }
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: bytes) }
        return withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                body($0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
    }

    /// Returns this user's process that simulates the rig at `link`, or nil if there is none. Another user who listens in
    /// a folder like /tmp does not count.
    public static func simulator(ofRig link: String) -> Int32? {
        let descriptor = open()
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        // A process that is suspended must not suspend this one. The kernel queues the connection.
        _ = fcntl(descriptor, F_SETFL, O_NONBLOCK)
        guard withAddress(path(ofRig: link), { connect(descriptor, $0, $1) }) == 0 else { return nil }
        guard let other = credentials(descriptor), other.user == geteuid() else { return nil }
        return other.process
    }

    /// The process and the user at the other end of a connection, or nil if they are unknown.
    static func credentials(_ descriptor: Int32) -> (process: Int32, user: UInt32)? {
        // struct ucred: process, user and group.
        var credentials: (Int32, UInt32, UInt32) = (0, 0, 0)
        var size = socklen_t(12)
        guard getsockopt(descriptor, SOL_SOCKET, SO_PEERCRED, &credentials, &size) == 0, size == 12 else { return nil }
        return (credentials.0, credentials.1)
    }

    static func open() -> Int32 {
        socket(AF_UNIX, Int32(SOCK_SEQPACKET.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    }
}

/// The answering end, in the process that simulates the rig. Its owner polls the descriptors.
public final class HeadAnswerer {
    private let path: String
    private let listener: Int32
    private var clients: [Int32] = []

    /// Clients that may be connected at the same time. A further one displaces the oldest.
    static let places = 4

    /// Listens for the rig at `link`; nil if no socket can be created there. A socket that a killed process left is replaced.
    public init?(rig link: String) {
        let path = HeadSocket.path(ofRig: link), listener = HeadSocket.open()
        guard listener >= 0 else { return nil }
        var status = stat()
        if lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFSOCK, status.st_uid == geteuid() { unlink(path) }
        guard HeadSocket.withAddress(path, { bind(listener, $0, $1) }) == 0 else {
            close(listener)
            return nil
        }
        // No client can connect before `listen`, so none can connect before `chmod`. A `umask` would apply to the files of
        // all threads.
        guard chmod(path, 0o600) == 0, listen(listener, 4) == 0 else {
            close(listener)
            unlink(path)
            return nil
        }
        // Only now is there something to remove at the end.
        self.path = path
        self.listener = listener
    }

    deinit {
        for client in clients { close(client) }
        close(listener)
        unlink(path)
    }

    /// The descriptors to wait for, readable.
    public var descriptors: [Int32] { [listener] + clients }

    /// Answers everything that waits on these descriptors, with what a camera on the head looked at, at a time.
    public func answer(_ ready: [Int32], view: (Seconds) -> HeadView) {
        for client in ready where client != listener {
            var time = 0.0
            let count = withUnsafeMutableBytes(of: &time) {
                // The true length, even of a packet that is too long.
                recv(client, $0.baseAddress, $0.count, Int32(MSG_DONTWAIT) | Int32(MSG_TRUNC))
            }
            if count < 0, errno == EAGAIN || errno == EINTR { continue }
            guard count == 8, time.isFinite else {
                close(client)
                clients.removeAll { $0 == client }
                continue
            }
            let seen = view(time)
            let reply = [time, seen.pose.pan, seen.pose.tilt, seen.magnification]
            _ = reply.withUnsafeBytes {
                send(client, $0.baseAddress, $0.count, Int32(MSG_DONTWAIT) | Int32(MSG_NOSIGNAL))
            }
        }
        guard ready.contains(listener) else { return }
        let client = accept(listener, nil, nil)
        guard client >= 0 else { return }
        _ = fcntl(client, F_SETFD, FD_CLOEXEC)
        if clients.count == Self.places { close(clients.removeFirst()) }
        clients.append(client)
    }
}

/// The asking end, for a simulated camera.
public final class DistantHead: Sendable {
    private let descriptor: Int32
    private let last = Mutex(HeadView(.zero))

    /// How long an answer may take, seconds. Then the head counts as where it was last.
    static let patience: Seconds = 0.2

    /// Connects to the simulated rig at `link`; nil if none answers there.
    public init?(rig link: String) {
        descriptor = HeadSocket.open()
        guard descriptor >= 0 else { return nil }
        var limit = timeval(tv_sec: 0, tv_usec: Int(Self.patience * 1e6))
        for option in [SO_RCVTIMEO, SO_SNDTIMEO] {
            setsockopt(descriptor, SOL_SOCKET, option, &limit, socklen_t(MemoryLayout<timeval>.size))
        }
        let connected = HeadSocket.withAddress(HeadSocket.path(ofRig: link)) { connect(descriptor, $0, $1) }
        // What is complete is closed by `deinit`.
        guard connected == 0, Self.isOurs(descriptor), ask(cposix_monotonic_now()) != nil else { return nil }
    }

    deinit { close(descriptor) }

    /// Whether the process at the other end belongs to this user or to root. In a folder like /tmp another user could answer.
    private static func isOurs(_ descriptor: Int32) -> Bool {
        guard let user = HeadSocket.credentials(descriptor)?.user else { return false }
        return user == geteuid() || user == 0
    }

    /// What a camera on the head looked at, at a time (CLOCK_MONOTONIC, the last 4 s); the last known view if the rig's process does
    /// not answer.
    public func view(at time: Seconds) -> HeadView {
        guard let view = ask(time) else { return last.withLock { $0 } }
        last.withLock { $0 = view }
        return view
    }

    private func ask(_ time: Seconds) -> HeadView? {
        var question = time
        let sent = withUnsafeBytes(of: &question) {
            send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
        }
        guard sent == 8 else { return nil }
        // An answer that came too late for an earlier question may be in front.
        for _ in 0..<8 {
            var answer = (0.0, 0.0, 0.0, 0.0)
            let count = withUnsafeMutableBytes(of: &answer) { recv(descriptor, $0.baseAddress, $0.count, 0) }
            guard count == 32, answer.1.isFinite, answer.2.isFinite, (0.1...1000).contains(answer.3) else { return nil }
            if answer.0 == time { return HeadView(PanTilt(pan: answer.1, tilt: answer.2), magnification: answer.3) }
        }
        return nil
    }
}
