internal import Geometry

/// What one picture shows in one place: one box, or several boxes with different labels for the same thing.
struct Sighting: Sendable, Equatable {
    /// Where it is, and how large it looks, in radians.
    var bearing: Bearing, width: Double, height: Double
    /// Its labels with their best scores.
    var labels: [String: Double]
    /// The box with the best score.
    var rect: Rect
    /// Whether the edge of the picture may cut it, so that its middle is unknown.
    var isCut: Bool

    /// From this overlap on, boxes of one picture show the same thing.
    private static let sameThing = 0.5
    /// A box with the same label is a part of the thing if so much of it is inside the larger box, and it is at least so
    /// large, compared with that one. A smaller one may be a book before a shelf of books.
    private static let part = (inside: 0.8, size: 0.25)

    /// Returns the sightings of a picture, surest first. A detector that looks at parts of a picture reports things
    /// twice, or a part of one beside the whole, and an unsure one reports them with two labels.
    static func all(in boxes: [SeenBox], through eye: FinderEye, at pose: PanTilt) -> [Sighting] {
        var found: [Sighting] = []
        for box in boxes.filter(\.isSound).sorted(by: { $0.score > $1.score }).prefix(SeenBox.most) {
            if let same = found.firstIndex(where: { $0.rect.overlap(box.rect) > sameThing }) {
                found[same].labels[box.label] = max(found[same].labels[box.label] ?? 0, box.score)
            } else if let seen = eye.measure(box.rect, at: pose) {
                var sighting = Sighting(
                    bearing: seen.bearing, width: seen.width, height: seen.height,
                    labels: [box.label: box.score], rect: box.rect, isCut: box.isCut)
                guard let whole = found.firstIndex(where: { $0.labels[box.label] != nil && $0.isPart(box.rect) }) else {
                    found.append(sighting)
                    continue
                }
                // The surer of both may be the part. Where the thing is, the larger one says.
                sighting.labels = found[whole].labels
                if box.rect.area > found[whole].rect.area { found[whole] = sighting }
            }
        }
        return found
    }

    /// Whether one of both rectangles is a part of the other.
    private func isPart(_ other: Rect) -> Bool {
        let (small, large) = (min(rect.area, other.area), max(rect.area, other.area))
        guard let common = rect.intersection(other), small >= Self.part.size * large else { return false }
        return common.area >= Self.part.inside * small
    }
}
