internal import Geometry

/// Notices a stream whose faces all lie outside the frame, because its numbers are not fractions of it. A single face
/// may leave the frame.
struct FacePlaces: Sendable {
    private var wasInside = false
    private var outside = 0

    /// The number of faces outside the frame, without one inside, that counts as an error.
    static let most = 10

    /// Returns whether this face and all earlier ones are outside, and there are enough of them.
    mutating func isWrong(_ rect: Rect) -> Bool {
        guard !wasInside else { return false }
        wasInside = rect.intersection(.full) != nil
        outside += wasInside ? 0 : 1
        return outside >= Self.most && !wasInside
    }
}
