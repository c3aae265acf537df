public import DockControl
internal import FaceTracker
internal import Geometry
internal import Processes

/// The rig's camera during a calibration: the position of a motionless face in each frame.
public final class CalibrationCamera: Sendable {
    /// The source of the frame times.
    public enum Times: Sendable, Equatable {
        /// No frame has arrived yet.
        case unknown
        /// The detector reports the times on a known clock.
        case reported
        /// The times are estimated from the arrival time and `camera.latency_ms`.
        case guessed

        /// The earlier name of `reported`.
        @available(*, deprecated, renamed: "reported")
        public static var told: Times { .reported }
    }

    private struct Seen {
        var sightings: [PictureFit.Sighting] = []
        var times = Times.unknown
        var hasOwnLens = false
        var frames = 0
        var problem: String?
    }

    private let seen = Locked(Seen())
    private let profile: RigProfile
    private let descriptor: Int32

    /// Three minutes at 60 frames per second; older sightings are dropped.
    static let most = 10_800

    /// Creates the camera of a rig. Detections are read from `descriptor`.
    public init(profile: RigProfile, descriptor: Int32) {
        self.profile = profile
        self.descriptor = descriptor
    }

    /// Returns the loop's input of detections. Called once, on the loop's thread.
    public func makeInput() -> any SteeringInput {
        var options = DecoderOptions()
        options.cameraLatency = profile.camera.latency
        options.mirror = profile.camera.mirror
        options.rotate = profile.camera.rotate
        return DetectionPipeline(
            descriptor: descriptor, profile: profile, options: options, requests: PipelineRequests(),
            listener: DetectionPipeline.Listener(
                onFrame: { [weak self] in self?.record($0) },
                onEvent: { [weak self] event in
                    if case .problem(let text) = event { self?.seen.withLock { $0.problem = text } }
                }))
    }

    private func record(_ frame: TrackedFrame) {
        seen.withLock { seen in
            seen.frames += 1
            switch frame.clock {
            case .monotonic, .unix, .remote: seen.times = .reported
            case .media, .some(.none): seen.times = .guessed
            case nil: break
            }
            guard let camera = frame.camera, let followed = frame.followed, let rect = followed.measured else { return }
            seen.hasOwnLens =
                abs(camera.horizontalFieldOfView - profile.camera.horizontalFieldOfView) > .degrees(0.01)
            if seen.sightings.count == Self.most { seen.sightings.removeFirst(Self.most / 10) }
            seen.sightings.append(
                PictureFit.Sighting(
                    exposure: frame.exposure, subject: followed.id,
                    bearing: camera.bearing(of: Framing.aimPoint(of: rect))))
        }
    }

    /// The number of frames so far, with or without a face.
    public var frames: Int { seen.withLock { $0.frames } }
    /// The last problem with the detections, or nil if there is none.
    public var problem: String? { seen.withLock { $0.problem } }
    /// The source of the frame times.
    public var times: Times { seen.withLock { $0.times } }
    /// Whether the detector reports its lens, so that the profile's field of view is not used.
    public var hasOwnLens: Bool { seen.withLock { $0.hasOwnLens } }
    /// The bearings of the face, oldest first.
    public var sightings: [PictureFit.Sighting] { seen.withLock { $0.sightings } }
}

/// A calibration's measurements of the camera.
public struct CameraFinding: Sendable, Equatable {
    /// The error of the frame times and of the field of view, or nil if no face was motionless in the frames.
    public var fit: PictureFit?
    /// The source of the frame times.
    public var times: CalibrationCamera.Times
    /// Whether the detector reports its lens.
    public var hasOwnLens: Bool
    /// The number of frames.
    public var frames: Int
    /// The last problem with the detections, or nil if there is none.
    public var problem: String?

    /// Fits what a camera saw while the axes moved back and forth. The field of view comes from the first recorded
    /// axis.
    public init(_ camera: CalibrationCamera, findings: CalibrationFindings) {
        let sightings = camera.sightings
        fit = PictureFit(
            Axis.allCases.compactMap { axis in
                findings[axis].recording.map { PictureFit.Take(axis: axis, recording: $0, sightings: sightings) }
            })
        times = camera.times
        hasOwnLens = camera.hasOwnLens
        frames = camera.frames
        problem = camera.problem
    }

    /// Creates a finding from its parts, for tests.
    init(fit: PictureFit?, times: CalibrationCamera.Times, hasOwnLens: Bool = false, frames: Int = 1000) {
        self.fit = fit
        self.times = times
        self.hasOwnLens = hasOwnLens
        self.frames = frames
    }
}
