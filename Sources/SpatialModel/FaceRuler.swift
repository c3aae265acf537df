public import Geometry
internal import Glibc

/// How far a face is, from its size in the picture. It needs no depth camera, only the lens, and the fact that adults' heads
/// differ little.
public enum FaceRuler {
    /// The width of the rectangle that a face detector draws around an adult's face, in metres: 1.13 times the width of the
    /// face (BlazeFace, 1.11 to 1.14 with four persons).
    public static let width = 0.155
    /// The standard deviation of a distance, as a share of it: people differ by 5 %, rectangles by 2 to 6 %, and the field of
    /// view of a profile by 5 %. Children read 10 to 20 % too far.
    public static let error = 0.1
    /// The same for a face that the edge of the picture cuts. Up to half of it is hidden, so it is nearer than it seems.
    public static let errorOfCut = 0.5
    /// How near to the edge of the picture a rectangle counts as cut, in picture widths.
    static let edge = 0.002
    /// The least share of its width that a face shows when it turns: a head is not flat.
    static let leastShare = 0.75

    /// Returns how far a face is, or nil if its rectangle or the lens is impossible.
    /// - Parameters:
    ///   - rect: the detector's rectangle.
    ///   - yaw: the direction of the face, in radians, or nil if unknown. A turned face looks narrower.
    ///   - lens: the lens of the picture.
    public static func distance(of rect: Rect, yaw: Double? = nil, through lens: PictureLens) -> SubjectDistance? {
        guard rect.width > 0, lens.focal.x > 0, lens.focal.y > 0 else { return nil }
        let y = rect.center.y
        let left = ray(through: Point(x: rect.x, y: y), lens), right = ray(through: Point(x: rect.maxX, y: y), lens)
        let across = left.cross(right), angle = atan2(across, left.dot(right))
        guard angle > 0, angle < .pi else { return nil }
        let share = max(abs(cos(yaw ?? 0)), leastShare)
        // The head is round, so its angle gives the length of the ray to it; the distance is along the axis of the lens.
        let range = width * share / 2 / tan(angle / 2)
        let middle = ray(through: rect.center, lens)
        let metres = range / middle.length
        return SubjectDistance(metres: metres, error: metres * (isCut(rect) ? errorOfCut : error), source: .size)
    }

    /// Whether the edge of the picture probably hides a part of a face.
    private static func isCut(_ rect: Rect) -> Bool {
        abs(rect.x) < edge || abs(rect.maxX - 1) < edge
    }

    /// A direction of the camera: right and down at distance 1 ahead.
    private struct Direction {
        var x: Double, y: Double

        var length: Double { (1 + x * x + y * y).squareRoot() }
        func dot(_ other: Direction) -> Double { x * other.x + y * other.y + 1 }
        func cross(_ other: Direction) -> Double {
            let (a, b, c) = (y - other.y, other.x - x, x * other.y - y * other.x)
            return (a * a + b * b + c * c).squareRoot()
        }
    }

    private static func ray(through point: Point, _ lens: PictureLens) -> Direction {
        let plane = lens.distortion.nearest(
            Point(x: (point.x - lens.principal.x) / lens.focal.x, y: (point.y - lens.principal.y) / lens.focal.y))
        return Direction(x: plane.x, y: plane.y)
    }
}
