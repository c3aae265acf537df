public import Geometry
internal import Glibc

/// A rotation and a shift: where a body is in the room, or a camera on its head.
///
/// Axes are right-handed: x to the right, y up, z backward, so that a camera looks along -z. Lengths are in metres.
public struct RigidTransform: Sendable, Equatable {
    /// A point or a direction.
    public typealias Vector = SIMD3<Double>

    /// The directions of the body's own axes x, y and z in the room.
    public var axes: (x: Vector, y: Vector, z: Vector)
    /// Where the body's origin is.
    public var origin: Vector

    /// No rotation, no shift.
    public static let identity = RigidTransform(
        axes: (Vector(1, 0, 0), Vector(0, 1, 0), Vector(0, 0, 1)), origin: Vector(0, 0, 0))

    init(axes: (x: Vector, y: Vector, z: Vector), origin: Vector) {
        (self.axes, self.origin) = (axes, origin)
    }

    /// Creates a transform from axes that come from outside. The result is nil unless all numbers are finite and the axes
    /// are at right angles, of length 1, and right-handed, within a tolerance.
    public init?(x: Vector, y: Vector, z: Vector, origin: Vector, tolerance: Double) {
        let products = [
            (x * x).sum() - 1, (y * y).sum() - 1, (z * z).sum() - 1, (x * y).sum(), (y * z).sum(), (z * x).sum(),
        ]
        let volume =
            x.x * (y.y * z.z - y.z * z.y) + x.y * (y.z * z.x - y.x * z.z) + x.z * (y.x * z.y - y.y * z.x)
        let length = (origin * origin).sum()
        guard products.allSatisfy({ abs($0) <= tolerance }), volume > 0, length.isFinite else { return nil }
        self.init(axes: (x, y, z), origin: origin)
    }

    /// Returns a shift.
    public static func move(right: Double = 0, up: Double = 0, ahead: Double = 0) -> RigidTransform {
        var result = identity
        result.origin = Vector(right, up, -ahead)
        return result
    }

    /// Returns a turn about the vertical axis, in radians; positive to the right.
    public static func turn(right angle: Double) -> RigidTransform {
        let (s, c) = (sin(angle), cos(angle))
        var result = identity
        result.axes = (Vector(c, 0, s), Vector(0, 1, 0), Vector(-s, 0, c))
        return result
    }

    /// Returns a turn about the horizontal axis, in radians; positive upward.
    public static func tilt(up angle: Double) -> RigidTransform {
        let (s, c) = (sin(angle), cos(angle))
        var result = identity
        result.axes = (Vector(1, 0, 0), Vector(0, c, s), Vector(0, -s, c))
        return result
    }

    /// Returns the turn of a camera against the head that carries it.
    public static func turned(_ mount: MountAngles) -> RigidTransform {
        func axis(_ direction: Vector) -> Vector { mount.toHead(direction) }
        return RigidTransform(
            axes: (axis(Vector(1, 0, 0)), axis(Vector(0, 1, 0)), axis(Vector(0, 0, 1))), origin: Vector(0, 0, 0))
    }

    /// Returns a direction of the body as one of the room.
    public func rotate(_ vector: Vector) -> Vector { axes.x * vector.x + axes.y * vector.y + axes.z * vector.z }

    /// Returns a point of the body as one of the room.
    public func place(_ point: Vector) -> Vector { rotate(point) + origin }

    /// Returns a point of the room as one of the body.
    public func inside(_ point: Vector) -> Vector {
        let offset = point - origin
        return Vector((axes.x * offset).sum(), (axes.y * offset).sum(), (axes.z * offset).sum())
    }

    /// Returns the second transform as seen through the first: a body on a body.
    public static func * (outer: RigidTransform, inner: RigidTransform) -> RigidTransform {
        RigidTransform(
            axes: (outer.rotate(inner.axes.x), outer.rotate(inner.axes.y), outer.rotate(inner.axes.z)),
            origin: outer.place(inner.origin))
    }

    /// Whether both are the same.
    public static func == (a: RigidTransform, b: RigidTransform) -> Bool {
        a.axes == b.axes && a.origin == b.origin
    }
}
