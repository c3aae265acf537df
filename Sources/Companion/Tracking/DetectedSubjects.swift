internal import DockControl
internal import FaceTracker
internal import Geometry

/// The subjects of a detector's stream: they are tracked from frame to frame, and one of them is selected and framed
/// together with others.
struct DetectedSubjects: Sendable {
    private(set) var tracker = Tracker()
    /// The selection of the followed subject.
    private(set) var selection = SubjectSelection()
    private var group = GroupFraming()
    /// The detector's camera without magnification. A program's observations can come from another one.
    private(set) var wideCamera: CameraModel
    /// The same camera as the profile describes it.
    private var described: RigProfile.Camera
    /// The magnification by the rig's own lens, and the measured correction of the view, in the last frame.
    private var magnification = 1.0, correction = 1.0
    /// Which camera took the last frame, and how much its picture is magnified.
    private(set) var optics = FrameOptics.usual
    /// The width of the frame divided by the height.
    private(set) var aspect = 16.0 / 9.0
    /// What depth cameras have measured of the subjects and still counts, a newer report after an older one.
    private(set) var distances: [MeasuredDistance] = []
    private var lastExposure: Seconds?

    /// Creates a value without subjects, with the profile's camera.
    init(profile: RigProfile) {
        described = profile.camera
        wideCamera = CameraModel(camera: described)
    }

    /// The camera of the last frame. The rig's own lens belongs to the first camera.
    var camera: CameraModel {
        wideCamera.cropped(by: optics.zoom).magnified(by: (optics.camera == 0 ? magnification : 1) * correction)
    }

    /// The subjects of the last frame, by id.
    var subjects: [TrackedSubject] { tracker.subjects }

    /// Forgets all subjects, because the stream does not continue the previous one.
    mutating func reset() {
        tracker.reset()
        selection.reset()
        group.reset()
        lastExposure = nil
    }

    // MARK: the camera

    /// Interprets frames of a size through the camera that a hello describes. Without a lens, or with an impossible one,
    /// the profile's applies.
    /// - Returns: whether the hello's lens applies.
    mutating func look(through lens: CameraIntrinsics?, image: PictureSize, upright size: PictureSize) -> Bool {
        aspect = size.aspect
        if let lens,
            wideCamera.setIntrinsics(
                fx: lens.fx, fy: lens.fy, cx: lens.cx, cy: lens.cy, width: image.width, height: image.height)
        {
            return true
        }
        look(through: nil, aspect: aspect)
        return false
    }

    /// Interprets frames through a lens that a trace recorded. If it is nil, the profile's field of view applies.
    mutating func look(through lens: TraceLens?, aspect: Double) {
        self.aspect = aspect
        if let lens {
            (wideCamera.focal, wideCamera.principal, wideCamera.distortion) = (lens.focal, lens.principal, .none)
        } else {
            adopt(aspect: aspect)
        }
    }

    /// Adopts the shape of the frames. A calibrated lens counts only for frames of its own shape.
    private mutating func adopt(aspect: Double) {
        guard described.lens == nil else {
            wideCamera = CameraModel(camera: described, aspect: aspect)
            return
        }
        wideCamera.focal.y = wideCamera.focal.x * aspect
    }

    /// Interprets frames as those of another camera of the rig, or of another magnification.
    mutating func look(through optics: FrameOptics, of rig: RigProfile, aspect: Double) {
        if optics.camera != self.optics.camera {
            described = rig.camera(at: optics.camera)
            wideCamera = CameraModel(camera: described, aspect: aspect)
            self.aspect = aspect
        }
        self.optics = optics
    }

    // MARK: requests

    /// The region in which the automatic choice starts.
    var region: Rect {
        get { selection.region }
        set { selection.region = newValue }
    }

    /// Selects the subject at a point. Returns its ID, or nil if there is none.
    mutating func tap(at point: Point) -> Int? {
        defer { tracker.keep(selection.selected) }
        return selection.tap(at: point, in: tracker.subjects, aspect: aspect)
    }

    /// Selects subjects by ID; an empty list selects automatically.
    mutating func select(ids: [Int]) {
        selection.select(ids: ids)
        tracker.keep(selection.selected)
    }

    /// Replaces what depth cameras have measured. Distances of unknown subjects are omitted, so that a program cannot fill
    /// the trace with them.
    /// - Returns: whether there were or are any distances.
    mutating func measure(_ measured: [MeasuredDistance]) -> Bool {
        let before = distances
        distances = measured.filter { tracker.knows($0.id) }
        return !before.isEmpty || !distances.isEmpty
    }

    // MARK: a frame

    /// The findings of one frame.
    struct Findings {
        /// The followed subject, or nil if there is none at the moment.
        var followed: TrackedSubject?
        /// The exposure, corrected by the estimated lag; CLOCK_MONOTONIC.
        var exposure: Seconds
        /// The pose of the camera, in radians, or nil if unknown. It is zero for a camera that does not turn with the
        /// dock.
        var view: PanTilt?
        /// Where the followed subject should be, with room for others.
        var framing: Framing
        /// The event that the selected subjects were out of sight for too long.
        var event: SubjectSelection.Event?
    }

    /// Tracks the rectangles of a frame and selects the followed subject.
    mutating func track(_ frame: DetectionFrame, in context: SteeringContext) -> Findings {
        (magnification, correction) = (context.magnification, context.correction)
        let exposure = frame.exposure + context.lag
        let pose = context.poses.pose(at: exposure)
        // The same rule as in the session: a distance counts until its time is over, also if no newer one arrives.
        if !distances.isEmpty { distances.removeAll { $0.until <= context.now } }
        tracker.update(
            frame, cameraShift: shift(to: pose, at: exposure, poses: context.poses), distances: distances)
        let (primary, event) = selection.pick(from: tracker.subjects, now: frame.exposure)
        tracker.keep(selection.selected)
        let followed = primary.flatMap { id in tracker.subjects.first { $0.id == id } }
        var framing = context.framing
        framing.shift = makeRoom(beside: followed, in: context, at: exposure)
        // A fixed camera needs no pose. With a camera on the head, a sighting without a pose is ignored.
        return Findings(
            followed: followed, exposure: exposure, view: camera.mount == .head ? pose : .zero, framing: framing,
            event: event)
    }

    /// Returns how far the head's own motion moved the still world in the image since the last frame.
    private mutating func shift(to pose: PanTilt?, at exposure: Seconds, poses: PoseHistory) -> PictureShift {
        defer { lastExposure = exposure }
        guard let lastExposure, let before = poses.pose(at: lastExposure), let pose else { return .zero }
        let moved = camera.pictureShift(from: before, to: pose)
        return PictureShift(dx: moved.x, dy: moved.y)
    }

    /// Makes room for other people beside the followed person, unless exactly one person was selected. Returns the
    /// offset of the followed person in the image.
    private mutating func makeRoom(
        beside followed: TrackedSubject?, in context: SteeringContext, at exposure: Seconds
    ) -> Point {
        var framing = context.framing
        framing.shift = Point(x: 0, y: 0)
        let isWanted =
            context.mode == .system && camera.mount == .head && framing.mode == .automatic
            && selection.selected.count != 1
        group.update(
            followed: followed, among: tracker.subjects, place: framing.setPoint(yaw: followed?.attributes.yaw),
            isWanted: isWanted, now: exposure)
        return context.mode == .system ? group.shift : Point(x: 0, y: 0)
    }
}
