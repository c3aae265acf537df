public import Geometry
internal import Glibc

/// A pinhole lens: which point of the picture shows a place in front of the camera.
public struct PictureLens: Sendable, Equatable {
    /// The focal lengths, in picture widths and heights.
    public var focal: Point
    /// Where the lens looks straight ahead, normalised.
    public var principal: Point

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
        return (
            Point(x: principal.x + focal.x * seen.x / depth, y: principal.y - focal.y * seen.y / depth), depth
        )
    }

    /// Returns the part of a line that is in front of the camera, as two points of the picture; nil if no part is.
    public func project(
        _ from: HeadModel.Place, _ to: HeadModel.Place, from camera: RigidTransform
    ) -> (Point, Point)? {
        let a = camera.inside(from), b = camera.inside(to), edge = -(Self.nearest * 1.001)
        guard min(a.z, b.z) < edge else { return nil }
        func cut(_ point: HeadModel.Place, _ other: HeadModel.Place) -> Point {
            var seen = point
            if point.z > edge { seen = other + (point - other) * ((edge - other.z) / (point.z - other.z)) }
            return Point(x: principal.x - focal.x * seen.x / seen.z, y: principal.y + focal.y * seen.y / seen.z)
        }
        return (cut(a, b), cut(b, a))
    }
}
