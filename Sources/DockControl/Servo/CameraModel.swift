internal import Glibc
public import Geometry

/// A camera on the dock or beside it: converts image points to world angles and back, by exact ray rotation.
public struct CameraModel: Sendable, Equatable {
    /// The focal lengths in image widths and heights.
    public var focal: Point
    /// The principal point, normalised.
    public var principal: Point
    /// How the lens bends straight lines.
    public var distortion = LensDistortion.none
    /// How the camera is turned against the head, or against `offset` if it does not turn with the dock.
    public var mountAngles = MountAngles.straight
    /// Whether the camera turns with the dock.
    public var mount: RigProfile.Mount
    /// The direction of a fixed camera, in dock angles.
    public var offset: PanTilt

    /// Creates a model from the profile and the image's aspect (width / height in pixels): from the calibrated lens if it
    /// fits this aspect, else from the field of view.
    public init(camera: RigProfile.Camera, aspect: Double = 16.0 / 9.0) {
        mount = camera.mount
        offset = camera.offset
        if let lens = camera.lens, lens.fits(aspect: aspect) {
            focal = Point(x: lens.focal.x / lens.width, y: lens.focal.y / lens.height)
            principal = Point(x: lens.principal.x / lens.width, y: lens.principal.y / lens.height)
            distortion = lens.distortion
        } else {
            let fx = 0.5 / tan(camera.horizontalFieldOfView / 2)
            focal = Point(x: fx, y: fx * aspect)
            principal = Point(x: 0.5, y: 0.5)
        }
        mountAngles = camera.lens?.mount ?? .straight
    }

    /// Adopts the detector's own intrinsics (pixels) for an image of that size (pixels). Ignores values that are
    /// impossible for a lens (a field of view under 5 or over 170 degrees), and returns false.
    @discardableResult
    public mutating func setIntrinsics(
        fx: Double, fy: Double, cx: Double, cy: Double, width: Double, height: Double
    ) -> Bool {
        let lenses = CalibratedLens.focalLengths, middles = CalibratedLens.middles
        guard width > 0, height > 0, lenses.contains(fx / width), lenses.contains(fy / height) else { return false }
        guard middles.contains(cx / width), middles.contains(cy / height) else { return false }
        focal = Point(x: fx / width, y: fy / height)
        principal = Point(x: cx / width, y: cy / height)
        // Intrinsics do not contain the distortion, and the profile's belongs to other numbers.
        distortion = .none
        return true
    }

    /// Returns the same camera with a lens that magnifies its picture by a factor. How a lens bends lines is known only
    /// where it was calibrated, so a lens that moved counts as straight.
    public func magnified(by factor: Double) -> CameraModel {
        var zoomed = scaled(by: factor)
        if abs(factor - 1) > Self.moved { zoomed.distortion = .none }
        return zoomed
    }

    /// A magnification that differs from 1 by more is that of a lens that moved; by less, it is a correction.
    private static let moved = 0.15

    private func scaled(by factor: Double) -> CameraModel {
        var zoomed = self
        zoomed.focal = Point(x: focal.x * factor, y: focal.y * factor)
        return zoomed
    }

    /// Returns the same camera when the middle of its picture is cut out and scaled by a factor.
    public func cropped(by factor: Double) -> CameraModel {
        var zoomed = scaled(by: factor)
        zoomed.principal = Point(x: 0.5 + (principal.x - 0.5) * factor, y: 0.5 + (principal.y - 0.5) * factor)
        return zoomed
    }

    /// The horizontal field of view, in radians.
    public var horizontalFieldOfView: Double { 2 * atan(0.5 / focal.x) }
    /// The vertical field of view, in radians.
    public var verticalFieldOfView: Double { 2 * atan(0.5 / focal.y) }

    /// Returns the angles of an image point relative to the axis of the head, in radians. Positive values are to the
    /// right of the axis, and above it.
    public func bearing(of point: Point) -> PanTilt {
        let (x, y) = ahead(of: point)
        return PanTilt(pan: atan(x), tilt: atan2(y, (1 + x * x).squareRoot()))
    }

    /// Returns the world angles of an image point seen from `pose`: dock angles, as if the axes' home pointed straight
    /// ahead.
    public func world(of point: Point, from pose: PanTilt) -> PanTilt {
        let (x, y) = ahead(of: point)
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
        return place(right: right, up: up, forward: forward)
    }

    /// Returns how far a point of the image is to the right of the head's axis and above it, at distance 1 ahead.
    private func ahead(of point: Point) -> (x: Double, y: Double) {
        let shown = Point(x: (point.x - principal.x) / focal.x, y: (point.y - principal.y) / focal.y)
        guard distortion != .none || mountAngles != .straight else { return (shown.x, -shown.y) }
        let plane = distortion.nearest(shown)
        let seen = mountAngles.toHead(SIMD3(plane.x, -plane.y, -1))
        // A camera is never turned so far that it looks back.
        let depth = max(-seen.z, 0.01)
        return (seen.x / depth, seen.y / depth)
    }

    /// Returns the point of the image that shows a direction of the head, or nil if it is behind the camera.
    private func place(right: Double, up: Double, forward: Double) -> Point? {
        guard distortion != .none || mountAngles != .straight else {
            guard forward > 1e-6 else { return nil }
            return Point(x: principal.x + focal.x * right / forward, y: principal.y - focal.y * up / forward)
        }
        let seen = mountAngles.toCamera(SIMD3(right, up, -forward))
        guard seen.z < -1e-6 else { return nil }
        let shown = distortion.extended(Point(x: seen.x / -seen.z, y: seen.y / seen.z))
        return Point(x: principal.x + focal.x * shown.x, y: principal.y + focal.y * shown.y)
    }

    /// Returns the dock pose from which the world direction appears at `setPoint` of the image.
    ///
    /// If the camera does not turn, the dock itself points in that direction: framing does not apply.
    public func pose(toSee world: PanTilt, at setPoint: Point) -> PanTilt {
        guard mount == .head else { return world }
        let (x, y) = ahead(of: setPoint)
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
