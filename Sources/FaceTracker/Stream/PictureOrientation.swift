public import Geometry

/// The orientation of a frame, and the conversion to the upright, unmirrored one, for normalised rectangles with the
/// origin at the top left.
public struct PictureOrientation: Sendable, Equatable {
    /// Degrees (0, 90, 180, 270) by which the frame must be rotated clockwise to be upright.
    public var rotate: Int
    /// Whether left and right are swapped. This is undone before the rotation.
    public var isMirrored: Bool

    /// Creates an orientation, upright and unmirrored by default.
    public init(rotate: Int = 0, isMirrored: Bool = false) {
        self.rotate = rotate
        self.isMirrored = isMirrored
    }

    /// Returns the size of the upright frame.
    public func upright(_ size: PictureSize) -> PictureSize {
        rotate == 90 || rotate == 270 ? PictureSize(width: size.height, height: size.width) : size
    }

    /// Returns a rectangle in the upright frame.
    public func upright(_ rect: Rect) -> Rect {
        let x = isMirrored ? 1 - rect.x - rect.width : rect.x
        let (y, width, height) = (rect.y, rect.width, rect.height)
        switch rotate {
        case 90: return Rect(x: 1 - y - height, y: x, width: height, height: width)
        case 180: return Rect(x: 1 - x - width, y: 1 - y - height, width: width, height: height)
        case 270: return Rect(x: y, y: 1 - x - width, width: height, height: width)
        default: return Rect(x: x, y: y, width: width, height: height)
        }
    }

    /// Returns a point in the upright frame.
    public func upright(_ point: Point) -> Point {
        let x = isMirrored ? 1 - point.x : point.x, y = point.y
        switch rotate {
        case 90: return Point(x: 1 - y, y: x)
        case 180: return Point(x: 1 - x, y: 1 - y)
        case 270: return Point(x: y, y: 1 - x)
        default: return Point(x: x, y: y)
        }
    }

    /// Returns the attributes of a face in the upright frame, without a yaw if the frame lay on its side.
    public func upright(_ attributes: FaceAttributes) -> FaceAttributes {
        var upright = attributes
        upright.yaw =
            rotate == 0 || rotate == 180 ? attributes.yaw.map { isMirrored != (rotate == 180) ? -$0 : $0 } : nil
        return upright
    }
}
