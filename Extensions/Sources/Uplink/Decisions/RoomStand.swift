internal import Geometry
public import SpatialModel

/// A place of a robot in a room, and the geometry of its head: what turns a pose of the axes into the place of the
/// camera, and a place of the room into one of the dock's own space.
public struct RoomStand: Sendable, Equatable {
    /// The head in the room.
    public var head: HeadModel
    /// Whether the daemon knows the geometry of the head, too.
    public var isKnownToDock: Bool

    /// Creates a stand.
    public init(_ head: HeadModel = HeadModel(), isKnownToDock: Bool = false) {
        (self.head, self.isKnownToDock) = (head, isKnownToDock)
    }

    /// Returns a place of the room in the dock's space: x to its right, y up, z backward at home.
    ///
    /// Its origin is where the pan axis stands, if the daemon knows the geometry of the head. Otherwise the daemon draws
    /// as if lens and axes met, so the origin is where the camera is at home: exact there, and off by what the lens moves
    /// elsewhere.
    public func dockPlace(_ place: HeadModel.Place) -> HeadModel.Place {
        if isKnownToDock { return head.foot.inside(place) }
        var straight = head
        // The daemon itself adds how the camera is turned.
        straight.mount = .straight
        return straight.camera(at: .zero).inside(place)
    }
}
