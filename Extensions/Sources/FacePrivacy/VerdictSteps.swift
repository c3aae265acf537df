/// The steps of a verdict that would leave a face bare if they were wrong. Tests replace one at a time by a wrong one,
/// to show that their rules find it.
struct VerdictSteps: Sendable {
    /// Whether a picture can follow the last one.
    var continues: @Sendable (_ frame: FrameStamp, _ last: FrameStamp) -> Bool = { $0.continues($1) }
    /// Whether a look is at one of our pictures.
    var isOurs: @Sendable (FaceLook, FrameTrail) -> Bool = { $1.holds($0) }
    /// Whether the picture of a look had the shape of ours.
    var fits: @Sendable (FaceLook, FrameStamp) -> Bool = { $0.fits($1) }
    /// Whether a look is at this picture or an earlier one.
    var isBefore: @Sendable (FaceLook, FrameStamp) -> Bool = { $0.sequence <= $1.sequence }
    /// Whether a look is at this picture or a later one.
    var isAfter: @Sendable (FaceLook, FrameStamp) -> Bool = { $0.sequence >= $1.sequence }
    /// The areas through which faces moved between looks.
    var paths: @Sendable (LookEnclosure, FrameStamp, FacePolicy) -> [FaceArea] = { $0.paths(in: $1, $2) }
    /// Whether a source looks for faces.
    var isProven: @Sendable (SourceLooks, FacePolicy) -> Bool = { $0.hasShownFace || $1.knows($0.name) }
    /// Whether the answers between two looks of a source are known.
    var isComplete: @Sendable (SourceLooks, FaceLook, FaceLook) -> Bool = { !$0.hasRefused(between: $1, $2) }
    /// Whether the faces of a source count in this picture, beside those of the looks around it.
    var isNear: @Sendable (FaceLook, FrameStamp, FacePolicy) -> Bool = {
        abs($0.exposure - $1.exposure) <= $2.window
    }
}
