public import Camera
internal import CPosix
internal import DockControl
internal import DockTypes
public import FaceTracker
internal import Geometry
internal import Glibc
public import PictureShare
internal import Processes

/// All sources of detections that the daemon runs itself: a camera, the detectors that receive its frames, and
/// detectors with their own camera. One of them steers and the others are on standby. All write into one pipe, which
/// the session reads.
public final class Vision: Sendable {
    /// A source of detections.
    public enum Source: Sendable, Equatable {
        /// A program that receives the camera's frames.
        case looking(name: String, words: [String])
        /// A program with its own camera.
        case program(name: String, words: [String])
        /// A detector that connects to a socket.
        case socket(path: String)
        /// A simulated camera in this process.
        case written(name: String, by: DetectionWriter)

        /// Its name in `status` and in the word `source`.
        public var name: String {
            switch self {
            case .looking(let name, _), .program(let name, _), .written(let name, _): name
            case .socket: "unix"
            }
        }
    }

    /// Receives changes and log lines on the threads of the sources; its closures must not block.
    struct Listener: Sendable {
        var onChange: @Sendable (VisionHealth) -> Void = { _ in }
        var onLog: @Sendable (String) -> Void = { _ in }
    }

    /// The read end of the pipe, for the session.
    public let descriptor: Int32
    /// The poses of the head, which the session's loop writes. A picture for another process says where the head was.
    public let poses = PoseRing()
    /// Passes the answers of all detectors to other programs.
    var answers: AnswerTap { outlet.answers }
    /// Passes the camera's pictures to other processes.
    let outlets: Capture.Outlets
    let capture: Capture?
    /// Whether it opens a camera itself.
    public var hasCamera: Bool { capture != nil }
    private let hub: FrameHub
    private let health: Locked<VisionHealth>
    private let listener: Locked<Listener>
    private let parts: [any RunningSource]
    private let outlet: DetectionOutlet

    /// Prepares the cameras and sources without starting them. The first camera is opened, and the first source steers. `rate`: the maximum number of frames per
    /// second that a detector receives. `scores`: the confidence thresholds that are requested from detectors. If nil,
    /// they use their own.
    /// - Throws: `cannotOpen` if a socket cannot listen, or no file descriptor is available.
    public init(
        cameras: [Capture.Camera], options: Capture.Options = Capture.Options(), sources: [Source], rate: Double = 10,
        scores: DetectorScores? = nil
    ) throws(DockError) {
        var readEnd: Int32 = -1, writeEnd: Int32 = -1
        guard cposix_pipe(&readEnd, &writeEnd) == 0 else { throw Self.noDescriptors }
        descriptor = readEnd
        var isComplete = false
        // Swift does not call `deinit` for an incomplete object.
        defer { if !isComplete { close(readEnd) } }
        let outlet = DetectionOutlet(writeEnd, sources: sources.map(\.name))
        self.outlet = outlet
        let hub = FrameHub(), listener = Locked(Listener())
        (self.hub, self.listener) = (hub, listener)
        var health = VisionHealth()
        health.camera = cameras.first.map { CameraHealth(name: $0.source.name) }
        health.detectors = sources.map { DetectorHealth(name: $0.name) }
        health.active = sources.first?.name ?? ""
        let shared = Locked(health)
        self.health = shared
        /// Stores a change and passes it to the listener.
        @Sendable func change(_ change: (inout VisionHealth) -> Void) {
            let new = shared.withLock { health in
                change(&health)
                return health
            }
            listener.withLock { $0.onChange }(new)
        }
        let log: @Sendable (String) -> Void = { line in listener.withLock { $0.onLog }(line) }
        let light = PictureLight(), seen = Locked<ReaderTally?>(nil)
        let outlets = Capture.Outlets(poses: poses) {
            guard let tally = seen.withLock({ $0 }) else { return }
            if light.turned(on: tally.total > 0) { log("another program sees the camera's pictures") }
            // Read inside the lock, so that the later of two changes prevails.
            change { $0.readers = tally.total }
        }
        seen.withLock { $0 = outlets.tally }
        self.outlets = outlets
        capture = Capture(
            cameras, options: options, hub: hub, outlets: outlets,
            listener: .init(onChange: { new in change { $0.camera = new } }, onLog: log))
        if !cameras.isEmpty, capture == nil { throw Self.noDescriptors }
        var parts: [any RunningSource] = []
        for (index, source) in sources.enumerated() {
            let onChange: @Sendable (DetectorHealth) -> Void = { new in change { $0.detectors[index] = new } }
            var stage = DetectorStage.Options(name: source.name, words: [], framesPerSecond: rate)
            stage.source = index
            stage.scores = scores
            var feed: PictureFeed?
            switch source {
            case .looking(_, let words):
                stage.words = words
                let tap = hub.tap(options.isPaced ? .newest : .every(4))
                feed = PictureFeed(
                    descriptor: tap.descriptor, isLossless: !options.isPaced, take: { tap.take() },
                    isOver: { tap.isOver })
            case .program(_, let words): stage.words = words
            case .socket(let path):
                parts.append(
                    try DetectorSocket(
                        path: path, outlet: outlet, source: index, rate: rate, scores: scores, onChange: onChange,
                        onLog: log))
                continue
            case .written(let name, let writer):
                guard
                    let part = WrittenSource(
                        name: name, writer: writer, outlet: outlet, source: index, onChange: onChange, onLog: log)
                else { throw Self.noDescriptors }
                parts.append(part)
                continue
            }
            let listener = DetectorStage.Listener(onChange: onChange, onLog: log)
            guard let part = DetectorStage(stage, feed: feed, outlet: outlet, listener: listener) else {
                throw Self.noDescriptors
            }
            parts.append(part)
        }
        for part in parts.dropFirst() { part.isActive = false }
        self.parts = parts
        isComplete = true
    }

