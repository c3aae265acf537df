public import Geometry
public import PictureShare
public import Processes
internal import Synchronization

/// A camera that is kept open. One program decodes it, and its frames go to a hub with their times. It is reopened
/// after it was unplugged, taken away or silent. This runs on a separate thread.
///
/// Of several cameras, one is open at a time.
public final class Capture: Sendable {
    /// One camera.
    public struct Camera: Sendable {
        /// Where its frames come from.
        public var source: CameraSource
        /// The usual time from exposure to arrival if nothing else is known, in seconds.
        public var latency: Seconds = 0.045
        /// Degrees (0, 90, 180 or 270) by which a frame is rotated clockwise to be upright.
        public var rotate = 0
        /// Whether left and right are swapped; this is undone before the rotation.
        public var isMirrored = false

        /// Creates a camera that is upright and takes 45 ms.
        public init(_ source: CameraSource) { self.source = source }
    }

    /// What applies to all cameras.
    public struct Options: Sendable {
        /// The requested size of a device's frames, in pixels. If it is nil, the device chooses.
        public var size: (width: Int, height: Int)? = (640, 480)
        /// The requested frame rate of a device, in frames per second.
        public var framesPerSecond = 30
        /// Wider frames are scaled down to this width.
        public var maximumWidth = 640
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

    /// What passes a camera's frames to other processes, in two sizes.
    public struct Outlets: Sendable {
        /// The frames for detectors, at most `maximumWidth` wide, as `rgb24`.
        public let usual: PictureOutlet
        /// The frames in the camera's own size, as `yuv420p`.
        public let full: PictureOutlet

        /// Counts the readers of both.
        public let tally = ReaderTally()
        let isFullWanted = WantedSize()

        /// Creates outlets without readers. `onReaders` is called after the tally has changed, on any thread, and must
        /// not block.
        public init(poses: PoseRing, onReaders: @escaping @Sendable () -> Void = {}) {
            usual = PictureOutlet(.rgb24, poses: poses, tally: tally, onReaders: onReaders)
            full = PictureOutlet(.yuv420p, poses: poses, tally: tally, onReaders: onReaders)
        }

        /// Closes what a reader has open. Idempotent.
        public func close(reader: Int) {
            usual.close(reader: reader)
            full.close(reader: reader)
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
    /// Passes its frames to other processes.
    public let outlets: Outlets
    /// The cameras, at least one. The first one is opened at the start.
    public let cameras: [Camera]
    private let options: Options
    private let listener: Listener
    private let thread: PollThread
    private let dial = CaptureDial()

    /// Creates cameras that are not open yet. The result is nil if there are none, or if the system has no descriptors
    /// left.
    public init?(
        _ cameras: [Camera], options: Options = Options(), hub: FrameHub,
        outlets: Outlets = Outlets(poses: PoseRing(capacity: 2)), listener: Listener = Listener()
    ) {
        guard !cameras.isEmpty, let thread = PollThread(name: "camera") else { return nil }
        (self.cameras, self.options, self.hub, self.listener) = (cameras, options, hub, listener)
        self.outlets = outlets
        self.thread = thread
    }

    deinit { stop() }

    /// Opens the first camera.
    public func start() {
        thread.start { [cameras, options, hub, outlets, listener, dial] in
            CaptureWork(
                CaptureChoice(cameras, dial), options, hub: hub, outlets: outlets, listener: listener)
        }
    }

    /// Closes the camera and opens another one, by its place in `cameras`. Frames pause for a moment. An invalid place
    /// changes nothing. From any thread; it does not block.
    public func select(_ place: Int) {
        guard cameras.indices.contains(place) else { return }
        dial.select(place)
        thread.wake()
    }

    /// The place of the camera that was selected last. The listener reports another one until this one is opened.
    public var selected: Int { dial.setting.camera }

    /// Magnifies the pictures, by the camera's own zoom as far as that goes, and by cutting out the middle for the rest.
    /// Each frame states its magnification (`FrameOptics`). From any thread; it does not block.
    public func magnify(_ zoom: Double) {
        dial.magnify(zoom)
        thread.wake()
    }

    /// Opens the frames in the camera's own size for another process. If the capture program does not write them yet,
    /// it is restarted, and all frames pause for a moment.
    public func openFull(reader: Int, most: Int = .max, answer: @escaping PictureOutlet.Answer) {
        outlets.full.open(reader: reader, most: most, answer: answer)
        outlets.isFullWanted.set()
        thread.wake()
    }

    /// Closes the camera, and waits for that. Idempotent.
    public func stop() { thread.stop() }
}

/// Whether a program has ever asked for the camera's own size. It stays so, because every change restarts the capture
/// program.
final class WantedSize: Sendable {
    private let isSet = Atomic<Bool>(false)
    var isWanted: Bool { isSet.load(ordering: .acquiring) }
    func set() { isSet.store(true, ordering: .releasing) }
}
