internal import Geometry

/// A person in the room.
public struct PlacedPerson: Sendable, Equatable {
    /// How the person was placed, from the most exact way to the least.
    public enum Method: String, Sendable {
        /// Two rigs or more see the person.
        case triangulation
        /// One rig sees where the feet stand on the floor.
        case floor
        /// One rig sees the person, whose body is taken to be of average size.
        case bodySize
    }

    /// A joint in the room.
    public struct PlacedJoint: Sendable, Equatable {
        /// Where it is, in metres.
        public var place: RigidTransform.Vector
        /// How sure the skeleton stage was, 0...1.
        public var confidence: Double

        /// Creates a joint at a place.
        public init(_ place: RigidTransform.Vector, confidence: Double) {
            (self.place, self.confidence) = (place, confidence)
        }
    }

    /// The joints that could be placed.
    public var joints: Joints<PlacedJoint>
    /// How the person was placed.
    public var method: Method
    /// The rigs that saw the person.
    public var rigs: [String]

    /// Creates a person.
    public init(joints: Joints<PlacedJoint>, method: Method, rigs: [String]) {
        (self.joints, self.method, self.rigs) = (joints, method, rigs)
    }

    /// The middle of the person: of the shoulders and hips that are known, else of all joints; nil if none is.
    public var middle: RigidTransform.Vector? {
        let trunk = [Joint.leftShoulder, .rightShoulder, .leftHip, .rightHip].compactMap { joints[$0]?.place }
        let places = trunk.isEmpty ? joints.present.map(\.value.place) : trunk
        guard !places.isEmpty else { return nil }
        return places.reduce(.zero, +) / Double(places.count)
    }
}
