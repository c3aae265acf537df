internal import DockControl
internal import FaceTracker
internal import Geometry

/// Turns a program's own observations into subjects. The program identifies the subjects; this value tracks their age,
/// ranks them and selects the followed one.
struct CustomSubjects: Sendable {
    /// The subjects of the last observation, by id.
    private(set) var subjects: [TrackedSubject] = []
    /// The selection of the followed subject.
    var selection = SubjectSelection()
    /// The camera that the program described. If nil, the profile's applies.
    private var described: CameraModel?
    /// The width of its frame divided by the height.
    private(set) var aspect = 16.0 / 9.0
    private var information: CameraInformation?
    private var born: [Int: (first: Seconds, last: Seconds)] = [:]

    /// The absence after which a subject counts as new, in seconds.
    static let observationTimeout: Seconds = 2

    /// Returns the camera of the program's frames. A lens that the program describes includes its magnification;
    /// otherwise the rig's own one applies.
    func camera(_ profile: RigProfile, magnification: Double) -> CameraModel {
        let camera = described ?? CameraModel(camera: profile.camera)
        let hasOwnLens = information.map { $0.horizontalFieldOfView != nil || $0.intrinsics != nil } ?? false
        return hasOwnLens ? camera : camera.magnified(by: magnification)
    }

    /// Removes all subjects.
    mutating func forget() {
        guard !subjects.isEmpty || !born.isEmpty else { return }
        subjects = []
        born = [:]
        selection.reset()
    }

    /// Processes the observations of one frame and returns the subject to follow.
    mutating func observe(
        _ frame: ObservationFrame, exposure: Seconds, profile: RigProfile
    ) -> (primary: Int?, event: SubjectSelection.Event?) {
        if let new = frame.camera, new != information { look(through: new, profile: profile) }
        let orientation = PictureOrientation(
            rotate: information?.rotate ?? 0, isMirrored: information?.mirrored ?? false)
        born = born.filter { exposure - $0.value.last < Self.observationTimeout }
        var scale = NearnessScale()
        for seen in frame.observations where seen.kind == .person {
            scale.add(size: Self.size(orientation.upright(seen.rect)), distance: seen.attributes.distance)
        }
        subjects = frame.observations.map { seen in
            let first = born[seen.identifier]?.first ?? exposure
            born[seen.identifier] = (first, exposure)
            let rect = orientation.upright(seen.rect), size = Self.size(rect)
            return TrackedSubject(
                id: seen.identifier, kind: seen.kind, rect: rect, measured: rect, age: exposure - first,
                lastSeen: exposure, score: seen.score, attributes: orientation.upright(seen.attributes),
                salience: Self.salience(
                    of: rect,
                    size: seen.kind == .person ? scale.size(size, distance: seen.attributes.distance) : size))
        }.sorted { $0.id < $1.id }
        let order = subjects.indices.sorted { subjects[$0].salience > subjects[$1].salience }
        for (rank, index) in order.enumerated() { subjects[index].salienceRank = rank + 1 }
        return selection.pick(from: subjects, now: exposure)
    }

    private static func size(_ rect: Rect) -> Double { (rect.width * rect.height).squareRoot().clamped(to: 0...1) }

    /// Returns the salience, 0...1. It is high for central subjects that are large, or near.
    private static func salience(of rect: Rect, size: Double) -> Double {
        let off = ((rect.center.x - 0.5) * (rect.center.x - 0.5) + (rect.center.y - 0.5) * (rect.center.y - 0.5))
        return 0.6 * min(1, 3 * size) + 0.4 * (1 - off.squareRoot() / 0.71).clamped(to: 0...1)
    }

    private mutating func look(through new: CameraInformation, profile: RigProfile) {
        information = new
        let orientation = PictureOrientation(rotate: new.rotate, isMirrored: new.mirrored)
        let size = new.referenceDimensions.map { orientation.upright($0) }
        aspect = size?.aspect ?? 16.0 / 9.0
        var own = profile.camera
        if let angle = new.horizontalFieldOfView { (own.horizontalFieldOfView, own.lens) = (angle, nil) }
        var model = CameraModel(camera: own, aspect: aspect)
        model.mountAngles = profile.camera.lens?.mount ?? .straight
        // Intrinsics describe the camera as it is mounted. If it lies on its side, width and height and their focal
        // lengths are swapped.
        if let lens = new.intrinsics, let picture = new.referenceDimensions, let size {
            let isOnSide = size.width != picture.width
            let centre = orientation.upright(Point(x: lens.cx / picture.width, y: lens.cy / picture.height))
            model.setIntrinsics(
                fx: isOnSide ? lens.fy : lens.fx, fy: isOnSide ? lens.fx : lens.fy, cx: centre.x * size.width,
                cy: centre.y * size.height, width: size.width, height: size.height)
        }
        described = model
    }
}
