internal import CPosix
internal import DockTypes
internal import Geometry
internal import Glibc

/// A connection to a Unix socket, line by line. Every wait has a limit.
final class LineChannel {
    let path: String
    /// A descriptor that ends the wait when it becomes readable; -1 if there is none.
    var interrupt: Int32 = -1
    /// A descriptor that ends the wait when its reader is gone; -1 if there is none.
    var output: Int32 = -1

    let socket: Int32
    private var bytes: [UInt8] = []
    /// The number of leading bytes already searched for a line end, so that a long line is not searched again.
    private var searched = 0
    private var buffer = [UInt8](repeating: 0, count: 65_536)
    /// Descriptors that came with answers and were not taken yet.
    private var descriptors: [Int32] = []

    /// The longest line, in bytes. A longer one is the peer's error.
    static let longestLine = 1 << 20
    /// The most descriptors that are kept. More than two come only from a program that is not dockface.
    private static let mostDescriptors = 8

    /// Connects within `timeout` seconds. The listener must be this user, root, or the service's user.
    init(path: String, timeout: Seconds) throws(DockError) {
        self.path = path
        let socket = try Self.connect(to: path, timeout: timeout)
        do throws(DockError) {
            try SocketTrust.check(socket, to: path)
        } catch {
            close(socket)
            throw error
        }
        self.socket = socket
        _ = cposix_set_nonblocking(socket, true)
    }

    deinit {
        close(socket)
        for descriptor in descriptors { close(descriptor) }
    }

    /// Returns two descriptors that came with an answer, in the order of the answers, or nil if none came. They belong
    /// to the caller.
    func takeDescriptors() -> (Int32, Int32)? {
        guard descriptors.count >= 2 else { return nil }
        defer { descriptors.removeFirst(2) }
        return (descriptors[0], descriptors[1])
    }

    /// Sends one line and adds its line end.
    func send(_ line: [UInt8], until deadline: Seconds) throws(DockError) {
        let line = line + [0x0A]
        var sent = 0
        while sent < line.count {
            let count = line.withUnsafeBytes {
                Glibc.send(socket, $0.baseAddress?.advanced(by: sent), line.count - sent, Int32(MSG_NOSIGNAL))
            }
            if count > 0 {
                sent += count
            } else if errno == EAGAIN {
                var waits = [pollfd(fd: socket, events: Int16(POLLOUT), revents: 0)]
                guard cposix_monotonic_now() < deadline else { throw silence }
                _ = poll(&waits, 1, Self.milliseconds(until: deadline))
            } else if errno != EINTR {
                throw end
            }
        }
    }

    /// Returns the next line without its end, or nil if the deadline has passed, or if `interrupt` or `output` ended
    /// the wait. `isPatient`: these two are ignored.
    ///
    /// A line that has arrived is returned even after the deadline: a caller that reads many lines checks the clock
    /// itself.
    func next(until deadline: Seconds?, isPatient: Bool = false) throws(DockError) -> [UInt8]? {
        while true {
            if let line = nextLine() { return line }
            guard bytes.count <= Self.longestLine else { throw endless }
            var waits = [
                pollfd(fd: socket, events: Int16(POLLIN), revents: 0),
                pollfd(fd: isPatient ? -1 : interrupt, events: Int16(POLLIN), revents: 0),
                pollfd(fd: isPatient ? -1 : output, events: 0, revents: 0),
            ]
            // After the deadline, the socket is read one last time, for data that arrived in time. This happens only
            // once, so that a sender that never pauses cannot block the caller.
            let isLate = deadline.map { cposix_monotonic_now() >= $0 } ?? false
            let ready = poll(&waits, 3, Self.milliseconds(until: deadline))
            if ready < 0, errno == EINTR { continue }
            if waits[1].revents != 0 || waits[2].revents != 0 { return nil }
            if waits[0].revents != 0 { try fill() }
            if isLate { return nextLine() }
        }
    }

