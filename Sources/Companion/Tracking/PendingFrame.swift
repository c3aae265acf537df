internal import DockControl
internal import FaceTracker
internal import Geometry

/// A frame that was tracked but not published yet. Values that only other threads need are computed later.
struct PendingFrame {
    var sequence: Int?
    var exposure: Seconds
    var followed: Int?
    var setPoint: Point
    var pose: PanTilt?
    var camera: CameraModel
    /// A program's own observations. If nil, the tracker's subjects apply.
    var observed: [TrackedSubject]?
    var selected: [Int]

    /// Returns the frame for the rest of the program; `clock` is that of a detector's stream.
    func tracked(_ subjects: [TrackedSubject], clock: StreamClock?) -> TrackedFrame {
        let followed = followed.flatMap { id in subjects.first { $0.id == id } }
        var tracked = TrackedFrame(
            sequence: sequence, exposure: exposure, clock: observed == nil ? clock : nil, camera: camera,
            isCustom: observed != nil, subjects: subjects, followed: followed, selected: selected, setPoint: setPoint,
            pose: pose)
        guard let rect = followed?.rect else { return tracked }
        let aim = Framing.aimPoint(of: rect)
        tracked.bearing = camera.bearing(of: aim)
        tracked.world = pose.map { camera.world(of: aim, from: $0) }
        tracked.width =
            camera.bearing(of: Point(x: rect.maxX, y: aim.y)).pan - camera.bearing(of: Point(x: rect.x, y: aim.y)).pan
        return tracked
    }
}
