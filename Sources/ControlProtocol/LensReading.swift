public import Geometry

/// How the camera of a frame sees the room: its lens at the frame's magnification, and whether it turns with the dock.
public struct LensReading: Record, Equatable {
    /// The focal lengths, in picture widths and heights.
    public var focal = Point(x: 1, y: 1)
    /// Where the lens looks straight ahead, normalised.
    public var principal = Point(x: 0.5, y: 0.5)
    /// "head": the camera turns with the dock; "fixed": it does not.
    public var mount = "head"
    /// Where a fixed camera looks, in dock angles (radians), or nil for a camera on the head.
    public var direction: PanTilt?

    /// Creates a reading in which nothing is known.
    public init() {}

    /// The members.
    public static let rows: [RecordRow<LensReading>] = [
        RecordRow("focal", .named("point"), get: { .point($0.focal) }) { $0.focal = $1.point ?? Point(x: 1, y: 1) },
        RecordRow("principal", .named("point"), get: { .point($0.principal) }) {
            $0.principal = $1.point ?? Point(x: 0.5, y: 0.5)
        },
        RecordRow("mount", .word(["head", "fixed"]), get: { .string($0.mount) }) { $0.mount = $1.string ?? "" },
        RecordRow("direction", .orNull(.named("panTilt")), get: { $0.direction.map(JSONValue.panTilt) ?? .null }) {
            $0.direction = $1.panTilt
        },
    ]

    /// Returns where the camera looks, in dock angles (radians), while the head is in a pose. The result is nil if that
    /// is unknown.
    public func direction(from head: PanTilt?) -> PanTilt? {
        switch mount {
        case "head": head
        case "fixed": direction
        default: nil
        }
    }
}
