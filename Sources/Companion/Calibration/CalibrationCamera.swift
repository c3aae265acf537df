public import DockControl
internal import FaceTracker
internal import Geometry

/// The rig's camera while the rig is calibrated: where a face that sits still appears, picture by picture.
public final class CalibrationCamera: Sendable {
    /// What the times of its pictures are.
    public enum Times: Sendable, Equatable {
        /// Nothing has come yet.
        case unknown
        /// Told by the detector, on a clock that is known here.
        case told
        /// Guessed from the arrival by `camera.latency_ms`.
        case guessed
    }

    private struct Seen {
        var sightings: [PictureFit.Sighting] = []
        var times = Times.unknown
        var hasOwnLens = false
        var frames = 0
        var problem: String?
    }

    private let seen = Guarded(Seen())
    private let profile: RigProfile
    private let descriptor: Int32

    /// Three minutes of 60 pictures a second: older ones go.
    static let most = 10_800

    /// Of a rig; detections are read from `descriptor`.
    public init(profile: RigProfile, descriptor: Int32) {
        self.profile = profile
        self.descriptor = descriptor
    }

    /// The detections' way into the loop; called once, on the loop's thread.
    public func makeInput() -> any SteeringInput {
        var options = DecoderOptions()
        options.cameraLatency = profile.camera.latency
        options.mirror = profile.camera.mirror
        options.rotate = profile.camera.rotate
        return DetectionPipeline(
            descriptor: descriptor, profile: profile, options: options, requests: PipelineRequests(),
            listener: DetectionPipeline.Listener(
                onFrame: { [weak self] in self?.take($0) },
                onEvent: { [weak self] event in
                    if case .problem(let text) = event { self?.seen.withLock { $0.problem = text } }
                }))
    }

    private func take(_ frame: TrackedFrame) {
        seen.withLock { seen in
            seen.frames += 1
            switch frame.clock {
            case .monotonic, .unix, .remote: seen.times = .told
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

    /// Pictures so far, with a face or without.
    public var frames: Int { seen.withLock { $0.frames } }
    /// The last thing that was wrong with the detections; nil: nothing.
    public var problem: String? { seen.withLock { $0.problem } }
    /// Where the times of its pictures come from.
    public var times: Times { seen.withLock { $0.times } }
    /// The detector has told what its lens is: the profile's field of view is not used.
    public var hasOwnLens: Bool { seen.withLock { $0.hasOwnLens } }
    /// Where the face was, oldest first.
    public var sightings: [PictureFit.Sighting] { seen.withLock { $0.sightings } }
}

/// What a calibration has found out about the camera.
public struct CameraFinding: Sendable, Equatable {
    /// How far the times of its pictures are off, and what its field of view is worth; nil: nobody sat still in the picture.
    public var fit: PictureFit?
    /// Where those times come from.
    public var times: CalibrationCamera.Times
    /// The detector has told what its lens is.
    public var hasOwnLens: Bool
    /// Pictures that came.
    public var frames: Int
    /// The last thing that was wrong with the detections; nil: nothing.
    public var problem: String?

    /// From what a camera saw while axes went to and fro; the first take's axis tells of the field of view.
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

    /// For tests: of its parts.
    init(fit: PictureFit?, times: CalibrationCamera.Times, hasOwnLens: Bool = false, frames: Int = 1000) {
        self.fit = fit
        self.times = times
        self.hasOwnLens = hasOwnLens
        self.frames = frames
    }
}