    private static let noDescriptors = DockError(
        .cannotOpen, "no file descriptor is left for the camera", hint: "raise `ulimit -n`")

    deinit { close(descriptor) }

    /// Sets the listener. Call this before `start`.
    func listen(_ listener: Listener) { self.listener.withLock { $0 = listener } }

    /// Opens the camera and starts the detectors.
    public func start() {
        for part in parts { part.start() }
        capture?.start()
    }

    /// Ends everything and waits until it has ended. Idempotent.
    public func stop() {
        for part in parts { part.stop() }
        capture?.stop()
    }

    /// Checks whether the files of sockets still exist, and requests that missing ones are created again. Call it a few
    /// times a second.
    func look() { for part in parts { part.look() } }

    /// Returns a tap of the camera's frames for another consumer.
    public func tap(_ policy: FrameTap.Policy) -> FrameTap { hub.tap(policy) }

    /// Sets the receiver of log lines. Call this before `start`.
    public func onLog(_ tell: @escaping @Sendable (String) -> Void) {
        listener.withLock { $0.onLog = tell }
    }

    /// The current health of camera and detectors.
    public var state: VisionHealth { health.withLock { $0 } }

    /// Lets another source steer. Returns false if no source has this name.
    func use(_ name: String) -> Bool {
        let isThere = health.withLock { health in
            guard let index = health.detectors.firstIndex(where: { $0.name == name }) else { return false }
            health.active = name
            // From here on the outlet accepts only the new source, starting with its hello. Then the old source is put
            // on standby. The lock keeps these steps in order if two callers choose at the same time.
            outlet.activate(index)
            for (place, part) in parts.enumerated() { part.isActive = place == index }
            return true
        }
        guard isThere else { return false }
        listener.withLock { $0.onChange }(state)
        return true
    }
}

/// A source on its own thread.
protocol RunningSource: AnyObject, Sendable {
    func start()
    /// Ends it and waits until it has ended. Idempotent.
    func stop()
    /// Whether it is active; false means on standby.
    var isActive: Bool { get set }
    /// Checks whether its socket file still exists.
    func look()
}

extension DetectorStage: RunningSource {
    func look() {}
}
extension DetectorSocket: RunningSource {}
extension WrittenSource: RunningSource {
    func look() {}
}
extension CameraFrame: StagePicture {}

extension PoseRing: PoseReceiver {
    /// Adds a report of the dock.
    public func append(_ sample: MotionSample) {
        append(time: sample.time, PicturePose(pose: sample.pose, rate: sample.rate))
    }
}
