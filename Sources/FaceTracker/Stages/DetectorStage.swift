internal import CPosix
internal import Glibc
public import Processes
internal import Synchronization

/// A detector as a child process: started, fed, watched and started again from a thread of its own, and its stream handed on
/// line by line. Nothing that it does reaches the dock's loop but its rectangles.
public final class DetectorStage: @unchecked Sendable {
    // Unchecked: `thread` is touched by the owner's thread only (start, stop); `shared` is behind its lock; all else is constant
    // or the stage's own thread's.

    /// What is started, and how it is used.
    public struct Options: Sendable {
        /// The source's name, for status and log.
        public var name: String
        /// The program and its arguments.
        public var words: [String]
        /// Pictures a second at most, where it is fed with pictures.
        public var framesPerSecond: Double
        /// Score from which a face is taken up, 0...1; nil: as the detector likes.
        public var acquire: Double?
        /// Score down to which a face is kept, 0...1; nil: as the detector likes.
        public var hold: Double?
        /// When it has said all, the stream is over; false: others go on with it.
        public var saysBye = true
        /// When it is started again.
        public var patience: ProcessWatch.Patience

        /// A program, used as is usual: 10 pictures a second.
        public init(
            name: String, words: [String], framesPerSecond: Double = 10,
            patience: ProcessWatch.Patience = ProcessWatch.Patience()
        ) {
            (self.name, self.words, self.framesPerSecond, self.patience) = (name, words, framesPerSecond, patience)
        }

        /// A command line as a shell reads it. What the shell starts is in its process group, and ends with it.
        public static func shell(_ command: String) -> [String] { ["/bin/sh", "-c", command] }
    }

    /// What the owner is told, on the stage's thread; must not wait.
    public struct Listener: Sendable {
        /// How it does has changed.
        public var onChange: @Sendable (DetectorHealth) -> Void
        /// A line for the log: what the detector wrote to standard error, or what became of it.
        public var onLog: @Sendable (String) -> Void

        /// Two closures.
        public init(
            onChange: @escaping @Sendable (DetectorHealth) -> Void = { _ in },
            onLog: @escaping @Sendable (String) -> Void = { _ in }
        ) {
            (self.onChange, self.onLog) = (onChange, onLog)
        }
    }

    private struct Shared {
        var isActive = true
        var isStopping = false
    }

    private let options: Options
    private let feed: PictureFeed?
    private let listener: Listener
    private let output: Int32
    private let timer: Int32
    private let wake: Int32
    private let shared = Mutex(Shared())
    private var thread: pthread_t?
    private var hasRun = false

    /// A stage that does not run yet. `output` is written to and closed when the stage is over; nobody else writes there.
    /// Nil if the system has no descriptors left.
    public init?(_ options: Options, feed: PictureFeed? = nil, output: Int32, listener: Listener = Listener()) {
        (timer, wake) = (cposix_timer_create(), cposix_wake_create())
        (self.options, self.feed, self.output, self.listener) = (options, feed, output, listener)
        guard timer >= 0, wake >= 0 else { return nil }
        _ = cposix_set_nonblocking(output, true)
    }

    deinit {
        stop()
        // One that never ran has it still.
        for open in [timer, wake, hasRun ? -1 : output] where open >= 0 { close(open) }
    }

    /// Starts it.
    public func start() {
        guard thread == nil else { return }
        var id = pthread_t()
        let me = Unmanaged.passRetained(self)
        guard pthread_create(&id, nil, detectorStageMain, me.toOpaque()) == 0 else { return me.release() }
        thread = id
        hasRun = true
    }

    /// Ends it with all that it has started, and waits for that. Idempotent.
    public func stop() {
        guard let id = thread else { return }
        thread = nil
        shared.withLock { $0.isStopping = true }
        cposix_wake_ring(wake)
        pthread_join(id, nil)
    }

    /// Lets it rest, or go on: a source on standby.
    public var isActive: Bool {
        get { shared.withLock { $0.isActive } }
        set {
            shared.withLock { $0.isActive = newValue }
            cposix_wake_ring(wake)
        }
    }

    fileprivate func run() {
        cposix_thread_name("detector")
        cposix_thread_blocks_pipe_signal()
        let work = StageWork(options: options, feed: feed, listener: listener, output: output)
        defer { close(output) }
        while true {
            let orders = shared.withLock { $0 }
            if orders.isStopping { break }
            guard work.turn(isActive: orders.isActive) else { break }
            cposix_timer_arm(timer, max(work.deadline ?? 0, 0))
            var waits = work.waits
            waits.append(pollfd(fd: timer, events: Int16(POLLIN), revents: 0))
            waits.append(pollfd(fd: wake, events: Int16(POLLIN), revents: 0))
            while poll(&waits, nfds_t(waits.count), -1) < 0, errno == EINTR {}
            _ = cposix_counter_take(timer)
            _ = cposix_counter_take(wake)
            work.take(waits)
        }
        work.end()
    }
}

/// C calls this on the new thread.
private func detectorStageMain(_ raw: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
    if let raw { Unmanaged<DetectorStage>.fromOpaque(raw).takeRetainedValue().run() }
    return nil
}
