public import Geometry

/// How the daemon's frames show what the depth picture shows: turned, mirrored, and magnified.
public struct DepthView: Sendable, Equatable {
    /// Degrees (0, 90, 180, 270) by which the picture is turned clockwise to be upright, after its mirroring is undone.
    public var rotate = 0
    /// Whether the picture is mirrored.
    public var isMirrored = false
    /// How much the middle of the picture is magnified, at least 1.
    public var zoom = 1.0

    /// Creates a view without any of that.
    public init() {}

    /// Returns where a rectangle of an upright frame is in the depth picture. Both are normalised.
    public func inDepth(_ rect: Rect) -> Rect {
        let zoom = max(zoom, 1)
        let centre = Point(x: 0.5 + (rect.center.x - 0.5) / zoom, y: 0.5 + (rect.center.y - 0.5) / zoom)
        let upright = Rect(center: centre, width: rect.width / zoom, height: rect.height / zoom)
        let (x, y, width, height) = (upright.x, upright.y, upright.width, upright.height)
        var found =
            switch rotate {
            case 90: Rect(x: y, y: 1 - x - width, width: height, height: width)
            case 180: Rect(x: 1 - x - width, y: 1 - y - height, width: width, height: height)
            case 270: Rect(x: 1 - y - height, y: x, width: height, height: width)
            default: upright
            }
        if isMirrored { found.x = 1 - found.x - found.width }
        return found
    }
}
