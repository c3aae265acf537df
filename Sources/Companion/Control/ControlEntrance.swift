internal import CPosix
internal import DockClient
internal import DockControl
internal import DockTypes
internal import Geometry
internal import Glibc

/// Accepts connections: from the daemon's own user and root, and at a group's socket from every user whom the kernel
/// admits. It keeps a few descriptors in reserve, so that a process that has used up all others can still receive a
/// stop.
struct ControlEntrance {
    /// The result of an attempt to accept a connection.
    enum Arrival {
        /// A connection, its process, and whether it used a reserve descriptor.
        case connection(descriptor: Int32, peer: Int32, isOnReserve: Bool)
        /// A connection waits, but no descriptor is left.
        case noDescriptor
        /// No connection waits.
        case none
    }

    /// The time for which it stays closed if no descriptors are left, in seconds.
    static let pause: Seconds = 0.05
    /// The maximum number of connections that are accepted in one turn.
    static let turn = 64
    /// The number of descriptors kept in reserve.
    static let reserve = 8

    private let listener: Int32
    private let isShared: Bool
    private var spares: [Int32] = []
    private var closedUntil: Seconds?

    init(listener: Int32, isShared: Bool = false) {
        self.listener = listener
        self.isShared = isShared
        refill()
    }

    mutating func close() {
        for spare in spares { Glibc.close(spare) }
        spares = []
    }

    /// Returns when it opens again, or nil if it is open.
    func opens(now: Seconds) -> Seconds? { closedUntil.flatMap { $0 > now ? $0 : nil } }

    /// Stops accepting connections until this time.
    mutating func close(until moment: Seconds) { closedUntil = moment }

    /// Whether the reserve is complete.
    var isComplete: Bool { spares.count == Self.reserve }

    /// Refills the reserve, as far as free descriptors are available.
    mutating func refill() {
        while spares.count < Self.reserve {
            let spare = open("/dev/null", O_RDONLY | O_CLOEXEC)
            guard spare >= 0 else { return }
            spares.append(spare)
        }
    }

    /// Accepts the next waiting connection.
    mutating func next() -> Arrival {
        closedUntil = nil
        var isOnReserve = false
        while true {
            let descriptor = Glibc.accept(listener, nil, nil)
            guard descriptor >= 0 else {
                switch errno {
                case ECONNABORTED, EINTR: continue
                case EMFILE, ENFILE, ENOBUFS, ENOMEM:
                    guard let spare = spares.popLast() else { return .noDescriptor }
                    Glibc.close(spare)
                    isOnReserve = true
                    continue
                default: return .none
                }
            }
            _ = cposix_set_cloexec(descriptor)
            _ = cposix_set_nonblocking(descriptor, true)
            let peer = SocketPeer(of: descriptor)
            guard isShared || peer.map({ $0.user == geteuid() || $0.user == 0 }) ?? false else {
                Glibc.close(descriptor)
                refill()
                continue
            }
            return .connection(descriptor: descriptor, peer: peer?.process ?? 0, isOnReserve: isOnReserve)
        }
    }

    /// Returns the error for a connection that gets no slot, or loses it.
    static func refusal(_ why: String) -> ControlError {
        ControlError(
            DockError(
                .busy, why, hint: "close some connections, or try again later; stop and estop are always carried out"))
    }

    /// Returns whether the daemon's own user or root is at the other end.
    static func isOwner(_ descriptor: Int32) -> Bool {
        SocketPeer(of: descriptor).map { $0.user == geteuid() || $0.user == 0 } ?? false
    }
}
