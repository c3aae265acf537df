internal import DockControl
internal import FaceTracker
internal import Geometry

/// Framing of several people.
extension DetectionPipeline {
    /// Makes room for other people beside the followed person, unless exactly one person was selected. Returns the offset of the
    /// followed person in the image.
    func frameGroup(_ followed: TrackedSubject?, in context: SteeringContext, at exposure: Seconds) -> Point {
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
