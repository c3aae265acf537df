internal import CPosix
internal import Glibc
internal import Synchronization

/// The face on a terminal. A separate thread waits for keys, time and requests, and draws.
public final class FaceScreen: Sendable {
    enum Phase: Sendable { case idle, running, suspended, stopping }

    struct Shared: Sendable {
        var change = FaceChange()
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
    /// The events that are signalled to the thread when there is a request, and by the thread when the terminal is
    /// released.
    let wake: Int32, released: Int32
    private let session: Mutex<SessionBox>

    struct SessionBox: ~Copyable, Sendable {
        var session: TerminalSession?
    }

    /// Opens the terminal without changing it. The callbacks run on the face's thread and must return quickly.
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
                .noResources, "no file descriptor is left for the face", hint: "raise the limit with `ulimit -n`")
        }
    }

    deinit {
        close(wake)
        close(released)
    }

    /// Takes over the terminal and starts to draw. Only the first call has an effect.
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

    /// Stops drawing and restores the terminal. It returns when that is done, and is safe to call twice.
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
                // If this is called from a callback, the thread ends by itself when the callback returns.
                pthread_detach(thread)
            } else {
                pthread_join(thread, nil)
            }
        }
        handlers?.remove()
    }

    /// Releases the terminal for a while, for example before the process is halted. It returns when that is done, or
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

    /// Takes over the terminal again and redraws everything.
    public func resume() {
        shared.withLock { shared in
            if shared.phase == .suspended { shared.phase = .running }
        }
        cposix_wake_ring(wake)
    }

    /// Requests a change. Newer values replace older ones field by field.
    public func update(_ change: FaceChange) {
        shared.withLock { shared in
            shared.change.merge(change)
            if let expression = change.expression { shared.expression = expression }
        }
        cposix_wake_ring(wake)
    }

    /// The current expression, or the one that is about to be shown.
    public var expression: Expression { shared.withLock { $0.expression } }

    /// The size of the terminal in cells.
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

/// The entry point of the face's thread.
private func runFaceThread(_ context: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
    guard let context else { return nil }
    Unmanaged<FaceScreen>.fromOpaque(context).takeRetainedValue().run()
    return nil
}
