internal import CPosix
internal import DockControl
internal import Geometry
internal import Glibc

/// Lets clients in: its own user and root, or, at a socket that a group shares, whom the kernel lets; no more than there is
/// room for. A process without descriptors left neither spins nor leaves clients waiting for ever.
struct ControlEntrance {
    private let listener: Int32
    private let isShared: Bool
    private var spare: Int32
    private var closedUntil: Seconds?

    /// Without descriptors it stays closed for so long, seconds.
    static let pause: Seconds = 0.25
    /// Clients let in at once.
    static let turn = 32

    init(listener: Int32, isShared: Bool = false) {
        self.listener = listener
        self.isShared = isShared
        spare = Self.makeSpare()
    }

    func close() { if spare >= 0 { Glibc.close(spare) } }

    /// When it opens again; nil: it is open.
    func opens(now: Seconds) -> Seconds? { closedUntil.flatMap { $0 > now ? $0 : nil } }

    /// Lets in who waits; one too many gets an error line.
    mutating func accept(now: Seconds, room: Int, _ letIn: (Int32) -> Void) {
        closedUntil = nil
        var room = room
        for _ in 0..<Self.turn {
            let descriptor = Glibc.accept(listener, nil, nil)
            guard descriptor >= 0 else {
                let reason = errno
                if reason == ECONNABORTED || reason == EINTR { continue }
                if [EMFILE, ENFILE, ENOBUFS, ENOMEM].contains(reason) { refuseWithoutDescriptors(now: now) }
                return
            }
            _ = cposix_set_cloexec(descriptor)
            _ = cposix_set_nonblocking(descriptor, true)
            guard isShared || Self.isOwner(descriptor) else {
                Glibc.close(descriptor)
                continue
            }
            guard room > 0 else {
                Self.refuse(descriptor, "\(ControlServerLoop.capacity) programs are connected")
                continue
            }
            room -= 1
            letIn(descriptor)
        }
    }

    /// The spare descriptor's place is enough to tell one client why, so that it does not wait.
    private mutating func refuseWithoutDescriptors(now: Seconds) {
        closedUntil = now + Self.pause
        if spare >= 0 {
            Glibc.close(spare)
            let descriptor = Glibc.accept(listener, nil, nil)
            if descriptor >= 0 { Self.refuse(descriptor, "no descriptors are left") }
        }
        spare = Self.makeSpare()
    }

    private static func refuse(_ descriptor: Int32, _ why: String) {
        let error = ControlError(DockError(.busy, why, hint: "close some, or try again later"))
        let line = ControlAnswer.answer(ControlRequest.null, .failure(error)) + [0x0A]
        _ = send(descriptor, line, line.count, Int32(MSG_NOSIGNAL | MSG_DONTWAIT))
        Glibc.close(descriptor)
    }

    private static func makeSpare() -> Int32 { open("/dev/null", O_RDONLY | O_CLOEXEC) }

    /// Whether the daemon's own user or root is at the other end.
    static func isOwner(_ descriptor: Int32) -> Bool {
        user(of: descriptor).map { $0 == geteuid() || $0 == 0 } ?? false
    }

    /// Who is at the other end; nil: nobody knows.
    static func user(of descriptor: Int32) -> UInt32? {
        // struct ucred: process, user, group.
        var credentials = [UInt32](repeating: .max, count: 3)
        var size = socklen_t(12)
        guard getsockopt(descriptor, SOL_SOCKET, SO_PEERCRED, &credentials, &size) == 0, size == 12 else { return nil }
        return credentials[1]
    }
}
