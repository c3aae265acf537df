public import DockControl
public import FaceTracker
public import Geometry

/// A person of the scene in one frame: the ground truth.
public struct SceneSubject: Sendable, Equatable {
    /// Number of the person.
    public var person: Int
    /// The rectangle in the frame, not cut at the edge; normalised.
    public var rect: Rect
    /// The centre of the face in the world, dock angles, radians.
    public var bearing: PanTilt

    /// A person with rectangle and bearing (radians).
    public init(person: Int, rect: Rect, bearing: PanTilt) {
        self.person = person
        self.rect = rect
        self.bearing = bearing
    }
}

/// One frame of the simulated camera: its exposure and its ground truth.
public struct ScenePicture: Sendable, Equatable {
    /// Number of the frame.
    public var sequence: Int
    /// Time of exposure, CLOCK_MONOTONIC.
    public var exposure: Seconds
    /// Pose of the dock and magnification of its camera.
    public var view: HeadView
    /// The people in the scene, including those outside the frame.
    public var subjects: [SceneSubject]

    /// A frame from its parts.
    public init(sequence: Int, exposure: Seconds, view: HeadView, subjects: [SceneSubject]) {
        self.sequence = sequence
        self.exposure = exposure
        self.view = view
        self.subjects = subjects
    }
}

/// A camera on the simulated dock's head that sees recorded faces. The recording of a fixed camera is placed in the
/// world as bearings. These are seen again from the head's pose at the time of exposure, cut at the frame's edge, and
/// delivered after the camera's latency. The loop is therefore closed.
public struct SceneCamera: Sendable {
    private let recording: Recording
    private let truth: SceneTruth
    private let pacer: ReplayPacer
    private let recorder: CameraModel
    /// The rig's cameras, by their places.
    private let cameras: [CameraModel]
    /// Which of them takes the frames, and how much the middle of its picture is magnified.
    public var optics = FrameOptics.usual
    private let latency: Seconds
    private let size: PictureSize
    private var encoder = DetectionEncoder()
    private var start: Seconds?
    private var step = 0

    /// A detector no longer finds a face of which less than this fraction is visible.
    static let visibleShare = 0.5

    /// A scene from a recording.
    /// - Parameters:
    ///   - hfov: horizontal field of view of the recording, radians.
    ///   - profile: the rig with the camera.
    public init(recording: Recording, hfov: Double, loop: ReplayPacer.Loop, profile: RigProfile) {
        self.recording = recording
        truth = SceneTruth(recording)
        pacer = ReplayPacer(recording, loop: loop)
        size = recording.hello?.image ?? PictureSize(width: 640, height: 360)
        var recorderCamera = RigProfile.Camera()
        recorderCamera.horizontalFieldOfView = hfov
        recorder = CameraModel(camera: recorderCamera, aspect: size.aspect)
        let aspect = size.aspect
        cameras = FrameOptics.cameras.map { CameraModel(camera: profile.camera(at: $0), aspect: aspect) }
        latency = profile.camera.latency
    }

    /// Number of people in the recording.
    public var persons: Int { truth.persons }

    /// Length of the recording with the pause before it begins again, seconds.
    public var duration: Seconds { recording.duration + recording.period }

    /// When the next frame is due, CLOCK_MONOTONIC; nil when the scene is over.
    public var nextDelivery: Seconds? {
        guard let start, let time = pacer.time(of: step) else { return nil }
        return start + time + latency
    }

    /// Writes the stream's first line. Frames follow from `now` on.
    public mutating func begin(now: Seconds, into lines: inout [UInt8]) {
        start = now
        encoder.writeHello(
            detector: "scene", clock: .monotonic, image: size, framesPerSecond: 1 / recording.period, to: &lines)
    }

    /// Delivers the next frame: appends its line and returns its ground truth. `looking` returns what the camera looked
    /// at, at a time.
    public mutating func deliver(looking: (Seconds) -> HeadView, into lines: inout [UInt8]) -> ScenePicture? {
        guard let start, let time = pacer.time(of: step), let index = pacer.index(of: step) else { return nil }
        let exposure = start + time
        let view = looking(exposure)
        var detections: [Detection] = []
        for detection in recording.frames[index].detections {
            guard let seen = see(detection.rect, from: view), let inside = seen.intersection(.full),
                inside.area >= Self.visibleShare * seen.area
            else { continue }
            var copy = detection
            copy.rect = inside
            copy.landmarks = Landmarks()
            detections.append(copy)
        }
        encoder.writeFrame(sequence: step, time: exposure, detections: detections, optics: optics, to: &lines)
        let subjects = truth.frames[index].compactMap { appearance -> SceneSubject? in
            guard let rect = see(appearance.rect, from: view) else { return nil }
            return SceneSubject(
                person: appearance.person, rect: rect,
                bearing: recorder.world(of: appearance.rect.center, from: .zero))
        }
        defer { step += 1 }
        return ScenePicture(sequence: step, exposure: exposure, view: view, subjects: subjects)
    }

    /// A rectangle of the recording as the camera on the head sees it; nil if it is behind the camera.
    private func see(_ rect: Rect, from view: HeadView) -> Rect? {
        let camera = cameras[optics.camera].cropped(by: optics.zoom).magnified(by: view.magnification)
        let pose = camera.mount == .head ? view.pose : camera.offset
        // It uses centre and angular size, because a face's corners turn with it and are not corners in the world.
        let center = recorder.world(of: rect.center, from: .zero)
        let left = recorder.world(of: Point(x: rect.x, y: rect.center.y), from: .zero)
        let right = recorder.world(of: Point(x: rect.maxX, y: rect.center.y), from: .zero)
        let top = recorder.world(of: Point(x: rect.center.x, y: rect.y), from: .zero)
        let bottom = recorder.world(of: Point(x: rect.center.x, y: rect.maxY), from: .zero)
        guard let middle = camera.project(center, from: pose), let west = camera.project(left, from: pose),
            let east = camera.project(right, from: pose), let north = camera.project(top, from: pose),
            let south = camera.project(bottom, from: pose)
        else { return nil }
        let seen = Rect(center: middle, width: abs(east.x - west.x), height: abs(south.y - north.y))
        return seen.width > 0 && seen.width < 2 && seen.height > 0 && seen.height < 2 ? seen : nil
    }
}
