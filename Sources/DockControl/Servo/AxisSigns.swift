internal import Geometry

/// The evidence about one axis.
struct AxisSigns: Sendable, Equatable {
    /// The side of the head on which the face has stayed (-1 or +1; 0 near its set-point), and the pose of the head
    /// when that began.
    struct Side: Sendable, Equatable {
        var side = 0.0
        var pose = 0.0
    }

    /// The slow part: it convicts a rig that was correct once, and requests holds.
    var evidence = SignEvidence()
    /// The quick part: it clears a rig, and convicts one that was never correct.
    var proof = SignProof()
    /// The distance that tracking has turned the axis while it had no proof.
    var reach = UnprovenReach()
    var side = Side()
    /// How far the picture moves.
    var gain = PictureGain()
    /// The point of the face that was observed last.
    var part = FaceOutline.Part.middle

    /// Starts with another face, or with the same one after a gap.
    mutating func beginSubject() {
        evidence.beginSubject()
        proof.beginSubject()
        side = Side()
    }
}
