public import Geometry
internal import Glibc
public import SpatialModel

/// The camera on the head: which bearing a point of its picture shows, and where a bearing appears.
///
/// Only the middle of the picture turns with the axes alone. Away from it, the tilt is part of the formula: at 45
/// degrees of tilt and 20 degrees aside, adding the angle in the picture to the pan is 7 degrees wrong. Lens and axes
/// count as being at one place; 4 cm between them are 0.8 degrees for a thing 3 m away.
public struct FinderEye: Sendable, Equatable {
    private let lens: PictureLens
    private let head: HeadModel

    /// Creates a camera with a lens, turned against the head.
    public init(_ lens: PictureLens, mount: MountAngles = .straight) {
        self.lens = lens
        var head = HeadModel()
        head.mount = mount
        self.head = head
    }

    /// The field of view of each axis, in radians.
    public var field: PanTilt {
        PanTilt(pan: 2 * atan(0.5 / lens.focal.x), tilt: 2 * atan(0.5 / lens.focal.y))
    }

    /// Returns the bearing that a point of the picture shows, or nil if the lens shows none there.
    public func bearing(of point: Point, at pose: PanTilt) -> PanTilt? {
        lens.ray(through: point, from: head.camera(at: pose)).map { PanTilt(direction: $0.direction) }
    }

    /// Returns where a bearing appears in the picture, which may be outside 0...1; nil if it is behind the camera.
    public func point(of bearing: PanTilt, at pose: PanTilt) -> Point? {
        lens.project(bearing.direction, from: head.camera(at: pose))?.point
    }

    /// Returns the pose that puts a bearing into the middle of the picture.
    public func pose(toward bearing: PanTilt) -> PanTilt {
        var pose = bearing
        // A mount of a few degrees turns almost like the axes. Two corrections leave a hundredth of a degree.
        for _ in 0..<3 {
            guard let seen = self.bearing(of: lens.principal, at: pose) else { break }
            pose = pose + (bearing - seen)
        }
        return pose
    }

    /// Returns the bearing, the width and the height of what a rectangle shows, in radians; nil if the lens does not
    /// show its middle or its edges.
    func measure(_ rect: Rect, at pose: PanTilt) -> (bearing: Bearing, width: Double, height: Double)? {
        let middle = rect.center
        guard let bearing = bearing(of: middle, at: pose),
            let left = self.bearing(of: Point(x: rect.x, y: middle.y), at: pose),
            let right = self.bearing(of: Point(x: rect.maxX, y: middle.y), at: pose),
            let top = self.bearing(of: Point(x: middle.x, y: rect.y), at: pose),
            let bottom = self.bearing(of: Point(x: middle.x, y: rect.maxY), at: pose)
        else { return nil }
        return (bearing, left.angle(to: right), top.angle(to: bottom))
    }

    /// Returns the rectangle in which a thing of this size appears, which may be outside the picture.
    func rect(of bearing: Bearing, width: Double, height: Double, at pose: PanTilt) -> Rect? {
        guard let middle = point(of: bearing, at: pose) else { return nil }
        return Rect(
            center: middle, width: 2 * lens.focal.x * tan(min(width, 2) / 2),
            height: 2 * lens.focal.y * tan(min(height, 2) / 2))
    }

    /// Returns whether a bearing is in the picture, at least a margin in picture widths and heights from its edges.
    func shows(_ bearing: Bearing, at pose: PanTilt, margin: Double = 0) -> Bool {
        glance(at: pose).depth(of: bearing.direction) >= margin
    }

    /// Returns the view from a pose, for many directions.
    func glance(at pose: PanTilt) -> Glance { Glance(lens: lens, camera: head.camera(at: pose)) }

    /// The view from one pose.
    struct Glance {
        fileprivate let lens: PictureLens, camera: RigidTransform

        /// Returns how far inside the picture a direction appears, in picture widths and heights from the nearest edge;
        /// below 0 outside of it.
        func depth(of direction: SIMD3<Double>) -> Double {
            guard let point = lens.project(direction, from: camera)?.point else { return -1 }
            return min(point.x, 1 - point.x, point.y, 1 - point.y)
        }
    }
}
