internal import Geometry

/// A hand of a frame, and what it shows.
struct ReadHand {
    let joints: HandJoints
    let shape: HandShape
    let frame: HandFrame

    /// Whether it is where a hand may move the head.
    var isBesideFace: Bool {
        frame.face.map { FaceReach(face: $0, aspect: frame.sight.aspect).admits(joints) } ?? false
    }

    /// Its direction, or nil if that is unknown.
    var bearing: PanTilt? { frame.sight.bearing(of: joints.middle) }

    /// Where a pointing finger shows: beside its tip, in its direction in the picture. Nil if that is unknown.
    var target: PanTilt? {
        let tip = joints[.indexTip], base = joints[.indexBase]
        let length = HandJoints.distance(tip, base)
        guard length > 0.3 * joints.palm, let bearing = frame.sight.bearing(of: tip) else { return nil }
        let step = PanTilt(pan: (tip.x - base.x) / length, tilt: (base.y - tip.y) / length) * GestureRules.beside
        return bearing + step
    }
}

/// A hand that the head follows: the direction in which it closed, the pose of the head at that time, and since then.
struct HandDrive: Sendable, Equatable {
    /// Where the hand was when it closed, and where the head looked.
    let reference: PanTilt, start: PanTilt
    /// Where the hand was last.
    private(set) var bearing: PanTilt
    /// Where the head should be.
    private(set) var target: PanTilt
    /// Whether the hand has dragged the head at all.
    private(set) var hasMoved = false
    /// Whether the head waits for the next frame.
    var isWaiting = false
    /// For how long the hand has looked neither closed nor open.
    var doubt: Seconds = 0
    /// The usual time between two frames, in seconds.
    private var rhythm: Seconds = 0

    init(reference: PanTilt, start: PanTilt) {
        (self.reference, self.start, bearing, target) = (reference, start, reference, start)
    }

    /// How long after a frame the head waits for the next one, in seconds.
    var patience: Seconds { max(GestureRules.late, GestureRules.lateness * rhythm) }

    /// Records that a frame has come, so long after the one before.
    mutating func frame(after time: Seconds) { rhythm += rhythm > 0 ? 0.2 * (time - rhythm) : time }

    /// Records where the hand is. The head follows it at a distance within which it may tremble.
    mutating func move(to bearing: PanTilt) {
        self.bearing = bearing
        let way = start + (bearing - reference) - target
        guard way.magnitude > GestureRules.slack else { return }
        target = target + way * (1 - GestureRules.slack / way.magnitude)
        hasMoved = true
    }
}

/// A finger that points, and for how long it has pointed at one place.
struct SteadyPoint: Sendable, Equatable {
    /// The place, or nil if no finger points.
    private(set) var anchor: PanTilt?
    private var seen = SeenTime()

    /// Records where a finger points, or nil if none does. Returns the place once it is certain.
    mutating func update(_ target: PanTilt?, for credit: Seconds) -> PanTilt? {
        guard let target else {
            seen.update(false, for: credit, most: GestureRules.pointing)
            if seen.time == 0 { anchor = nil }
            return nil
        }
        guard let anchor, (target - anchor).magnitude <= GestureRules.steady else {
            (self.anchor, seen) = (target, SeenTime())
            return nil
        }
        seen.update(true, for: credit, most: GestureRules.pointing)
        return seen.reaches(GestureRules.pointing) ? anchor : nil
    }
}
