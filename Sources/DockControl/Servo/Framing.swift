public import DockTypes
internal import Glibc
public import Geometry

/// The position in the image where the aim point of the tracked subject should come to rest.
public struct Framing: Sendable, Equatable {
    /// The mode: left, centre, right third or automatic.
    public var mode = FramingMode.automatic
    /// The part of the image that counts (DockKit's region of interest); framing stays inside it.
    public var region = Rect.full
    /// The offset of the subject from its position in automatic framing, so that others fit in. It is in image units;
    /// positive values are right and down.
    public var shift = Point(x: 0, y: 0)

    /// The height of the set-point in the region: a little above the middle, so that there is room for the shoulders.
    static let height = 0.45
    /// The largest lead room, in region widths: room in front of a face that looks sideways.
    static let leadRoom = 0.08

    /// Creates automatic framing on the whole image.
    public init() {}

    /// Returns the set-point for a subject whose face is turned by `yaw` (radians, positive to the image's right, or
    /// nil if unknown).
    public func setPoint(yaw: Double?) -> Point {
        let share: Double
        switch mode {
        case .center: share = 1.0 / 2
        case .left: share = 1.0 / 3
        case .right: share = 2.0 / 3
        case .automatic: share = 0.5 - Self.leadRoom * sin((yaw ?? 0).clamped(to: -.pi / 2 ... .pi / 2))
        }
        let place = Point(x: region.x + share * region.width, y: region.y + Self.height * region.height)
        return mode == .automatic ? Point(x: place.x + shift.x, y: place.y + shift.y) : place
    }

    /// Returns the point of a face at which the head aims: the middle of its rectangle, near the nose.
    public static func aimPoint(of rect: Rect) -> Point { rect.center }
}
