internal import Geometry

/// What is known of one axis.
struct AxisSigns: Sendable, Equatable {
    /// On which side of the head the face has stayed (-1, +1; 0: about where it should be), and where the head was when that began.
    struct Side: Sendable, Equatable {
        var side = 0.0
        var pose = 0.0
    }

    /// The slow half: what convicts a rig that was right once, and asks.
    var evidence = SignEvidence()
    /// The quick half: what clears a rig, and convicts one that was never right.
    var proof = SignProof()
    /// How far tracking has turned it since it had proven nothing.
    var reach = UnprovenReach()
    var side = Side()
    /// The point of the face that was last looked at.
    var part = FaceOutline.Part.middle

    /// Another face, or the same after a gap.
    mutating func beginSubject() {
        evidence.beginSubject()
        proof.beginSubject()
        side = Side()
    }
}
