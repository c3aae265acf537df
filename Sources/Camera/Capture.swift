public import Geometry
public import Processes

/// A camera that is kept open: the one program that decodes it, its pictures with their times into a hub, and opened again when it
/// was unplugged, taken away or silent. From a thread of its own.
public final class Capture: Sendable {
    /// How a camera is used.
    public struct Options: Sendable {
        /// How long a picture is on its way where nothing else is known, seconds.
        public var latency: Seconds = 0.045
        /// Size that a device is asked for, pixels; nil: as it likes.
        public var size: (width: Int, height: Int)? = (640, 480)
        /// Pictures a second that a device is asked for.
        public var framesPerSecond = 30
        /// Wider pictures are shrunk to this width.
        public var maximumWidth = 640
        /// Degrees (0, 90, 180, 270) by which a picture is turned clockwise to stand upright.
        public var rotate = 0
        /// Left and right are exchanged; that is undone before the turn.
        public var isMirrored = false
        /// A film is played at its own pace, and its times are when it is played; else it is read as fast as it is taken, with the
        /// times that it was made with.
        public var isPaced = true
        /// When it is opened again.
        public var patience: ProcessWatch.Patience

        /// The usual: 640 x 480 at 30 pictures a second, and a camera that is plugged in again is seen about two seconds later.
        public init() {
            patience = ProcessWatch.Patience()
            patience.start = 10
            patience.silence = 3
            patience.failed = 2
        }
    }

    /// What the owner is told, on the camera's thread; must not wait.
    public struct Listener: Sendable {
        /// How it does has changed.
        public var onChange: @Sendable (CameraHealth) -> Void
        /// A line for the log.
        public var onLog: @Sendable (String) -> Void

        /// Two closures.
        public init(
            onChange: @escaping @Sendable (CameraHealth) -> Void = { _ in },
            onLog: @escaping @Sendable (String) -> Void = { _ in }
        ) {
            (self.onChange, self.onLog) = (onChange, onLog)
        }
    }

    /// Where its pictures go.
    public let hub: FrameHub
    private let source: CameraSource
    private let options: Options
    private let listener: Listener
    private let thread: PollThread

    /// A camera that is not open yet. Nil if the system has no descriptors left.
    public init?(_ source: CameraSource, options: Options = Options(), hub: FrameHub, listener: Listener = Listener()) {
        guard let thread = PollThread(name: "camera") else { return nil }
        (self.source, self.options, self.hub, self.listener) = (source, options, hub, listener)
        self.thread = thread
    }

    deinit { stop() }

    /// Opens it.
    public func start() {
        thread.start { [source, options, hub, listener] in CaptureWork(source, options, hub: hub, listener: listener) }
    }

    /// Closes it, and waits for that. Idempotent.
    public func stop() { thread.stop() }
}
