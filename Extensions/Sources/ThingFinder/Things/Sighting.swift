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

    /// Returns the sightings of a picture, surest first. A detector that looks at parts of a picture reports things
    /// twice, and an unsure one reports them with two labels.
    static func all(in boxes: [SeenBox], through eye: FinderEye, at pose: PanTilt) -> [Sighting] {
        var found: [Sighting] = []
        for box in boxes.filter(\.isSound).sorted(by: { $0.score > $1.score }).prefix(SeenBox.most) {
            if let same = found.firstIndex(where: { $0.rect.overlap(box.rect) > sameThing }) {
                found[same].labels[box.label] = max(found[same].labels[box.label] ?? 0, box.score)
            } else if let seen = eye.measure(box.rect, at: pose) {
                found.append(
                    Sighting(
                        bearing: seen.bearing, width: seen.width, height: seen.height,
                        labels: [box.label: box.score], rect: box.rect, isCut: box.isCut))
            }
        }
        return found
    }
}
