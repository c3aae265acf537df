public import Geometry
internal import Glibc

/// How the camera of a frame sees the room: enough to say in which direction of the dock a point of the picture lies.
public struct HandSight: Sendable, Equatable {
    /// The picture's width divided by its height.
    public var aspect: Double
    /// The focal lengths in picture widths and heights, and the point at which the camera looks straight ahead.
    public var focal: Point, principal: Point
    /// Where the camera looked when the frame was taken, in dock angles; nil if it is unknown. Then nothing moves.
    public var heading: PanTilt?

    /// Creates a sight.
    public init(aspect: Double, focal: Point, principal: Point = Point(x: 0.5, y: 0.5), heading: PanTilt?) {
        (self.aspect, self.focal, self.principal, self.heading) = (aspect, focal, principal, heading)
    }

    /// The direction of a point in picture heights, or nil if it is unknown.
    func bearing(of point: Point) -> PanTilt? {
        guard let heading, focal.x > 0.05, focal.y > 0.05, aspect > 0 else { return nil }
        let right = (point.x / aspect - principal.x) / focal.x, up = (principal.y - point.y) / focal.y
        let ahead = cos(heading.tilt) - up * sin(heading.tilt), above = up * cos(heading.tilt) + sin(heading.tilt)
        let bearing = PanTilt(
            pan: heading.pan + atan2(right, ahead), tilt: atan2(above, (right * right + ahead * ahead).squareRoot()))
        return bearing.pan.isFinite && bearing.tilt.isFinite ? bearing : nil
    }
}
