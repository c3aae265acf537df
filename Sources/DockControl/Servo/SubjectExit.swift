internal import Geometry

/// Where the subject was going when it was last seen, for the search.
struct SubjectExit: Sendable {
    /// The side: -1 left, +1 right, 0 about the middle.
    private(set) var side = 0.0
    /// The speed at which it left, rad/s; 0: it stood.
    private(set) var speed = 0.0
    /// Looks at the subject since it was last missed for more than a frame.
    private var seenInARow = 0

    /// Consecutive looks that establish where the subject goes.
    static let sureInARow = 3
    /// A subject that moves faster than this goes somewhere, rad/s.
    static let least = Double.degrees(3)

    /// Forgets the subject.
    mutating func reset() { self = SubjectExit() }

    /// The subject was missed for more than a frame.
    mutating func missed() { seenInARow = 0 }

    /// Records where the subject is in the image, and how fast it turns about the head, rad/s. A single look after a gap may be a
    /// false face: it does not show where the person went.
    mutating func saw(_ rect: Rect, panRate: Double) {
        seenInARow += 1
        guard seenInARow >= Self.sureInARow || side == 0 else { return }
        let way = panRate.side(beyond: Self.least)
        side = way ?? (rect.center.x - 0.5).side(beyond: 0.2) ?? 0
        speed = way == nil ? 0 : abs(panRate)
    }
}

extension Double {
    /// The sign of this value if its magnitude is larger than `threshold`, else nil.
    fileprivate func side(beyond threshold: Double) -> Double? {
        abs(self) > threshold ? (self < 0 ? -1 : 1) : nil
    }
}
