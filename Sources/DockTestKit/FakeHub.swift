internal import CPosix
internal import ControlProtocol
internal import DockTypes
internal import Glibc
internal import Processes

/// What a fake daemon and its thread share: the protocol's side, and the descriptors. Only the thread closes a
/// descriptor, because it polls them.
final class FakeHub: Sendable {
    struct State: Sendable {
        var core: FakeCore
        /// The socket that listens, or -1.
        var listener: Int32 = -1
        /// Listeners that the thread must close.
        var retired: [Int32] = []
        var descriptors: [Int: Int32] = [:]
    }

    let path: String
    let log = RequestLog()
    private let state: Locked<State>

    init(path: String, greeting: FakeGreeting) {
        self.path = path
        state = Locked(State(core: FakeCore(greeting: greeting)))
    }

    /// Changes the protocol's side, and sends what that adds.
    func change<Result: Sendable>(_ body: (inout FakeCore) -> Result) -> Result {
        state.withLock { state in
            defer { for number in state.descriptors.keys { Self.flush(number, &state) } }
            return body(&state.core)
        }
    }

    // MARK: listening

    /// Creates the socket, unless it is there.
    /// - Throws: `cannotOpen`.
    func listen() throws(DockError) {
        let failure = state.withLock { state -> DockError? in
            guard state.listener < 0 else { return nil }
            let kind = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue)
            let descriptor = socket(AF_UNIX, kind, 0)
            unlink(path)
            guard Self.bind(descriptor, path), Glibc.listen(descriptor, 64) == 0 else {
                let reason = String(cString: strerror(errno))
                if descriptor >= 0 { close(descriptor) }
                return DockError(.cannotOpen, "no socket at \(path): \(reason)", hint: "choose a shorter path")
            }
            state.listener = descriptor
            return nil
        }
        if let failure { throw failure }
    }

    /// Ends the socket and all connections, as a daemon that dies.
    func leave() {
        state.withLock { state in
            unlink(path)
            if state.listener >= 0 {
                shutdown(state.listener, Int32(SHUT_RDWR))
                state.retired.append(state.listener)
            }
            state.listener = -1
            for descriptor in state.descriptors.values { shutdown(descriptor, Int32(SHUT_RDWR)) }
            state.core.restart()
        }
    }

    private static func bind(_ descriptor: Int32, _ path: String) -> Bool {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        let bytes = Array(path.utf8)
        guard bytes.count < MemoryLayout.size(ofValue: address.sun_path) else {
            errno = ENAMETOOLONG
            return false
        }
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: bytes) }
        return withUnsafePointer(to: address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                Glibc.bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size)) == 0
            }
        }
    }

    // MARK: for the thread

    /// Closes what is over. Returns the descriptors to wait for: the listener, and each connection with its number.
    func waits() -> (listener: pollfd, connections: [(number: Int, wait: pollfd)]) {
        state.withLock { state in
            for descriptor in state.retired { close(descriptor) }
            state.retired = []
            let connections = state.descriptors.sorted { $0.key < $1.key }.map { number, descriptor in
                let hasOutput = state.core.connections[number].map { !$0.outbox.isEmpty } ?? false
                let events = Int16(POLLIN) | (hasOutput ? Int16(POLLOUT) : 0)
                return (number: number, wait: pollfd(fd: descriptor, events: events, revents: 0))
            }
            return (pollfd(fd: state.listener, events: Int16(POLLIN), revents: 0), connections)
        }
    }

    /// Accepts the connections that wait.
    func accept() {
        state.withLock { state in
            while state.listener >= 0, case let descriptor = Glibc.accept(state.listener, nil, nil), descriptor >= 0 {
                _ = cposix_set_cloexec(descriptor)
                _ = cposix_set_nonblocking(descriptor, true)
                let number = state.core.connect()
                state.descriptors[number] = descriptor
                Self.flush(number, &state)
            }
        }
    }

    /// Reads what has arrived at a connection. Returns its requests.
    func read(_ number: Int) -> [FakeRequest] {
        var chunk = [UInt8](repeating: 0, count: 1 << 16)
        return state.withLock { state in
            guard let descriptor = state.descriptors[number] else { return [] }
            let count = recv(descriptor, &chunk, chunk.count, 0)
            if count > 0 { return state.core.receive(chunk[..<count], from: number) }
            if count == 0 || (errno != EAGAIN && errno != EINTR) {
                close(descriptor)
                state.descriptors[number] = nil
                state.core.remove(number)
            }
            return []
        }
    }

    /// Sends what waits.
    func flush(_ number: Int) { state.withLock { Self.flush(number, &$0) } }

    /// Returns what the script does for a request.
    func steps(for request: FakeRequest) -> [FakeStep] {
        // The rule is a test's, and may call the daemon.
        let (steps, rule) = state.withLock { $0.core.script.next(request) }
        return steps ?? rule(request)
    }

    /// Closes all descriptors, and ends the wait for requests.
    func end() {
        leave()
        state.withLock { state in
            for descriptor in state.retired + state.descriptors.values { close(descriptor) }
            (state.retired, state.descriptors) = ([], [:])
        }
        log.end()
    }

    private static func flush(_ number: Int, _ state: inout State) {
        guard let descriptor = state.descriptors[number], let connection = state.core.connections[number] else {
            return
        }
        var rest = connection.outbox[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes {
                Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL | MSG_DONTWAIT))
            }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { break }
            rest = rest.dropFirst(count)
        }
        state.core.didSend(connection.outbox.count - rest.count, to: number)
        if rest.isEmpty, connection.isEnding { shutdown(descriptor, Int32(SHUT_RDWR)) }
    }
}
