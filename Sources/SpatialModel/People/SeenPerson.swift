public import Geometry

/// A person as a skeleton stage sees them in one picture.
public struct SeenPerson: Sendable, Equatable {
    /// A joint in the picture.
    public struct SeenJoint: Sendable, Equatable {
        /// Where it is, normalised.
        public var point: Point
        /// How sure the stage is that it is seen there, 0...1.
        public var confidence: Double

        /// Creates a joint at a point of the picture.
        public init(_ point: Point, confidence: Double) { (self.point, self.confidence) = (point, confidence) }
    }

    /// The joints in the picture.
    public var joints = Joints<SeenJoint>()
    /// The joints of a body of average size in metres, about the middle of its hips: x to the right of the picture, y
    /// up, z toward the camera. Empty if the stage does not give them.
    public var shape = Joints<RigidTransform.Vector>()

    /// Creates a person of whom nothing is seen.
    public init() {}
}

/// What one rig saw at one moment, and where its camera was.
public struct RigView: Sendable {
    /// The rig's name.
    public var rig: String
    /// When the picture was taken, in seconds on the clock that all rigs share.
    public var time: Double
    /// Where the camera was, and looked.
    public var camera: RigidTransform
    /// The camera's lens.
    public var lens: PictureLens
    /// The people in the picture.
    public var people: [SeenPerson]

    /// Creates a view.
    public init(rig: String, time: Double, camera: RigidTransform, lens: PictureLens, people: [SeenPerson]) {
        (self.rig, self.time, self.camera, self.lens, self.people) = (rig, time, camera, lens, people)
    }

    /// Returns the rays to the joints of a person that are seen with a confidence of at least `least`.
    func rays(to person: SeenPerson, least: Double) -> Joints<WeightedRay> {
        var rays = Joints<WeightedRay>()
        for (joint, seen) in person.joints.present where seen.confidence >= least {
            rays[joint] = lens.ray(through: seen.point, from: camera).map {
                WeightedRay(ray: $0, confidence: seen.confidence)
            }
        }
        return rays
    }
}

/// The ray to a joint, and how sure the stage is of it.
struct WeightedRay: Sendable {
    var ray: Ray
    var confidence: Double
}
