public import Geometry
public import Processes

/// A camera that is kept open. One program decodes it, and its frames go to a hub with their times. It is reopened
/// after it was unplugged, taken away or silent. This runs on a separate thread.
public final class Capture: Sendable {
    /// The options of a camera.
    public struct Options: Sendable {
        /// The usual time from exposure to arrival if nothing else is known, in seconds.
        public var latency: Seconds = 0.045
        /// The requested size of a device's frames, in pixels. If it is nil, the device chooses.
        public var size: (width: Int, height: Int)? = (640, 480)
        /// The requested frame rate of a device, in frames per second.
        public var framesPerSecond = 30
        /// Wider frames are scaled down to this width.
        public var maximumWidth = 640
        /// Degrees (0, 90, 180 or 270) by which a frame is rotated clockwise to be upright.
        public var rotate = 0
        /// Whether left and right are swapped; this is undone before the rotation.
        public var isMirrored = false
        /// Whether a file is played at its own speed, with the times at which it is played. Otherwise it is read as
        /// fast as possible, with its own times.
        public var isPaced = true
        /// When to reopen it.
        public var patience: ProcessWatch.Patience

        /// Creates the defaults: 640 x 480 at 30 frames per second. A camera that is plugged in again is detected about
        /// two seconds later.
        public init() {
            patience = ProcessWatch.Patience()
            patience.start = 10
            patience.silence = 3
            patience.failed = 2
        }
    }

    /// Callbacks to the owner, on the camera's thread; they must not block.
    public struct Listener: Sendable {
        /// The state has changed.
        public var onChange: @Sendable (CameraHealth) -> Void
        /// A line for the log.
        public var onLog: @Sendable (String) -> Void

        /// Creates a listener with two callbacks.
        public init(
            onChange: @escaping @Sendable (CameraHealth) -> Void = { _ in },
            onLog: @escaping @Sendable (String) -> Void = { _ in }
        ) {
            (self.onChange, self.onLog) = (onChange, onLog)
        }
    }

    /// The receiver of its frames.
    public let hub: FrameHub
    private let source: CameraSource
    private let options: Options
    private let listener: Listener
    private let thread: PollThread

    /// Creates a camera that is not open yet. The result is nil if the system has no descriptors left.
    public init?(_ source: CameraSource, options: Options = Options(), hub: FrameHub, listener: Listener = Listener()) {
        guard let thread = PollThread(name: "camera") else { return nil }
        (self.source, self.options, self.hub, self.listener) = (source, options, hub, listener)
        self.thread = thread
    }

    deinit { stop() }

    /// Opens the camera.
    public func start() {
        thread.start { [source, options, hub, listener] in CaptureWork(source, options, hub: hub, listener: listener) }
    }

    /// Closes the camera, and waits for that. Idempotent.
    public func stop() { thread.stop() }
}
