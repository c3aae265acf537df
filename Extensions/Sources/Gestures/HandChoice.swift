internal import Geometry

/// Which of the hands in a frame counts: the one from before, else the one nearest to the followed face.
struct HandChoice: Sendable, Equatable {
    /// The hand that was seen last, and when.
    private var last: HandJoints?
    private var time: Seconds = -.infinity

    /// Chooses a hand. `isSame`: it was seen before. A frame in which it is missed does not make it another hand.
    mutating func choose(_ frame: HandFrame) -> (hand: HandJoints, isSame: Bool)? {
        let hands = frame.hands.prefix(GestureRules.mostHands).compactMap { seen in
            seen.score >= GestureRules.leastScore ? HandJoints(seen.points, aspect: frame.sight.aspect) : nil
        }
        if frame.time - time > GestureRules.silence { last = nil }
        guard !hands.isEmpty else { return nil }
        time = frame.time
        if let before = last, let same = hands.min(by: { Self.gap($0, before) < Self.gap($1, before) }),
            Self.gap(same, before) <= GestureRules.step * max(same.palm, before.palm)
        {
            last = same
            return (same, true)
        }
        last = hands.min { Self.rank($0, frame) < Self.rank($1, frame) }
        return last.map { ($0, false) }
    }

    /// Forgets the hand.
    mutating func forget() { last = nil }

    private static func gap(_ a: HandJoints, _ b: HandJoints) -> Double { HandJoints.distance(a.middle, b.middle) }

    /// Less is better. Without a face, the largest hand is the nearest one.
    private static func rank(_ hand: HandJoints, _ frame: HandFrame) -> Double {
        frame.face.map { FaceReach(face: $0, aspect: frame.sight.aspect).gap(to: hand) } ?? -hand.palm
    }
}

/// Where a hand must be to move the head: beside the face of the followed person, and about as large. Networks find hands
/// on necks, ears and in the background.
struct FaceReach {
    /// The face, normalised.
    let face: Rect
    /// The picture's width divided by its height.
    let aspect: Double

    private var width: Double { face.width * aspect }

    /// The distance of a hand from the face's edge, in widths of the face; negative in front of the face.
    func gap(to hand: HandJoints) -> Double {
        let center = Point(x: face.center.x * aspect, y: face.center.y)
        let across = abs(hand.middle.x - center.x) - width / 2, down = abs(hand.middle.y - center.y) - face.height / 2
        if across <= 0, down <= 0 { return max(across, down) / max(width, 1e-6) }
        let (x, y) = (max(0, across), max(0, down))
        return (x * x + y * y).squareRoot() / max(width, 1e-6)
    }

    /// Whether a hand may move the head.
    func admits(_ hand: HandJoints) -> Bool {
        guard width > 0.01 else { return false }
        let gap = gap(to: hand)
        return gap > 0 && gap <= GestureRules.reach && GestureRules.sizes.contains(hand.palm / width)
    }
}
