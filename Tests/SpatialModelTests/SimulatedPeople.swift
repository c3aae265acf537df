import Geometry
import SpatialModel

/// People who stand in a simulated room, and rigs that see them with the errors of real ones.
struct SimulatedPeople {
    typealias Place = HeadModel.Place

    /// A person: where they stand, which way they look (radians to the right of -z), and how tall they are beside 1.7 m.
    struct Person {
        var foot: Place
        var facing = 0.0
        var size = 1.0

        /// The joints in metres: to the person's right, up, and behind. The arms hang a little forward.
        static let body: [(Joint, Place)] = [
            (.head, [0, 1.58, -0.1]), (.leftShoulder, [-0.18, 1.4, 0]), (.rightShoulder, [0.18, 1.4, 0]),
            (.leftElbow, [-0.24, 1.12, 0]), (.rightElbow, [0.24, 1.12, 0]), (.leftWrist, [-0.26, 0.88, -0.12]),
            (.rightWrist, [0.26, 0.88, -0.12]), (.leftHip, [-0.1, 0.92, 0]), (.rightHip, [0.1, 0.92, 0]),
            (.leftKnee, [-0.11, 0.5, -0.02]), (.rightKnee, [0.11, 0.5, -0.02]), (.leftAnkle, [-0.11, 0.066, 0]),
            (.rightAnkle, [0.11, 0.066, 0]),
        ]

        func place(_ joint: Place) -> Place { foot + RigidTransform.turn(right: facing).rotate(joint * size) }
    }

    /// The errors of a rig: pixels of a joint (f 600), degrees of its pose, metres of its stand.
    struct Errors { var pixels = 5.0, pose = 0.3, stand = 0.01 }

    var dice: TestDice
    static let lens = PictureLens(focal: Point(x: 600 / 640.0, y: 600 / 480.0))

    init(seed: UInt64) { dice = TestDice(seed) }

    /// Returns what a rig sees that stands at a place 1.2 m above the floor and looks at another.
    mutating func view(
        _ rig: String, at stand: Place, toward: Place, _ people: [Person], errors: Errors = Errors()
    ) -> RigView {
        var head = HeadModel()
        head.stand = stand
        let pose = head.pose(toward: toward), truth = head.camera(at: pose)
        head.stand += Place(dice.normal(), dice.normal(), dice.normal()) * errors.stand
        let believed = head.camera(
            at: pose
                + PanTilt(pan: dice.normal() * .degrees(errors.pose), tilt: dice.normal() * .degrees(errors.pose)))
        let seen = people.map { person in
            var seen = SeenPerson()
            let middle = person.place([0, 0.92, 0])
            for (joint, body) in Person.body {
                let place = person.place(body)
                // The shape is that of an average body, in the camera's axes.
                let offset = (place - middle) / person.size
                seen.shape[joint] = truth.inside(truth.origin + offset)
                guard let (point, _) = Self.lens.project(place, from: truth) else { continue }
                seen.joints[joint] = SeenPerson.SeenJoint(
                    Point(
                        x: point.x + dice.normal() * errors.pixels / 640,
                        y: point.y + dice.normal() * errors.pixels / 480),
                    confidence: 0.9)
            }
            return seen
        }
        return RigView(rig: rig, time: 0, camera: believed, lens: Self.lens, people: seen)
    }
}

/// Random numbers from a seed (SplitMix64).
struct TestDice: RandomNumberGenerator {
    private var state: UInt64

    init(_ seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var z = state
        z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
        z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
        return z ^ (z >> 31)
    }

    /// A number with mean 0 and deviation 1: the sum of twelve, less six.
    mutating func normal() -> Double {
        (0..<12).reduce(-6) { sum, _ in sum + Double.random(in: 0..<1, using: &self) }
    }
}
