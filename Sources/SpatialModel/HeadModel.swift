public import Geometry
internal import Glibc

/// A pan/tilt head in a room, and the camera on it: where the camera is and looks for a pose of the axes.
///
/// The order is that of the machine: stand, pan axis, tilt axis, lens.
public struct HeadModel: Sendable, Equatable {
    /// A place in metres: x to the right, y up, z backward.
    public typealias Place = RigidTransform.Vector

    /// Where the pan axis stands, at the height where tilt axis and lens are measured from.
    public var stand = Place(0, 0, 0)
    /// The direction of pan 0 from the room's -z, in radians; positive to the right.
    public var heading = 0.0
    /// The tilt axis from the pan axis, in metres.
    public var axis = (up: 0.0, ahead: 0.0)
    /// The lens from the tilt axis, in metres.
    public var lens = (right: 0.0, up: 0.0, ahead: 0.0)
    /// How the camera is turned against the head.
    public var mount = MountAngles.straight

    /// Creates a head whose axes and lens meet in the room's origin, and that looks along -z at home.
    public init() {}

    /// Where the pan axis stands, and where pan 0 points: the dock's own space in the room.
    public var foot: RigidTransform {
        .move(right: stand.x, up: stand.y, ahead: -stand.z) * .turn(right: heading)
    }

    /// Returns where the camera is and looks, for a pose of the axes in radians.
    public func camera(at pose: PanTilt) -> RigidTransform {
        foot * .turn(right: pose.pan)
            * .move(up: axis.up, ahead: axis.ahead) * .tilt(up: pose.tilt)
            * .move(right: lens.right, up: lens.up, ahead: lens.ahead) * .turned(mount)
    }

    /// Returns the pose in which the tilt axis points at a place of the room, in radians; a place on the pan axis
    /// itself has pan 0. The lens is ignored: 4 cm from the axes are 0.8 degrees at 3 m, and so is the mount.
    public func pose(toward place: Place) -> PanTilt {
        let seen = RigidTransform.turn(right: heading).inside(place - stand)
        let level = (seen.x * seen.x + seen.z * seen.z).squareRoot()
        guard level > 0 else { return PanTilt(pan: 0, tilt: seen.y >= axis.up ? .pi / 2 : -.pi / 2) }
        return PanTilt(pan: atan2(seen.x, -seen.z), tilt: atan2(seen.y - axis.up, level))
    }

    /// Whether both are the same.
    public static func == (a: HeadModel, b: HeadModel) -> Bool {
        a.stand == b.stand && a.heading == b.heading && a.axis == b.axis && a.lens == b.lens && a.mount == b.mount
    }
}
