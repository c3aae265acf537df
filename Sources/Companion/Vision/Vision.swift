public import Camera
internal import CPosix
public import DockControl
public import FaceTracker
internal import Glibc

/// Everything that brings detections by itself: a camera, the detectors that look at its pictures, and those that have a camera of
/// their own. One of them steers, the others are on standby; all write into one pipe, which the session reads.
public final class Vision: Sendable {
    /// One that detects.
    public enum Source: Sendable, Equatable {
        /// A program that looks at the camera's pictures.
        case looking(name: String, words: [String])
        /// A program with eyes of its own.
        case program(name: String, words: [String])
        /// Whoever connects to a socket.
        case socket(path: String)

        /// What `status` and the word `source` call it.
        public var name: String {
            switch self {
            case .looking(let name, _), .program(let name, _): name
            case .socket: "unix"
            }
        }
    }

    /// What is told, on threads of its own; must not wait.
    struct Listener: Sendable {
        var onChange: @Sendable (VisionHealth) -> Void = { _ in }
        var onLog: @Sendable (String) -> Void = { _ in }
    }

    /// The end of the pipe that the session reads.
    public let descriptor: Int32
    private let capture: Capture?
    private let hub: FrameHub
    private let health: Guarded<VisionHealth>
    private let listener: Guarded<Listener>
    private let parts: [any RunningSource]
    private let outlet: DetectionOutlet

    /// Sources that have not begun; the first one steers. `rate`: pictures a second that a detector is given at most;
    /// `scores`: how sure it has to be, nil: as it likes.
    /// - Throws: `cannotOpen` if a socket cannot listen, or the system has no descriptors left.
    public init(
        camera: CameraSource?, options: Capture.Options = Capture.Options(), sources: [Source], rate: Double = 10,
        scores: DetectorScores? = nil
    ) throws(DockError) {
        var readEnd: Int32 = -1, writeEnd: Int32 = -1
        guard cposix_pipe(&readEnd, &writeEnd) == 0 else { throw Self.noDescriptors }
        descriptor = readEnd
        var isComplete = false
        // An object that is not complete is not deinitialised.
        defer { if !isComplete { close(readEnd) } }
        let outlet = DetectionOutlet(writeEnd, sources: sources.count)
        self.outlet = outlet
        let hub = FrameHub(), listener = Guarded(Listener())
        (self.hub, self.listener) = (hub, listener)
        var health = VisionHealth()
        health.camera = camera.map { CameraHealth(name: $0.name) }
        health.detectors = sources.map { DetectorHealth(name: $0.name) }
        health.active = sources.first?.name ?? ""
        let shared = Guarded(health)
        self.health = shared
        /// Keeps what is new, and tells it.
        @Sendable func change(_ change: (inout VisionHealth) -> Void) {
            let new = shared.withLock { health in
                change(&health)
                return health
            }
            listener.withLock { $0.onChange }(new)
        }
        let log: @Sendable (String) -> Void = { line in listener.withLock { $0.onLog }(line) }
        capture = camera.flatMap { source in
            Capture(
                source, options: options, hub: hub,
                listener: .init(onChange: { new in change { $0.camera = new } }, onLog: log))
        }
        if camera != nil, capture == nil { throw Self.noDescriptors }
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
        .cannotOpen, "no descriptor is left for the camera", hint: "raise `ulimit -n`")

    deinit { close(descriptor) }

    /// Who is told what happens; before `start`.
    func listen(_ listener: Listener) { self.listener.withLock { $0 = listener } }

    /// Opens the camera and starts the detectors.
    public func start() {
        for part in parts { part.start() }
        capture?.start()
    }

    /// Ends everything, and waits for that. Idempotent.
    public func stop() {
        for part in parts { part.stop() }
        capture?.stop()
    }

    /// Looks whether the files of sockets are still there; they are made again. To be called a few times a second.
    func look() { for part in parts { part.look() } }

    /// The camera's pictures, for somebody else who wants to see them.
    public func tap(_ policy: FrameTap.Policy) -> FrameTap { hub.tap(policy) }

    /// Who is told the lines of the log; before `start`.
    public func onLog(_ tell: @escaping @Sendable (String) -> Void) {
        listener.withLock { $0.onLog = tell }
    }

    /// How they do.
    public var state: VisionHealth { health.withLock { $0 } }

    /// Lets another source steer; false: there is none of that name.
    func use(_ name: String) -> Bool {
        let isThere = health.withLock { health in
            guard let index = health.detectors.firstIndex(where: { $0.name == name }) else { return false }
            health.active = name
            // From here on only the new one is heard, its hello first; then the old one rests. Of two who choose at once, one is the
            // later for all of this.
            outlet.activate(index)
            for (place, part) in parts.enumerated() { part.isActive = place == index }
            return true
        }
        guard isThere else { return false }
        listener.withLock { $0.onChange }(state)
        return true
    }
}

/// A source on a thread of its own.
protocol RunningSource: AnyObject, Sendable {
    func start()
    /// Ends it, and waits for that. Idempotent.
    func stop()
    /// False: on standby.
    var isActive: Bool { get set }
    /// Looks whether its place is still there.
    func look()
}

extension DetectorStage: RunningSource {
    func look() {}
}
extension DetectorSocket: RunningSource {}
extension CameraFrame: StagePicture {}
