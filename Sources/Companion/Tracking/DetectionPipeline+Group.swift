internal import DockControl
internal import FaceTracker
internal import Geometry

/// Framing of several people.
extension DetectionPipeline {
    /// Makes room for other people beside the followed person, unless exactly one person was selected.
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
