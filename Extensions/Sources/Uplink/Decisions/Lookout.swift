public import Geometry
public import SpatialModel

/// Chooses the person toward whom the head turns before its own camera sees them: the nearest one whom another robot
/// sees. The head stays with a person until another one is clearly nearer.
public struct Lookout: Sendable {
    /// A person, and the pose of the head's axes that points at them.
    public struct Choice: Sendable, Equatable {
        /// The server's name for the person.
        public var name: String
        /// The pose, in radians.
        public var direction: PanTilt
    }

    /// An older report no longer says where a person is, in seconds.
    static let oldest = 0.5
    /// Joints of a lower confidence do not count.
    static let leastConfidence = 0.5
    /// The nearest and the farthest person that counts, in metres. Nearer to the axes the direction means nothing.
    static let reach = 0.4...10.0
    /// Another person must be nearer than this part of the distance.
    static let nearer = 0.7

    private let device: String
    private var chosen: String?

    /// Creates a lookout of the robot with this device name at the server.
    public init(device: String) { self.device = device }

    /// Returns the person to turn to, or nil if others see no person.
    /// - Parameters:
    ///   - people: the people of the room at this moment.
    ///   - head: where the robot stands, and its head.
    public mutating func choose(_ people: [ShownPeople.Person], from head: HeadModel) -> Choice? {
        let candidates = people.compactMap { person -> (person: ShownPeople.Person, face: Place, distance: Double)? in
            guard person.source != device, person.age < Self.oldest, let face = Self.face(of: person) else {
                return nil
            }
            let way = face - head.stand, distance = (way * way).sum().squareRoot()
            return Self.reach.contains(distance) ? (person, face, distance) : nil
        }
        let nearest = candidates.min { ($0.distance, $0.person.name) < ($1.distance, $1.person.name) }
        guard var choice = nearest else {
            chosen = nil
            return nil
        }
        if let before = candidates.first(where: { $0.person.name == chosen }),
            choice.distance > Self.nearer * before.distance
        {
            choice = before
        }
        chosen = choice.person.name
        return Choice(name: choice.person.name, direction: head.pose(toward: choice.face))
    }

    private typealias Place = HeadModel.Place

    /// Where the face of a person is: the head, or a little above the shoulders.
    private static func face(of person: ShownPeople.Person) -> Place? {
        func place(_ joint: Joint) -> Place? {
            person.joints[joint].flatMap { $0.confidence >= leastConfidence ? $0.place : nil }
        }
        if let head = place(.head) { return head }
        guard let left = place(.leftShoulder), let right = place(.rightShoulder) else { return nil }
        return (left + right) / 2 + Place(0, 0.2, 0)
    }
}
