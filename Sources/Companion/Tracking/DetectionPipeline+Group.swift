internal import DockControl
internal import FaceTracker
internal import Geometry

/// Several people in one picture.
extension DetectionPipeline {
    /// Makes room for others beside the followed one. Who chose one person wants to see that one.
    func frameGroup(_ followed: TrackedSubject?, mode: TrackingMode, now: Seconds, pursuit: inout Pursuit) {
        pursuit.framing.shift = Point(x: 0, y: 0)
        let isWanted =
            mode == .system && camera.mount == .head && pursuit.framing.mode == .automatic
            && selection.selected.count != 1
        group.update(
            followed: followed, among: tracker.subjects, place: pursuit.framing.setPoint(yaw: followed?.yaw),
            isWanted: isWanted, now: now)
        if mode == .system { pursuit.framing.shift = group.shift }
    }
}
