public import Processes
internal import Synchronization

/// A detector as a child process. A separate thread starts, feeds, watches and restarts it, and passes its stream on
/// line by line. Only its rectangles reach the dock's loop.
public final class DetectorStage: Sendable {
    /// The command, and how to use it.
    public struct Options: Sendable {
        /// The source's name, for status and log.
        public var name: String
        /// The program and its arguments.
        public var words: [String]
        /// The highest frame rate if it is fed with frames, in frames per second.
        public var framesPerSecond: Double
        /// The source's index at its outlet.
        public var source = 0
        /// The detector's score thresholds. Nil lets it choose.
        public var scores: DetectorScores?
        /// When to restart it.
        public var patience: ProcessWatch.Patience

        /// Creates options for a program with the defaults: 10 frames per second.
        public init(
            name: String, words: [String], framesPerSecond: Double = 10,
            patience: ProcessWatch.Patience = ProcessWatch.Patience()
        ) {
            (self.name, self.words, self.framesPerSecond, self.patience) = (name, words, framesPerSecond, patience)
        }

        /// Returns a command line for a shell. Everything that the shell starts is in its process group and ends with
        /// it.
        public static func shell(_ command: String) -> [String] { ["/bin/sh", "-c", command] }
    }

    /// Callbacks to the owner, on the stage's thread. They must not block.
    public struct Listener: Sendable {
        /// The state has changed.
        public var onChange: @Sendable (DetectorHealth) -> Void
        /// A line for the log: the detector's standard error, or a change of its state.
        public var onLog: @Sendable (String) -> Void

        /// Creates a listener with two callbacks.
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

    /// Creates a stage that is not running yet. The result is nil if the system has no descriptors left.
    public init?(
        _ options: Options, feed: PictureFeed? = nil, outlet: DetectionOutlet, listener: Listener = Listener()
    ) {
        guard let thread = PollThread(name: "detector") else { return nil }
        (self.options, self.feed, self.outlet, self.listener) = (options, feed, outlet, listener)
        self.thread = thread
    }

    deinit { stop() }

    /// Starts the detector.
    public func start() {
        thread.start { [options, feed, listener, outlet, weak self] in
            StageWork(options: options, feed: feed, listener: listener, outlet: outlet) { self?.isActive ?? false }
        }
    }

    /// Ends the detector with all processes that it has started, and waits until they have ended. Idempotent.
    public func stop() { thread.stop() }

    /// Whether the source is active. Otherwise it is on standby.
    public var isActive: Bool {
        get { isHeard.withLock { $0 } }
        set {
            isHeard.withLock { $0 = newValue }
            thread.wake()
        }
    }
}
