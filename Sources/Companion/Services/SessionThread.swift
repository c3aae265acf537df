internal import CPosix
internal import DockControl
internal import DockTypes
internal import Geometry
internal import Glibc
internal import Processes

/// The session's thread: a quarter-second tick, Ctrl-Z and its end, and lines of command words, from standard input if
/// it is free for them, and from the detections' stream.
final class SessionThread: @unchecked Sendable {
    // Unchecked: only the owner accesses `thread` (start, stop). Everything else is constant or protected by its own
    // lock.

    /// The thread's callbacks. All except `onUrgent` are called on it.
    struct Callbacks: Sendable {
        /// Called with a line whose turn has come, and its number. The next line waits for `answered(turn:)`.
        var onLine: @Sendable (WordBacklog.Line, Int) -> Void
        /// Called when a stop was read. It must not block.
        var onUrgent: @Sendable (WordBacklog.Urgent) -> Void
        /// Called every quarter of a second.
        var onTick: @Sendable () -> Void
        /// Called on Ctrl-Z.
        var onSuspend: @Sendable () -> Void
        /// Called when the process continues after it was halted.
        var onContinue: @Sendable () -> Void
    }

    private let descriptor: Int32
    private let callbacks: Callbacks
    private let suspension: Suspension
    private let backlog = Locked(WordBacklog())
    private let timer: Int32
    private let wake: Int32
    /// The bell that another thread rings when it has added lines.
    private let news: Int32
    private var thread: pthread_t?

    static let tick: Seconds = 0.25
    /// The time after the start, in seconds, at which the session uses everything that it needs. Memory that only the
    /// start needed is then released.
    private static let settled: Seconds = 5
    /// The maximum number of bytes read before the next line is executed.
    private static let most = 1 << 20

    /// Creates the thread. Lines are read from `descriptor`, unless it is -1.
    /// - Throws: `DockError` if the system has no descriptors left.
    init(descriptor: Int32, suspension: Suspension, callbacks: Callbacks) throws(DockError) {
        var opened: [Int32] = []
        do {
            opened.append(try WaitDescriptors.timer())
            for _ in 0..<2 { opened.append(try WaitDescriptors.wake()) }
        } catch {
            for descriptor in opened { close(descriptor) }
            throw error
        }
        (timer, wake, news) = (opened[0], opened[1], opened[2])
        self.descriptor = descriptor
        self.suspension = suspension
        self.callbacks = callbacks
    }

    deinit { for open in [timer, wake, news] { close(open) } }

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

    /// Adds a line that another thread has read: a stop is executed at once, everything else by this thread. Returns
    /// false if too many lines wait, and the line is refused. Does not block.
    func put(_ line: String) -> Bool {
        let (isTaken, urgent) = backlog.withLock { $0.put(line) }
        if let urgent { callbacks.onUrgent(urgent) }
        cposix_wake_ring(news)
        return isTaken
    }

    /// Adds the end of the detections: it is reported after the lines before it.
    func putEnd() {
        backlog.withLock { $0.putEnd() }
        cposix_wake_ring(news)
    }

    /// Records that the answer to a line was given, so that the next line can be executed. Does not block.
    func answered(turn: Int) {
        backlog.withLock { $0.answered(turn: turn) }
        cposix_wake_ring(news)
    }

    fileprivate func run() {
        cposix_thread_name("session")
        var input = descriptor
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        var next = cposix_monotonic_now()
        var releases: Seconds? = next + Self.settled
        while true {
            cposix_timer_arm(timer, next)
            let (isIdle, isFull) = backlog.withLock { ($0.isIdle, $0.isFull) }
            var waits = [timer, wake, isFull ? -1 : input, suspension.suspended, suspension.continued, news].map {
                pollfd(fd: $0, events: Int16(POLLIN), revents: 0)
            }
            if poll(&waits, nfds_t(waits.count), isIdle ? -1 : 0) < 0 {
                if errno == EINTR { continue }
                return
            }
            if waits[1].revents != 0 { return }
            if waits[3].revents != 0 {
                callbacks.onSuspend()
                next = cposix_monotonic_now()
            } else if waits[4].revents != 0 {
                _ = cposix_counter_take(suspension.continued)
                callbacks.onContinue()
            }
            if waits[5].revents != 0 { _ = cposix_counter_take(news) }
            if waits[0].revents != 0 {
                _ = cposix_counter_take(timer)
                next = max(next + Self.tick, cposix_monotonic_now())
                callbacks.onTick()
                if let due = releases, next >= due {
                    cposix_release_code()
                    cposix_release_heap()
                    releases = nil
                }
            }
            if waits[2].revents != 0 { readLines(&input, &buffer) }
            // Only one line is executed before new input is read again.
            let now = cposix_monotonic_now()
            let due = backlog.withLock { backlog in backlog.next(now: now).map { ($0, backlog.turn) } }
            if let (line, turn) = due { callbacks.onLine(line, turn) }
        }
    }

    /// Reads all available input, so that no stop waits behind earlier lines.
    private func readLines(_ input: inout Int32, _ buffer: inout [UInt8]) {
        var left = Self.most
        while left > 0 {
            let count = read(input, &buffer, buffer.count)
            if count < 0, errno == EAGAIN || errno == EINTR { return }
            let urgent = backlog.withLock { backlog in
                count > 0 ? backlog.feed(buffer[..<count]) : [backlog.finish()].compactMap(\.self)
            }
            for stop in urgent { callbacks.onUrgent(stop) }
            guard count > 0 else {
                input = -1  // the end of the words is not the end of the session
                return
            }
            left -= count
            if backlog.withLock(\.isFull) { return }
            var more = pollfd(fd: input, events: Int16(POLLIN), revents: 0)
            guard poll(&more, 1, 0) > 0 else { return }
        }
    }
}

/// The entry point that C calls on the new thread.
private func sessionThreadMain(_ raw: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
    if let raw { Unmanaged<SessionThread>.fromOpaque(raw).takeRetainedValue().run() }
    return nil
}
