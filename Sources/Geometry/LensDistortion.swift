/// How a lens bends straight lines, in the model of Brown and Conrady, as OpenCV and ROS ("plumb_bob") have it.
///
/// Points are those of a picture plane at distance 1: x to the right, y down.
public struct LensDistortion: Sendable, Equatable {
    /// The radial coefficients.
    public let k1, k2, k3: Double
    /// The tangential coefficients.
    public let p1, p2: Double
    /// The farthest radius at which a place that is farther out also appears farther out, at most `widest`. Beyond it the
    /// model folds back, and would show inside the picture what is far outside.
    public let reach: Double

    /// A lens that keeps lines straight.
    public static let none = LensDistortion(k1: 0, k2: 0)

    /// Creates a distortion from its coefficients in the order of OpenCV.
    public init(k1: Double, k2: Double, p1: Double = 0, p2: Double = 0, k3: Double = 0) {
        (self.k1, self.k2, self.p1, self.p2, self.k3) = (k1, k2, p1, p2, k3)
        reach = Self.reach(k1, k2, k3)
    }

    private static func reach(_ k1: Double, _ k2: Double, _ k3: Double) -> Double {
        for step in 1...steps {
            let radius = widest * Double(step) / Double(steps), r = radius * radius
            if 1 + r * (3 * k1 + r * (5 * k2 + r * 7 * k3)) <= 0 { return widest * Double(step - 1) / Double(steps) }
        }
        return widest
    }

    /// The tangent of 80 degrees: no lens that this model describes sees farther out.
    private static let widest = 5.67, steps = 256

    /// Returns where a point of the plane appears.
    public func distort(_ point: Point) -> Point {
        let (x, y) = (point.x, point.y), r = x * x + y * y
        let radial = 1 + r * (k1 + r * (k2 + r * k3))
        return Point(
            x: x * radial + 2 * p1 * x * y + p2 * (r + 2 * x * x),
            y: y * radial + p1 * (r + 2 * y * y) + 2 * p2 * x * y)
    }

    /// Returns where a point of the plane appears, also beyond `reach`: there it goes on in a straight line, so that what
    /// is outside the picture stays outside.
    public func extended(_ point: Point) -> Point {
        let radius = (point.x * point.x + point.y * point.y).squareRoot()
        guard self != .none, radius > reach else { return distort(point) }
        let edge = distort(Point(x: point.x * reach / radius, y: point.y * reach / radius))
        return Point(x: edge.x * radius / reach, y: edge.y * radius / reach)
    }

    /// Returns the point of the plane that appears at a point. If none does, returns one that appears on the way from
    /// there to the middle, as far out as possible.
    public func nearest(_ shown: Point) -> Point {
        if let point = undistort(shown) { return point }
        var inside = 0.0, outside = 1.0, best = Point(x: 0, y: 0)
        for _ in 0..<16 {
            let middle = (inside + outside) / 2
            if let point = undistort(Point(x: shown.x * middle, y: shown.y * middle)) {
                (inside, best) = (middle, point)
            } else {
                outside = middle
            }
        }
        return best
    }

    /// Returns the point of the plane that appears at a point, or nil if none does.
    public func undistort(_ shown: Point) -> Point? {
        guard self != .none else { return shown }
        var point = shown
        // Newton's method with numeric derivatives. It needs three or four rounds inside the picture.
        for _ in 0..<20 {
            let here = distort(point), step = 1e-6
            let (ex, ey) = (shown.x - here.x, shown.y - here.y)
            if ex * ex + ey * ey < 1e-22 { break }
            let right = distort(Point(x: point.x + step, y: point.y))
            let down = distort(Point(x: point.x, y: point.y + step))
            let (a, c) = ((right.x - here.x) / step, (right.y - here.y) / step)
            let (b, d) = ((down.x - here.x) / step, (down.y - here.y) / step)
            let determinant = a * d - b * c
            guard determinant > 1e-9 else { return nil }
            point = Point(
                x: point.x + (d * ex - b * ey) / determinant, y: point.y + (a * ey - c * ex) / determinant)
        }
        let found = distort(point), error = abs(found.x - shown.x) + abs(found.y - shown.y)
        guard error < 1e-6, point.x * point.x + point.y * point.y <= reach * reach else { return nil }
        return point
    }
}
