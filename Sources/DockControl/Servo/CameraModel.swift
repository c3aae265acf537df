internal import Glibc
public import Geometry

/// A pinhole camera on the dock or beside it: converts image points to world angles and back, by exact ray rotation.
public struct CameraModel: Sendable, Equatable {
    /// The focal lengths in image widths and heights.
    public var focal: Point
    /// The principal point, normalised.
    public var principal: Point
    /// Whether the camera turns with the dock.
    public var mount: RigProfile.Mount
    /// The direction of a fixed camera, in dock angles.
    public var offset: PanTilt

    /// Creates a model from the profile's field of view and the image's aspect (width / height in pixels).
    public init(camera: RigProfile.Camera, aspect: Double = 16.0 / 9.0) {
        let fx = 0.5 / tan(camera.horizontalFieldOfView / 2)
        focal = Point(x: fx, y: fx * aspect)
        principal = Point(x: 0.5, y: 0.5)
        mount = camera.mount
        offset = camera.offset
    }

    /// Adopts the detector's own intrinsics (pixels) for an image of that size (pixels). Ignores values that are
    /// impossible for a lens (a field of view under 5 or over 170 degrees).
    public mutating func setIntrinsics(fx: Double, fy: Double, cx: Double, cy: Double, width: Double, height: Double) {
        let lenses = 0.04...12.0
        guard width > 0, height > 0, lenses.contains(fx / width), lenses.contains(fy / height) else { return }
        guard (-1...2).contains(cx / width), (-1...2).contains(cy / height) else { return }
        focal = Point(x: fx / width, y: fy / height)
        principal = Point(x: cx / width, y: cy / height)
    }

    /// Returns the same camera with a lens that magnifies its picture by a factor.
    public func magnified(by factor: Double) -> CameraModel {
        var zoomed = self
        zoomed.focal = Point(x: focal.x * factor, y: focal.y * factor)
        return zoomed
    }

    /// Returns the same camera when the middle of its picture is cut out and scaled by a factor.
    public func cropped(by factor: Double) -> CameraModel {
        var zoomed = magnified(by: factor)
        zoomed.principal = Point(x: 0.5 + (principal.x - 0.5) * factor, y: 0.5 + (principal.y - 0.5) * factor)
        return zoomed
    }

    /// The horizontal field of view, in radians.
    public var horizontalFieldOfView: Double { 2 * atan(0.5 / focal.x) }
    /// The vertical field of view, in radians.
    public var verticalFieldOfView: Double { 2 * atan(0.5 / focal.y) }

    /// Returns the angles of an image point relative to the camera's axis, in radians. Positive values are to the right
    /// of the axis, and above it.
    public func bearing(of point: Point) -> PanTilt {
        let x = (point.x - principal.x) / focal.x, y = -(point.y - principal.y) / focal.y
        return PanTilt(pan: atan(x), tilt: atan2(y, (1 + x * x).squareRoot()))
    }

    /// Returns the world angles of an image point seen from `pose`: dock angles, as if the axes' home pointed straight
    /// ahead.
    public func world(of point: Point, from pose: PanTilt) -> PanTilt {
        let x = (point.x - principal.x) / focal.x, y = -(point.y - principal.y) / focal.y
        let view = mount == .head ? pose : offset
        let (sinT, cosT) = (sin(view.tilt), cos(view.tilt)), (sinP, cosP) = (sin(view.pan), cos(view.pan))
        let up = y * cosT + sinT, ahead = cosT - y * sinT
        let right = x * cosP + ahead * sinP, forward = ahead * cosP - x * sinP
        let azimuth = atan2(right, forward)
        // The result stays in the same turn as the view, so that there is no jump at ±180 degrees behind the dock.
        let turns = ((view.pan - azimuth) / (2 * .pi)).rounded()
        return PanTilt(
            pan: azimuth + turns * 2 * .pi, tilt: atan2(up, (right * right + forward * forward).squareRoot()))
    }

    /// Returns where a world direction appears in the image seen from `pose`. The result is nil if it is behind the
    /// camera.
    public func project(_ world: PanTilt, from pose: PanTilt) -> Point? {
        let view = mount == .head ? pose : offset
        let (sinE, cosE) = (sin(world.tilt), cos(world.tilt))
        let (sinA, cosA) = (sin(world.pan - view.pan), cos(world.pan - view.pan))
        let right = cosE * sinA, level = cosE * cosA
        let (sinT, cosT) = (sin(view.tilt), cos(view.tilt))
        let forward = level * cosT + sinE * sinT, up = sinE * cosT - level * sinT
        guard forward > 1e-6 else { return nil }
        return Point(x: principal.x + focal.x * right / forward, y: principal.y - focal.y * up / forward)
    }

    /// Returns the dock pose from which the world direction appears at `setPoint` of the image.
    ///
    /// If the camera does not turn, the dock itself points in that direction: framing does not apply.
    public func pose(toSee world: PanTilt, at setPoint: Point) -> PanTilt {
        guard mount == .head else { return world }
        let x = (setPoint.x - principal.x) / focal.x, y = -(setPoint.y - principal.y) / focal.y
        // Elevation of the ray (x, y, 1) after tilting by t: (y cos t + sin t) / |ray|  =  sin(elevation).
        let length = (1 + x * x + y * y).squareRoot(), meridian = (1 + y * y).squareRoot()
        let tilt = asin((length * sin(world.tilt) / meridian).clamped(to: -1...1)) - atan(y)
        let ahead = cos(tilt) - y * sin(tilt)
        return PanTilt(pan: world.pan - atan2(x, ahead), tilt: tilt)
    }

    /// Returns how far stationary things near the middle of the image moved when the camera turned from one pose to
    /// another, in image widths and heights.
    public func pictureShift(from old: PanTilt, to new: PanTilt) -> Point {
        guard mount == .head, let moved = project(world(of: principal, from: old), from: new) else {
            return Point(x: 0, y: 0)
        }
        return Point(x: moved.x - principal.x, y: moved.y - principal.y)
    }
}
