/// Where a rig stands in a room, and the geometry of its head. Lengths are in metres.
///
/// The room has x to the right, y up and z backward, as ARKit has it.
public struct RigStand: Sendable, Equatable {
    /// The place of the pan axis.
    public var x = 0.0, y = 0.0, z = 0.0
    /// The direction of pan 0 from the room's -z, in radians; positive to the right.
    public var heading = 0.0
    /// The tilt axis from the pan axis.
    public var axisUp = 0.0, axisAhead = 0.0
    /// The lens from the tilt axis.
    public var lensRight = 0.0, lensUp = 0.0, lensAhead = 0.0

    /// Creates a rig in the room's origin whose lens is where its axes meet.
    public init() {}
}
