internal import ControlProtocol
internal import DockControl
internal import DockTypes
internal import Glibc
internal import Processes
internal import Synchronization

/// The control API on a Unix socket. One thread reads requests, passes them to the backend, and sends answers and
/// events. Publishers and the backend never wait for a client.
final class ControlServer: Sendable {
    private struct State {
        var loop: ControlServerLoop?
        var thread: pthread_t?
    }

    /// The socket's path.
    var path: String { socket.path }
    private let mailbox: ControlMailbox
    private let socket: ControlSocket
    private let state: Locked<State>
    private let isEnding = Atomic<Bool>(false)
    private let isMissed = Atomic<Bool>(false)

    /// Creates the socket. Programs can connect from now on, and are answered after `start`. Members of `group` may
    /// also connect.
    /// - Throws: `portBusy` if another daemon listens there, `permission` or `cannotOpen` if the path cannot be used or
    ///   no descriptor is left.
    init(
        path: String, group: String? = nil, version: String, backend: any ControlBackend,
        onLog: @escaping @Sendable (String) -> Void = { _ in }
    ) throws(DockError) {
        mailbox = try ControlMailbox()
        socket = try ControlSocket(path: path, group: group)
        let loop = ControlServerLoop(socket: socket, mailbox: mailbox, version: version, backend: backend)
        loop.onLog = onLog
        state = Locked(State(loop: loop))
    }

    /// Starts the thread.
    func start() {
        let loop = state.withLock { state in
            defer { state.loop = nil }
            return state.loop
        }
        guard let loop else { return }
        loop.isEnding = { [self] in isEnding.load(ordering: .acquiring) }
        loop.isMissed = { [self] in isMissed.exchange(false, ordering: .acquiring) }
        let me = Unmanaged.passRetained(loop)
        var id = pthread_t()
        if pthread_create(&id, nil, controlServerMain, me.toOpaque()) == 0 {
            state.withLock { $0.thread = id }
        } else {
            me.release()
            loop.finish()
        }
    }

    /// Publishes a change to all subscribers. Does not block, and evaluates `data` only if a client has subscribed. A
    /// snapshot from `snapshot(of:)` must already contain the change at this moment.
    /// `isExtra`: only for subscribers that want every frame.
    func publish(_ topic: Topic, isExtra: Bool = false, _ data: @autoclosure () -> JSONValue) {
        mailbox.publish(topic, isExtra: isExtra, data)
    }

    /// The same, but `encoder` is called on the server's thread.
    func encode(_ topic: Topic, isExtra: Bool = false, _ encoder: @escaping @Sendable () -> JSONValue) {
        mailbox.encode(topic, isExtra: isExtra, hasAudience(topic) ? encoder : nil)
    }

    /// Returns whether a client has subscribed to a topic.
    func hasAudience(_ topic: Topic) -> Bool { mailbox.hasAudience(topic) }

    /// Checks whether the socket's files still exist; if not, the server's thread creates them again. Call it a few
    /// times a second from a thread that is awake anyway: the kernel does not report that a file system was unmounted.
    func look() {
        guard !socket.isThere, !isEnding.load(ordering: .acquiring) else { return }
        isMissed.store(true, ordering: .releasing)
        mailbox.ring()
    }

    /// Ends all connections and removes the socket's file.
    func stop() {
        isEnding.store(true, ordering: .releasing)
        mailbox.ring()
        let (loop, thread) = state.withLock { state in
            defer { state = State() }
            return (state.loop, state.thread)
        }
        loop?.finish()
        guard let thread, pthread_equal(thread, pthread_self()) == 0 else { return }
        pthread_join(thread, nil)
    }
}

/// The entry point that C calls on the new thread.
private func controlServerMain(_ raw: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
    if let raw { Unmanaged<ControlServerLoop>.fromOpaque(raw).takeRetainedValue().run() }
    return nil
}
