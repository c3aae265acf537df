public import DockTypes
internal import Glibc
public import Geometry

/// Where the aim point of the tracked subject should come to rest in the image.
public struct Framing: Sendable, Equatable {
    /// Left, centre, right third or automatic.
    public var mode = FramingMode.automatic
    /// The part of the image that counts (DockKit's region of interest); framing stays inside it.
    public var region = Rect.full
    /// In automatic framing: offset of the subject from its place, so that others fit in; in image units, + = right,
    /// down.
    public var shift = Point(x: 0, y: 0)

    /// Height of the set-point in the region: a little above the middle, so that the shoulders have room.
    static let height = 0.45
    /// Largest lead room, in region widths: room in front of a face that looks sideways.
    static let leadRoom = 0.08

    /// Creates automatic framing on the whole image.
    public init() {}

    /// The set-point for a subject whose face turns by `yaw` (radians, + = to the image's right; nil: not known).
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

    /// The point of a face that is aimed at: the middle of its rectangle, about the nose.
    public static func aimPoint(of rect: Rect) -> Point { rect.center }
}