    /// Returns the next line that has arrived, without its end.
    func nextLine() -> [UInt8]? {
        guard let end = bytes[searched...].firstIndex(of: 0x0A) else {
            searched = bytes.count
            return nil
        }
        let line = Array(bytes[..<end])
        bytes.removeSubrange(...end)
        searched = 0
        return line
    }

    /// Reads what has arrived, once.
    /// - Throws: `notConnected` if the other side has ended, `protocolError` if a line has no end.
    func receive() throws(DockError) {
        try fill()
        guard bytes.count <= Self.longestLine else { throw endless }
    }

    /// Writes as much as the other side accepts now. Returns the number of bytes.
    func write(_ line: ArraySlice<UInt8>) throws(DockError) -> Int {
        while true {
            let count = line.withUnsafeBytes {
                Glibc.send(socket, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL | MSG_DONTWAIT))
            }
            if count >= 0 { return count }
            if errno == EAGAIN { return 0 }
            if errno != EINTR { throw end }
        }
    }

    private var endless: DockError {
        DockError(.protocolError, "\(path) sends lines without an end", hint: "check that this is dockface's socket")
    }

    private func fill() throws(DockError) {
        var found = [Int32](repeating: -1, count: Int(cposix_most_descriptors)), number = Int32(found.count)
        let count = cposix_receive_with(socket, &buffer, buffer.count, &found, &number)
        for descriptor in found.prefix(Int(max(0, number))) {
            if descriptors.count < Self.mostDescriptors { descriptors.append(descriptor) } else { close(descriptor) }
        }
        if count > 0 {
            bytes.append(contentsOf: buffer[..<count])
        } else if count == 0 || (errno != EAGAIN && errno != EINTR) {
            throw end
        }
    }

    private static func connect(to path: String, timeout: Seconds) throws(DockError) -> Int32 {
        let descriptor = Glibc.socket(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        // If many clients wait to be accepted, `connect` waits as long as a `send` may.
        let timeout = timeout.isFinite ? timeout.clamped(to: 0...3600) : 3600
        var limit = timeval(tv_sec: Int(timeout), tv_usec: Int((timeout - timeout.rounded(.down)) * 1e6))
        setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
        let connected = ControlSocketPath.withAddress(path) { address, size -> Int32 in
            // With a time limit the wait is interrupted even when a suspended program continues.
            while Glibc.connect(descriptor, address, size) != 0 { if errno != EINTR { return errno } }
            return 0
        }
        if connected == 0 { return descriptor }
        if descriptor >= 0 { close(descriptor) }
        guard let number = connected else {
            throw DockError(
                .configuration, "a socket's path has 1 to \(ControlSocketPath.longest) bytes: \(path.prefix(120))",
                hint: "give a shorter one")
        }
        switch number {
        case ENOENT, ECONNREFUSED, ENOTDIR:
            throw DockError(
                .notConnected, "no dockface is running here (\(path))",
                hint: "start it with `dockface run`, or give --socket PATH")
        case EACCES, EPERM:
            throw DockError(
                .permission, "the dockface at \(path) belongs to another user",
                hint: path == ControlSocketPath.service
                    ? "join its group, then log in again: sudo usermod -aG dockface $USER"
                    : "run the same command as that user or root"
            )
        case EAGAIN: throw silence(path)
        default:
            throw DockError(.notConnected, "\(path): \(reason(number))", hint: "check that this is dockface's socket")
        }
    }

    var silence: DockError { Self.silence(path) }

    private static func silence(_ path: String) -> DockError {
        DockError(
            .timeout, "the dockface at \(path) does not answer",
            hint: "check it, and restart it if it hangs; its guard has then stopped the head")
    }

    var end: DockError {
        DockError(.notConnected, "the dockface at \(path) has ended", hint: "start it again with `dockface run`")
    }

    private static func milliseconds(until deadline: Seconds?) -> Int32 {
        guard let deadline else { return -1 }
        return Int32((deadline - cposix_monotonic_now()).clamped(to: 0...1e6) * 1000 + 0.999)
    }

    private static func reason(_ number: Int32) -> String { String(cString: strerror(number)) }
}
