public import Geometry

/// How a lens bends straight lines, in the model of Brown and Conrady, as OpenCV and ROS ("plumb_bob") have it.
///
/// Points are those of a picture plane at distance 1: x to the right, y down.
public struct LensDistortion: Sendable, Equatable {
    /// The radial coefficients.
    public var k1 = 0.0, k2 = 0.0, k3 = 0.0
    /// The tangential coefficients.
    public var p1 = 0.0, p2 = 0.0

    /// A lens that keeps lines straight.
    public static let none = LensDistortion()

    /// Creates a lens that keeps lines straight.
    public init() {}

    /// Creates a distortion from its coefficients in the order of OpenCV.
    public init(k1: Double, k2: Double, p1: Double = 0, p2: Double = 0, k3: Double = 0) {
        (self.k1, self.k2, self.p1, self.p2, self.k3) = (k1, k2, p1, p2, k3)
    }

    /// The farthest radius at which a place that is farther out also appears farther out, at most `widest`. Beyond it the
    /// model folds back, and would show inside the picture what is far outside.
    public var reach: Double {
        guard self != .none else { return Self.widest }
        for step in 1...Self.steps {
            let radius = Self.widest * Double(step) / Double(Self.steps), r = radius * radius
            if 1 + r * (3 * k1 + r * (5 * k2 + r * 7 * k3)) <= 0 {
                return Self.widest * Double(step - 1) / Double(Self.steps)
            }
        }
        return Self.widest
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
