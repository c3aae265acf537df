internal import DockTypes
internal import Glibc
internal import Synchronization

/// Connects to a serial port on the network, without blocking the caller.
final class TcpConnector: Sendable {
    private let host: String
    private let port: UInt16
    /// A connection in progress, and the addresses that are still to be tried.
    private struct State {
        var pending: Int32 = -1
        var addresses: [[UInt8]] = []
        var next = 0
    }
    private let state = Mutex(State())

    /// The time within which a server must answer, in milliseconds.
    private static let patience: Int32 = 3000

    init(host: String, port: UInt16) {
        self.host = host
        self.port = port
    }

    deinit { state.withLock { if $0.pending >= 0 { Glibc.close($0.pending) } } }

    private var name: String { PortName.server(host: host, port: port).description }

    /// Returns an open connection.
    /// - Throws: `notConnected` while there is none. The next call tries again.
    func open(waits: Bool) throws(DockError) -> any ByteLink {
        let found: Result<Int32, DockError> = state.withLock { state in
            do throws(DockError) {
                return .success(try connect(&state, waits: waits))
            } catch {
                return .failure(error)
            }
        }
        return TcpLink(descriptor: try found.get(), name: name)
    }

    private func connect(_ state: inout State, waits: Bool) throws(DockError) -> Int32 {
        // Resolving a name may take seconds. It is done once, before anything moves.
        if state.addresses.isEmpty { state.addresses = try resolve() }
        var reason = ECONNREFUSED
        for _ in state.addresses.indices {
            if state.pending < 0 {
                let address = state.addresses[state.next % state.addresses.count]
                state.next += 1
                state.pending = begin(address, &reason)
            }
            guard state.pending >= 0 else { continue }
            var wait = pollfd(fd: state.pending, events: Int16(POLLOUT), revents: 0)
            guard poll(&wait, 1, waits ? Self.patience : 0) > 0 else {
                guard waits else { throw missing("connecting") }
                drop(&state)
                reason = ETIMEDOUT
                continue
            }
            var length = socklen_t(MemoryLayout<Int32>.size)
            getsockopt(state.pending, SOL_SOCKET, SO_ERROR, &reason, &length)
            guard reason == 0 else {
                drop(&state)
                continue
            }
            defer { state.pending = -1 }
            return state.pending
        }
        throw missing(PortFailure.text(reason))
    }

    private func drop(_ state: inout State) {
        Glibc.close(state.pending)
        state.pending = -1
    }

    private func missing(_ why: String) -> DockError {
        guard !Self.isDenied else {
            return DockError(
                .notConnected, "\(name) cannot be reached: this process may not use the network",
                hint: "the service needs a drop-in for that: docs/SERVICE.md, \"The service has no network\"")
        }
        return DockError(
            .notConnected, "\(name) does not answer: \(why)",
            hint: "is the server (ser2net) running, and is that its port?")
    }

    /// Whether the system refuses network sockets to this process, as a service's sandbox does.
    private static var isDenied: Bool {
        for family in [AF_INET, AF_INET6] {
            let descriptor = socket(family, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
            guard descriptor < 0 else {
                Glibc.close(descriptor)
                return false
            }
            guard [EAFNOSUPPORT, EPERM, EACCES].contains(errno) else { return false }
        }
        return true
    }

    private func begin(_ address: [UInt8], _ reason: inout Int32) -> Int32 {
        let family = address.withUnsafeBytes { Int32($0.loadUnaligned(as: sa_family_t.self)) }
        let descriptor = socket(
            family, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_NONBLOCK.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else {
            reason = errno
            return -1
        }
        let code = address.withUnsafeBytes { bytes in
            bytes.withMemoryRebound(to: sockaddr.self) {
                Glibc.connect(descriptor, $0.baseAddress, socklen_t(address.count))
            }
        }
        guard code != 0, errno != EINPROGRESS else { return descriptor }
        reason = errno
        Glibc.close(descriptor)
        return -1
    }

    private func resolve() throws(DockError) -> [[UInt8]] {
        var hints = addrinfo()
        hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        hints.ai_flags = AI_NUMERICSERV
        var list: UnsafeMutablePointer<addrinfo>?
        let code = getaddrinfo(host, String(port), &hints, &list)
        guard code == 0 else {
            guard !Self.isDenied else { throw missing("") }
            throw DockError(
                .notConnected, "unknown host \"\(host)\": \(String(cString: gai_strerror(code)))",
                hint: "correct its name in --port, or give its address")
        }
        defer { freeaddrinfo(list) }
        var found: [[UInt8]] = [], here = list
        while let entry = here {
            if let address = entry.pointee.ai_addr {
                found.append(Array(UnsafeRawBufferPointer(start: address, count: Int(entry.pointee.ai_addrlen))))
            }
            here = entry.pointee.ai_next
        }
        return found
    }
}
