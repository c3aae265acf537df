internal import Geometry

/// The direction in which the subject was going when it was last seen, for the search.
struct SubjectExit: Sendable {
    /// The side: -1 left, +1 right, 0 about the middle.
    private(set) var side = 0.0
    /// The speed at which it left, in rad/s; 0 if it was stationary.
    private(set) var speed = 0.0
    /// The number of looks at the subject since it was last missed for more than a frame.
    private var seenInARow = 0

    /// The number of consecutive looks that establish where the subject is going.
    static let sureInARow = 3
    /// The speed above which a subject is going somewhere, in rad/s.
    static let least = Double.degrees(3)

    /// Forgets the subject.
    mutating func reset() { self = SubjectExit() }

    /// Records that the subject was missed for more than a frame.
    mutating func missed() { seenInARow = 0 }

    /// Records where the subject is in the image, and how fast it moves around the head, in rad/s. A single look after
    /// a gap may be a false face, so it does not show where the person went.
    mutating func saw(_ rect: Rect, panRate: Double) {
        seenInARow += 1
        guard seenInARow >= Self.sureInARow || side == 0 else { return }
        let way = panRate.side(beyond: Self.least)
        side = way ?? (rect.center.x - 0.5).side(beyond: 0.2) ?? 0
        speed = way == nil ? 0 : abs(panRate)
    }
}

extension Double {
    /// Returns the sign of this value if its magnitude is larger than `threshold`, and nil otherwise.
    fileprivate func side(beyond threshold: Double) -> Double? {
        abs(self) > threshold ? (self < 0 ? -1 : 1) : nil
    }
}
