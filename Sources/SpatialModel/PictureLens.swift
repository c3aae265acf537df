public import Geometry
internal import Glibc

/// A lens: which point of the picture shows a place in front of the camera, and which ray a point shows.
public struct PictureLens: Sendable, Equatable {
    /// The focal lengths, in picture widths and heights.
    public var focal: Point
    /// Where the lens looks straight ahead, normalised.
    public var principal: Point
    /// How the lens bends straight lines.
    public var distortion = LensDistortion.none

    /// The nearest distance at which a place counts as in front of the camera, in metres.
    public static let nearest = 0.05

    /// Creates a lens from values in picture widths and heights.
    public init(focal: Point, principal: Point = Point(x: 0.5, y: 0.5)) {
        (self.focal, self.principal) = (focal, principal)
    }

    /// Creates a lens from its horizontal field of view, in radians, and the picture's width divided by its height.
    public init(horizontalFieldOfView: Double, aspect: Double) {
        let x = 0.5 / tan(horizontalFieldOfView / 2)
        self.init(focal: Point(x: x, y: x * aspect))
    }

    /// Returns where a place of the room appears in the picture, which may be outside 0...1, and how far it is in front
    /// of the camera, in metres. The result is nil if it is not in front.
    public func project(_ place: HeadModel.Place, from camera: RigidTransform) -> (point: Point, depth: Double)? {
        let seen = camera.inside(place), depth = -seen.z
        guard depth > Self.nearest else { return nil }
        let plane = Point(x: seen.x / depth, y: -seen.y / depth)
        guard sees(plane) else { return nil }
        return (inPicture(plane), depth)
    }

    /// Returns the ray of the room that a point of the picture shows, or nil if the lens shows none there.
    public func ray(through point: Point, from camera: RigidTransform) -> Ray? {
        let shown = Point(x: (point.x - principal.x) / focal.x, y: (point.y - principal.y) / focal.y)
        guard shown.x.isFinite, shown.y.isFinite, let plane = distortion.undistort(shown) else { return nil }
        return Ray(origin: camera.origin, direction: camera.rotate(HeadModel.Place(plane.x, -plane.y, -1)))
    }

    /// Returns where a point of the plane at distance 1 appears in the picture.
    private func inPicture(_ plane: Point) -> Point {
        let shown = distortion.distort(plane)
        return Point(x: principal.x + focal.x * shown.x, y: principal.y + focal.y * shown.y)
    }

    /// Returns the part of a line that is in front of the camera, as two points of the picture; nil if no part is. A lens
    /// that bends lines bends what is between them.
    public func project(
        _ from: HeadModel.Place, _ to: HeadModel.Place, from camera: RigidTransform
    ) -> (Point, Point)? {
        let a = camera.inside(from), b = camera.inside(to), edge = -(Self.nearest * 1.001)
        guard min(a.z, b.z) < edge else { return nil }
        func cut(_ point: HeadModel.Place, _ other: HeadModel.Place) -> Point {
            var seen = point
            if point.z > edge { seen = other + (point - other) * ((edge - other.z) / (point.z - other.z)) }
            return inPicture(held(Point(x: -seen.x / seen.z, y: seen.y / seen.z)))
        }
        return (cut(a, b), cut(b, a))
    }

    /// Returns the nearest point of the plane that the lens still sees, on the way to the middle.
    private func held(_ plane: Point) -> Point {
        guard !sees(plane) else { return plane }
        let radius = (plane.x * plane.x + plane.y * plane.y).squareRoot(), share = distortion.reach / radius
        return Point(x: plane.x * share, y: plane.y * share)
    }

    private func sees(_ plane: Point) -> Bool {
        distortion == .none || plane.x * plane.x + plane.y * plane.y <= distortion.reach * distortion.reach
    }
}
