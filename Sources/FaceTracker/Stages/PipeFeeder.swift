internal import CPosix
public import Geometry
internal import Glibc

/// Writes a stream into a pipe at the right moments, from a separate thread. To the reader, it looks like any other
/// detector. The owner's `source` decides what to write and when: a replay, or a simulated camera.
public final class PipeFeeder: @unchecked Sendable {
    // Unchecked: only the owner's thread uses `thread` (start, stop). Everything else is constant or atomic in the
    // kernel.

    /// The end to read from. The reader does not close it.
    public let descriptor: Int32
    private let writeEnd: Int32
    private let timer: Int32
    private let wake: Int32
    private let source: @Sendable (Seconds, inout [UInt8]) -> Seconds?
    private var thread: pthread_t?

    /// Creates a feeder that is not running yet.
    ///
    /// `source` is called on the feeder's thread with the time. It appends the lines that are due and returns when it
    /// must be called again, or nil at the end. Then the pipe is closed. The result is nil if the system has no
    /// descriptors left.
    public init?(source: @escaping @Sendable (Seconds, inout [UInt8]) -> Seconds?) {
        var readEnd: Int32 = -1, write: Int32 = -1
        guard cposix_pipe(&readEnd, &write) == 0 else { return nil }
        _ = cposix_set_nonblocking(write, true)
        _ = cposix_set_nonblocking(readEnd, true)
        descriptor = readEnd
        writeEnd = write
        timer = cposix_timer_create()
        wake = cposix_wake_create()
        guard timer >= 0, wake >= 0 else {
            for open in [readEnd, write, timer, wake] where open >= 0 { close(open) }
            return nil
        }
        self.source = source
    }

    deinit {
        stop()
        for open in [descriptor, timer, wake] where open >= 0 { close(open) }
    }

    /// Starts the thread.
    public func start() {
        guard thread == nil else { return }
        var id = pthread_t()
        let me = Unmanaged.passRetained(self)
        if pthread_create(&id, nil, pipeFeederMain, me.toOpaque()) == 0 { thread = id } else { me.release() }
    }

    /// Ends the thread and waits for it. Idempotent.
    public func stop() {
        guard let id = thread else { return }
        thread = nil
        cposix_wake_ring(wake)
        pthread_join(id, nil)
    }

    fileprivate func run() {
        cposix_thread_name("feeder")
        defer { close(writeEnd) }
        var lines: [UInt8] = []
        while true {
            lines.removeAll(keepingCapacity: true)
            guard let deadline = source(cposix_monotonic_now(), &lines) else {
                write(lines)
                return
            }
            write(lines)
            cposix_timer_arm(timer, max(deadline, 1e-9))
            var waits = [
                pollfd(fd: timer, events: Int16(POLLIN), revents: 0),
                pollfd(fd: wake, events: Int16(POLLIN), revents: 0),
            ]
            while poll(&waits, 2, -1) < 0, errno == EINTR {}
            if waits[1].revents != 0 { return }
            _ = cposix_counter_take(timer)
        }
    }

    /// Writes lines. If the pipe is full, they are dropped, because a late reader needs the newest ones.
    private func write(_ lines: [UInt8]) {
        guard !lines.isEmpty else { return }
        _ = lines.withUnsafeBytes { Glibc.write(writeEnd, $0.baseAddress, $0.count) }
    }
}

/// The entry point of the new thread, called from C.
private func pipeFeederMain(_ raw: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
    if let raw { Unmanaged<PipeFeeder>.fromOpaque(raw).takeRetainedValue().run() }
    return nil
}
