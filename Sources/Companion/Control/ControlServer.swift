internal import DockControl
internal import Glibc
internal import Synchronization

/// The control API on a Unix socket: one thread, which reads requests, hands them to the backend, and sends answers and
/// events. Nobody who publishes or answers waits for a client.
final class ControlServer: Sendable {
    private struct State {
        var loop: ControlServerLoop?
        var thread: pthread_t?
    }

    private let mailbox: ControlMailbox
    private let socket: ControlSocket
    private let state: Guarded<State>
    private let isEnding = Atomic<Bool>(false)
    private let isMissed = Atomic<Bool>(false)

    /// Takes the path: from now on programs can connect, and are answered once it has started. `group`: its members may, too.
    /// - Throws: `portBusy` if another daemon listens there, `permission` or `cannotOpen` if the path cannot be used
    ///   or no descriptor is left.
    init(
        path: String, group: String? = nil, version: String, backend: any ControlBackend,
        onLog: @escaping @Sendable (String) -> Void = { _ in }
    ) throws(DockError) {
        mailbox = try ControlMailbox()
        socket = try ControlSocket(path: path, group: group)
        let loop = ControlServerLoop(socket: socket, mailbox: mailbox, version: version, backend: backend)
        loop.onLog = onLog
        state = Guarded(State(loop: loop))
    }

    /// Begins to serve.
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

    /// Tells a change to all who listen; does not wait, and makes no data while nobody listens. What `snapshot(of:)` would
    /// tell at this moment must know the change already.
    func publish(_ topic: Topic, _ data: @autoclosure () -> JSONValue) { mailbox.publish(topic, data) }

    /// Whether anybody listens to a topic.
    func hasAudience(_ topic: Topic) -> Bool { mailbox.hasAudience(topic) }

    /// Looks whether the socket's files are still there; the server's thread makes them again. To be called a few times a second,
    /// by a thread that is awake for something else: nothing tells of a file system that is unmounted.
    func look() {
        guard !socket.isThere, !isEnding.load(ordering: .acquiring) else { return }
        isMissed.store(true, ordering: .releasing)
        mailbox.ring()
    }

    /// Ends all connections and takes the socket's file away.
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

/// C calls this on the new thread.
private func controlServerMain(_ raw: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
    if let raw { Unmanaged<ControlServerLoop>.fromOpaque(raw).takeRetainedValue().run() }
    return nil
}
