internal import DockControl
internal import FaceTracker
internal import Geometry
internal import SpatialModel

/// How far the faces of a detector's answer are. An answer is passed on before it is tracked, so the lens is that of the
/// last frame.
struct AnswerSight: Sendable {
    /// The last tracked frame, or nil if there is none.
    var frame: TrackedFrame?
    /// The rig, for the lens of an answer that the last frame does not describe.
    var profile: RigProfile

    /// The least overlap by which a face of an answer is a subject of the last frame.
    static let leastOverlap = 0.3

    /// Returns how far a face is, or nil if that is unknown.
    func distance(of face: Detection, in answer: DetectorAnswer) -> SubjectDistance? {
        if answer.isActive, let measured = measured(face) { return measured }
        if let stated = SubjectDistance.stated(by: face.attributes) { return stated }
        guard face.kind == .person else { return nil }
        return FaceRuler.distance(of: face.rect, yaw: face.attributes.yaw, through: PictureLens(camera(of: answer)))
    }

    /// The distance that a program has measured, of the subject that this face probably is.
    private func measured(_ face: Detection) -> SubjectDistance? {
        guard let frame, !frame.measured.isEmpty, !frame.isCustom else { return nil }
        var best: (distance: SubjectDistance, overlap: Double)?
        for subject in frame.subjects {
            guard let distance = frame.measured[subject.id] else { continue }
            let overlap = subject.rect.overlap(face.rect)
            if overlap >= Self.leastOverlap, overlap > best?.overlap ?? 0 { best = (distance, overlap) }
        }
        return best?.distance
    }

    private func camera(of answer: DetectorAnswer) -> CameraModel {
        if answer.isActive, let frame, !frame.isCustom, let camera = frame.camera { return camera }
        let optics = answer.frame.optics
        return CameraModel(camera: profile.camera(at: optics.camera), aspect: answer.frame.size?.aspect ?? 16.0 / 9.0)
            .cropped(by: optics.zoom)
    }
}
