internal import CPosix
internal import Glibc
internal import Synchronization

/// The face on a terminal: one thread of its own that waits for keys, time and wishes, and draws.
public final class FaceScreen: Sendable {
    enum Phase: Sendable { case idle, running, suspended, stopping }

    struct Shared: Sendable {
        var wish = FaceWish()
        var expression: Expression
        var phase = Phase.idle
        var thread: pthread_t?
        var handlers: CrashHandlers?
        var columns = 80, rows = 24
    }

    let options: TerminalOptions
    let onInput: @Sendable (InputEvent) -> Void
    let onEnd: @Sendable (FaceScreenEnd) -> Void
    let shared: Mutex<Shared>
    /// Rung for the thread when something is wanted, and by the thread when the terminal is given back.
    let wake: Int32, released: Int32
    private let session: Mutex<SessionBox>

    struct SessionBox: ~Copyable, Sendable {
        var session: TerminalSession?
    }

    /// Opens the terminal but does not touch it yet. The callbacks run on the face's thread and must return quickly.
    public init(
        options: TerminalOptions, onInput: @escaping @Sendable (InputEvent) -> Void,
        onEnd: @escaping @Sendable (FaceScreenEnd) -> Void
    ) throws(TerminalError) {
        self.options = options
        self.onInput = onInput
        self.onEnd = onEnd
        let terminal = try TerminalSession(options)
        session = Mutex(SessionBox(session: terminal))
        shared = Mutex(Shared(expression: options.expression))
        wake = cposix_wake_create()
        released = cposix_wake_create()
        guard wake >= 0, released >= 0 else {
            if wake >= 0 { close(wake) }
            throw TerminalError(
                .noResources, "no descriptor is left for the face", hint: "raise the limit with `ulimit -n`")
        }
    }

    deinit {
        close(wake)
        close(released)
    }

    /// Takes the terminal over and begins to draw. Only the first call does something.
    public func start() {
        let isFirst = shared.withLock { shared in
            guard shared.phase == .idle else { return false }
            shared.phase = .running
            shared.handlers = CrashHandlers.install()
            return true
        }
        guard isFirst else { return }
        var thread = pthread_t()
        let context = Unmanaged.passRetained(self)
        if pthread_create(&thread, nil, runFaceThread, context.toOpaque()) == 0 {
            shared.withLock { $0.thread = thread }
        } else {
            context.release()
            onEnd(.writeFailed(EAGAIN))
        }
    }

    /// Stops drawing and gives the terminal back; returns when that is done. Safe to call twice.
    public func stop() {
        let (thread, handlers) = shared.withLock { shared in
            shared.phase = .stopping
            defer {
                shared.thread = nil
                shared.handlers = nil
            }
            return (shared.thread, shared.handlers)
        }
        cposix_wake_ring(wake)
        if let thread {
            if pthread_equal(thread, pthread_self()) != 0 {
                // Called from a callback: the thread ends by itself as soon as that returns.
                pthread_detach(thread)
            } else {
                pthread_join(thread, nil)
            }
        }
        handlers?.remove()
    }

    /// Gives the terminal back for a while, for example before the process is stopped; returns when that is done, or
    /// after half a second.
    public func suspend() {
        let wasRunning = shared.withLock { shared in
            guard shared.phase == .running else { return false }
            shared.phase = .suspended
            return true
        }
        guard wasRunning else { return }
        _ = cposix_counter_take(released)
        cposix_wake_ring(wake)
        var done = pollfd(fd: released, events: Int16(POLLIN), revents: 0)
        poll(&done, 1, 500)
    }

    /// Takes the terminal over again and draws everything anew.
    public func resume() {
        shared.withLock { shared in
            if shared.phase == .suspended { shared.phase = .running }
        }
        cposix_wake_ring(wake)
    }

    /// Asks for a change; newer wishes replace older ones field by field.
    public func update(_ change: FaceWish) {
        shared.withLock { shared in
            shared.wish.merge(change)
            if let expression = change.expression { shared.expression = expression }
        }
        cposix_wake_ring(wake)
    }

    /// What the face shows or is about to show.
    public var expression: Expression { shared.withLock { $0.expression } }

    /// Size of the terminal in cells.
    public var size: (columns: Int, rows: Int) { shared.withLock { ($0.columns, $0.rows) } }

    fileprivate func run() {
        cposix_thread_name("face")
        CrashHandlers.blockOtherSignals()
        guard let terminal = session.withLock({ $0.session.take() }) else { return }
        var loop = FaceLoop(self, terminal)
        let end = loop.run()
        if let end { onEnd(end) }
    }
}

/// Entry of the face's thread.
private func runFaceThread(_ context: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
    guard let context else { return nil }
    Unmanaged<FaceScreen>.fromOpaque(context).takeRetainedValue().run()
    return nil
}
