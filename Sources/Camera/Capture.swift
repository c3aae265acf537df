internal import CPosix
public import Geometry
internal import Glibc
public import Processes
internal import Synchronization

/// A camera that is kept open: the one program that decodes it, its pictures with their times into a hub, and opened again when it
/// was unplugged, taken away or silent. From a thread of its own.
public final class Capture: @unchecked Sendable {
    // Unchecked: `thread` is touched by the owner's thread only (start, stop); all else is constant or behind its lock.

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

        /// The usual: 640 x 480 at 30 pictures a second, and a camera that is plugged in again is seen within two seconds.
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
    private let timer: Int32
    private let wake: Int32
    private let isStopping = Mutex(false)
    private var thread: pthread_t?

    /// A camera that is not open yet. Nil if the system has no descriptors left.
    public init?(_ source: CameraSource, options: Options = Options(), hub: FrameHub, listener: Listener = Listener()) {
        (timer, wake) = (cposix_timer_create(), cposix_wake_create())
        (self.source, self.options, self.hub, self.listener) = (source, options, hub, listener)
        guard timer >= 0, wake >= 0 else { return nil }
    }

    deinit {
        stop()
        for open in [timer, wake] where open >= 0 { close(open) }
    }

    /// Opens it.
    public func start() {
        guard thread == nil else { return }
        var id = pthread_t()
        let me = Unmanaged.passRetained(self)
        if pthread_create(&id, nil, captureMain, me.toOpaque()) == 0 { thread = id } else { me.release() }
    }

    /// Closes it, and waits for that. Idempotent.
    public func stop() {
        guard let id = thread else { return }
        thread = nil
        isStopping.withLock { $0 = true }
        cposix_wake_ring(wake)
        pthread_join(id, nil)
    }

    fileprivate func run() {
        cposix_thread_name("camera")
        cposix_thread_blocks_pipe_signal()
        let work = CaptureWork(source, options, hub: hub, listener: listener)
        defer { hub.finish() }
        while !isStopping.withLock({ $0 }) {
            guard work.turn() else { break }
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
private func captureMain(_ raw: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
    if let raw { Unmanaged<Capture>.fromOpaque(raw).takeRetainedValue().run() }
    return nil
}
