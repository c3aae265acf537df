public import Geometry

/// The face beside which hands count: that of the followed person. After a stop, the tracking follows no person; then it is
/// the one who was followed last, or the first in rank.
public struct FollowedFace: Sendable, Equatable {
    /// A person in the picture.
    public struct Subject: Sendable, Equatable {
        let id: Int, rect: Rect, rank: Int?

        /// Creates a person. `rank`: 1 for the first, nil if it has none.
        public init(id: Int, rect: Rect, rank: Int?) { (self.id, self.rect, self.rank) = (id, rect, rank) }
    }

    private var last: Int?
    /// Its rectangle, normalised, or nil if no person is in the picture.
    public private(set) var rect: Rect?

    /// Creates a face of no person.
    public init() {}

    /// Records who is in the picture, and who is followed.
    public mutating func update(followed: Int?, _ subjects: [Subject]) {
        last = followed ?? last
        let same = subjects.first { $0.id == last }
        let first = subjects.min { ($0.rank ?? .max, $0.id) < ($1.rank ?? .max, $1.id) }
        rect = (same ?? first)?.rect
        if same == nil { last = first?.id }
    }
}
