internal import Geometry
public import SpatialModel

/// A place of a robot in a room, and the geometry of its head: what turns a pose of the axes into the place of the
/// camera, and a place of the room into one of the dock's own space.
public struct RoomStand: Sendable, Equatable {
    /// The head in the room.
    public var head: HeadModel

    /// Creates a stand.
    public init(_ head: HeadModel = HeadModel()) { self.head = head }

    /// Returns a place of the room in the dock's space: x to its right, y up, z backward, at home, with the origin where
    /// the camera is at home. The daemon draws there as if lens and axes met, so that is exact at home and off by what
    /// the lens moves elsewhere.
    public func dockPlace(_ place: HeadModel.Place) -> HeadModel.Place {
        head.camera(at: .zero).inside(place)
    }
}
