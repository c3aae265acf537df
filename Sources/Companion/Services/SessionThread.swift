internal import CPosix
internal import DockControl
internal import Geometry
internal import Glibc

/// The session's own thread: a quarter-second tick, Ctrl-Z and its end, and lines of command words where standard input is free for them.
final class SessionThread: @unchecked Sendable {
    // Unchecked: `thread` is touched by the owner only (start, stop); all else is constant.

    private let descriptor: Int32
    private let onLine: @Sendable (String) -> Void
    private let onTick: @Sendable () -> Void
    private let onSuspend: @Sendable () -> Void
    private let onContinue: @Sendable () -> Void
    private let suspension: Suspension
    private let timer: Int32
    private let wake: Int32
    private var thread: pthread_t?

    static let tick: Seconds = 0.25
    static let longestLine = 65_536

    /// `descriptor` is read for lines, -1: none.
    /// - Throws: `DockError` if the system has no descriptors left.
    init(
        descriptor: Int32, suspension: Suspension, onLine: @escaping @Sendable (String) -> Void,
        onTick: @escaping @Sendable () -> Void, onSuspend: @escaping @Sendable () -> Void,
        onContinue: @escaping @Sendable () -> Void
    ) throws(DockError) {
        timer = try WaitDescriptors.timer()
        do {
            wake = try WaitDescriptors.wake()
        } catch {
            close(timer)
            throw error
        }
        self.descriptor = descriptor
        self.suspension = suspension
        self.onSuspend = onSuspend
        self.onContinue = onContinue
        self.onLine = onLine
        self.onTick = onTick
    }

    deinit {
        close(timer)
        close(wake)
    }

    func start() {
        var id = pthread_t()
        let me = Unmanaged.passRetained(self)
        if pthread_create(&id, nil, sessionThreadMain, me.toOpaque()) == 0 { thread = id } else { me.release() }
    }

    func stop() {
        guard let id = thread else { return }
        thread = nil
        cposix_wake_ring(wake)
        pthread_join(id, nil)
    }

    fileprivate func run() {
        cposix_thread_name("session")
        var input = descriptor
        var line: [UInt8] = []
        var isTooLong = false
        var buffer = [UInt8](repeating: 0, count: 4096)
        var next = cposix_monotonic_now()
        while true {
            cposix_timer_arm(timer, next)
            var waits = [timer, wake, input, suspension.suspended, suspension.continued].map {
                pollfd(fd: $0, events: Int16(POLLIN), revents: 0)
            }
            if poll(&waits, nfds_t(waits.count), -1) < 0 {
                if errno == EINTR { continue }
                return
            }
            if waits[1].revents != 0 { return }
            if waits[3].revents != 0 {
                onSuspend()
                next = cposix_monotonic_now()
            } else if waits[4].revents != 0 {
                _ = cposix_counter_take(suspension.continued)
                onContinue()
            }
            if waits[0].revents != 0 {
                _ = cposix_counter_take(timer)
                next = max(next + Self.tick, cposix_monotonic_now())
                onTick()
            }
            guard waits[2].revents != 0 else { continue }
            let count = read(input, &buffer, buffer.count)
            if count < 0, errno == EAGAIN || errno == EINTR { continue }
            if count <= 0 {
                if !line.isEmpty, !isTooLong { onLine(String(decoding: line, as: UTF8.self)) }
                input = -1  // the end of the words is not the end of the session
                continue
            }
            for byte in buffer[..<count] {
                if byte != 0x0A {
                    if line.count < Self.longestLine { line.append(byte) } else { isTooLong = true }
                    continue
                }
                if isTooLong {
                    // No such command, and refused as one.
                    onLine("line-over-\(Self.longestLine)-bytes")
                } else {
                    let text = String(decoding: line, as: UTF8.self)
                    if text.contains(where: { !$0.isWhitespace }) { onLine(text) }
                }
                line.removeAll(keepingCapacity: true)
                isTooLong = false
            }
        }
    }
}

/// C calls this on the new thread.
private func sessionThreadMain(_ raw: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
    if let raw { Unmanaged<SessionThread>.fromOpaque(raw).takeRetainedValue().run() }
    return nil
}
