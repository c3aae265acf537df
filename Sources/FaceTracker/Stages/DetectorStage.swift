public import Processes
internal import Synchronization

/// A detector as a child process: started, fed, watched and started again from a thread of its own, and its stream handed on
/// line by line. Nothing that it does reaches the dock's loop but its rectangles.
public final class DetectorStage: Sendable {
    /// What is started, and how it is used.
    public struct Options: Sendable {
        /// The source's name, for status and log.
        public var name: String
        /// The program and its arguments.
        public var words: [String]
        /// Pictures a second at most, where it is fed with pictures.
        public var framesPerSecond: Double
        /// Its place among the sources of its outlet.
        public var source = 0
        /// Which faces it is to tell; nil: as it likes.
        public var scores: DetectorScores?
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

    private let options: Options
    private let feed: PictureFeed?
    private let listener: Listener
    private let outlet: DetectionOutlet
    private let thread: PollThread
    private let isHeard = Mutex(true)

    /// A stage that does not run yet. Nil if the system has no descriptors left.
    public init?(
        _ options: Options, feed: PictureFeed? = nil, outlet: DetectionOutlet, listener: Listener = Listener()
    ) {
        guard let thread = PollThread(name: "detector") else { return nil }
        (self.options, self.feed, self.outlet, self.listener) = (options, feed, outlet, listener)
        self.thread = thread
    }

    deinit { stop() }

    /// Starts it.
    public func start() {
        thread.start { [options, feed, listener, outlet, weak self] in
            StageWork(options: options, feed: feed, listener: listener, outlet: outlet) { self?.isActive ?? false }
        }
    }

    /// Ends it with all that it has started, and waits for that. Idempotent.
    public func stop() { thread.stop() }

    /// Lets it rest, or go on: a source on standby.
    public var isActive: Bool {
        get { isHeard.withLock { $0 } }
        set {
            isHeard.withLock { $0 = newValue }
            thread.wake()
        }
    }
}
