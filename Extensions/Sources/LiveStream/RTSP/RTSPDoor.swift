internal import Geometry
internal import Glibc
internal import Processes
internal import Synchronization

/// A door on this machine through which ffmpeg reaches a server of RTSP: ffmpeg connects to it without user and password,
/// which it would show to all users of the machine on its command line. It takes one connection.
final class RTSPDoor: Sendable {
    /// The address for ffmpeg. The number in it is known to no other program before ffmpeg is started.
    let target: String
    private let thread: PollThread
    private let report = DoorReport()

    /// Why the server could not be reached, or nil.
    var problem: String? { report.problem.withLock { $0 } }

    /// Opens the door; nil if the system has no descriptors or no thread left.
    init?(host: String, port: String, path: String, access: RTSPAccess) {
        let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        guard listener >= 0, let local = Self.listen(listener), let thread = PollThread(name: "uplink-rtsp") else {
            if listener >= 0 { Glibc.close(listener) }
            return nil
        }
        target = "rtsp://127.0.0.1:\(local)/\(String(UInt64.random(in: 0 ... .max), radix: 36))"
        self.thread = thread
        let name = host.contains(":") ? "[\(host)]" : host
        let dialogue = RTSPDialogue(local: target, remote: "rtsp://\(name):\(port)\(path)", access: access)
        guard thread.start({ [report] in RTSPDoorWork(listener, host: host, port: port, dialogue, report) }) else {
            Glibc.close(listener)
            return nil
        }
    }

    private static func listen(_ listener: Int32) -> UInt16? {
        var address = sockaddr_in(), length = socklen_t(MemoryLayout<sockaddr_in>.size)
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        let isListening = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { raw in
                bind(listener, raw, length) == 0 && Glibc.listen(listener, 1) == 0
                    && getsockname(listener, raw, &length) == 0
            }
        }
        return isListening ? UInt16(bigEndian: address.sin_port) : nil
    }

    /// Closes the door, and waits for that.
    func close() { thread.stop() }
}

/// What the door's thread tells.
private final class DoorReport: Sendable { let problem = Mutex<String?>(nil) }

/// The work of the door's thread.
private final class RTSPDoorWork: PolledWork {
    /// How long a server may take to connect, in milliseconds.
    private static let patience: Int32 = 5000
    /// The most bytes that wait for one side; the other is not read meanwhile.
    private static let most = 1 << 20

    private let host: String, port: String, report: DoorReport
    private var dialogue: RTSPDialogue
    private var listener: Int32
    private var client = DoorSide(), server = DoorSide()

    init(_ listener: Int32, host: String, port: String, _ dialogue: RTSPDialogue, _ report: DoorReport) {
        (self.listener, self.host, self.port, self.dialogue, self.report) = (listener, host, port, dialogue, report)
    }

    var deadline: Seconds? { nil }
    func turn() -> Bool { listener >= 0 || client.descriptor >= 0 }

    var waits: [pollfd] {
        guard listener < 0 else { return [pollfd(fd: listener, events: Int16(POLLIN), revents: 0)] }
        return [
            client.wait(reads: server.waiting.count < Self.most), server.wait(reads: client.waiting.count < Self.most),
        ]
    }

    func handle(_ waits: [pollfd]) {
        guard listener < 0 else {
            if waits[0].revents != 0 { admit() }
            return
        }
        do throws(RTSPDialogue.Flaw) {
            if waits[0].revents & Int16(POLLIN | POLLHUP | POLLERR) != 0, let bytes = client.read() {
                server.waiting += try dialogue.fromClient(bytes)
            }
            if waits[1].revents & Int16(POLLIN | POLLHUP | POLLERR) != 0, let bytes = server.read() {
                let (forClient, forServer) = try dialogue.fromServer(bytes)
                client.waiting += forClient
                server.waiting += forServer
            }
            client.write()
            server.write()
            // What the server has said last still reaches ffmpeg.
            if client.descriptor < 0 || server.descriptor < 0 && client.waiting.isEmpty { end() }
        } catch {
            end()
        }
    }

    private func admit() {
        let guest = accept(listener, nil, nil)
        guard guest >= 0 else { return }
        // Another user who has read the address in the process list would publish with the owner's password.
        guard LocalPeer.isOwn(guest) else {
            close(guest)
            return
        }
        client.descriptor = guest
        _ = fcntl(client.descriptor, F_SETFL, O_NONBLOCK)
        _ = fcntl(client.descriptor, F_SETFD, FD_CLOEXEC)
        close(listener)
        listener = -1
        server.descriptor = connected()
        // ffmpeg sees that as a connection that ends.
        if server.descriptor < 0 { end() }
    }

    private func connected() -> Int32 {
        var hints = addrinfo(), list: UnsafeMutablePointer<addrinfo>?
        hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        guard getaddrinfo(host, port, &hints, &list) == 0 else {
            report.problem.withLock { $0 = "the name of the server is unknown" }
            return -1
        }
        defer { freeaddrinfo(list) }
        var next = list, number: Int32 = 0
        while let place = next?.pointee {
            next = place.ai_next
            let kind = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue) | Int32(SOCK_NONBLOCK.rawValue)
            let descriptor = socket(place.ai_family, kind, 0)
            guard descriptor >= 0 else { continue }
            if connect(descriptor, place.ai_addr, place.ai_addrlen) == 0 { return descriptor }
            var wait = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
            var problem: Int32 = 0, length = socklen_t(MemoryLayout<Int32>.size)
            if errno != EINPROGRESS {
                number = errno
            } else if poll(&wait, 1, Self.patience) == 0 {
                number = ETIMEDOUT
            } else if getsockopt(descriptor, SOL_SOCKET, SO_ERROR, &problem, &length) == 0, problem == 0 {
                return descriptor
            } else {
                number = problem
            }
            close(descriptor)
        }
        let words =
            switch number {
            case ECONNREFUSED: "no program listens there"
            case ETIMEDOUT: "there was no answer"
            default: String(cString: strerror(number))
            }
        report.problem.withLock { $0 = words }
        return -1
    }

    func end() {
        if listener >= 0 { close(listener) }
        listener = -1
        client.close()
        server.close()
    }
}

/// One end of the door: a socket, and what waits for it.
private struct DoorSide {
    var descriptor: Int32 = -1
    var waiting: [UInt8] = []

    func wait(reads: Bool) -> pollfd {
        let events = (reads ? POLLIN : 0) | (waiting.isEmpty ? 0 : POLLOUT)
        return pollfd(fd: descriptor, events: Int16(events), revents: 0)
    }

    /// Reads once; nil if there is nothing, or the other side has closed.
    mutating func read() -> [UInt8]? {
        guard descriptor >= 0 else { return nil }
        var bytes = [UInt8](repeating: 0, count: 65_536)
        let count = recv(descriptor, &bytes, bytes.count, 0)
        if count > 0 { return Array(bytes[..<count]) }
        if count == 0 || errno != EAGAIN && errno != EINTR { close() }
        return nil
    }

    mutating func write() {
        guard descriptor >= 0, !waiting.isEmpty else { return }
        let count = send(descriptor, waiting, waiting.count, Int32(MSG_NOSIGNAL))
        if count > 0 { waiting.removeFirst(count) } else if errno != EAGAIN && errno != EINTR { close() }
    }

    mutating func close() {
        if descriptor >= 0 { Glibc.close(descriptor) }
        descriptor = -1
    }
}
