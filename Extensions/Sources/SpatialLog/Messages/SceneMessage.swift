public import SpatialModel

/// A person of a file: where the joints were in the room.
public struct LoggedPerson: Sendable, Equatable {
    /// The name that the person keeps, such as `person-007`.
    public var name: String
    /// Further facts, for people.
    public var facts: [(key: String, value: String)]
    /// The joints, in the room: x right, y up, z backward, in metres.
    public var joints: Joints<PlacedPerson.PlacedJoint>

    /// Creates a person.
    public init(name: String, facts: [(key: String, value: String)], joints: Joints<PlacedPerson.PlacedJoint>) {
        (self.name, self.facts, self.joints) = (name, facts, joints)
    }

    /// Whether both are the same.
    public static func == (a: LoggedPerson, b: LoggedPerson) -> Bool {
        a.name == b.name && a.joints == b.joints && a.facts.map(\.key) == b.facts.map(\.key)
            && a.facts.map(\.value) == b.facts.map(\.value)
    }
}

/// People as a scene: a sphere for each joint, lines for the limbs, and the name above the head.
enum SceneMessage {
    /// A person who is not reported again is gone after this time, in seconds.
    static let lifetime = 1
    /// Joints of a lower confidence are not drawn.
    static let leastConfidence = 0.5
    /// The diameter of a joint, the thickness of a limb, and the height of the name, in metres.
    private static let joint = 0.06, limb = 0.03, letters = 0.12
    private static let green = SIMD4(0.2, 0.8, 0.2, 1), cyan = SIMD4(0.2, 0.8, 0.9, 1)

    static func encode(_ people: [LoggedPerson], at time: UInt64) -> [UInt8] {
        var result = ProtoBytes()
        for person in people { result.put(2, entity(person, time)) }
        return result.bytes
    }

    private static func entity(_ person: LoggedPerson, _ time: UInt64) -> ProtoBytes {
        var result = ProtoBytes(), lasting = ProtoBytes()
        result.put(1, LogMessages.time(time))
        result.put(2, HeadFrame.world.rawValue)
        result.put(3, person.name)
        lasting.put(1, lifetime)
        result.put(4, lasting)
        for (key, value) in person.facts {
            var pair = ProtoBytes()
            pair.put(1, key)
            pair.put(2, value)
            result.put(6, pair)
        }
        var places = Joints<SIMD3<Double>>()
        for (joint, placed) in person.joints.present where placed.confidence >= leastConfidence {
            places[joint] = HeadFrames.world(placed.place)
        }
        for (_, place) in places.present { result.put(9, sphere(at: place)) }
        result.put(11, limbs(places))
        if let top = places[.head] ?? places.present.first?.value {
            result.put(13, label(person.name, at: top + SIMD3(0, 0, 0.25)))
        }
        return result
    }

    private static func pose(_ place: SIMD3<Double>) -> ProtoBytes {
        var result = ProtoBytes()
        result.put(1, LogMessages.vector(place))
        result.put(2, LogMessages.quaternion(SIMD4(0, 0, 0, 1)))
        return result
    }

    private static func sphere(at place: SIMD3<Double>) -> ProtoBytes {
        var result = ProtoBytes()
        result.put(1, pose(place))
        result.put(2, LogMessages.vector(SIMD3(repeating: joint)))
        result.put(3, LogMessages.quaternion(green))
        return result
    }

    private static func limbs(_ places: Joints<SIMD3<Double>>) -> ProtoBytes {
        var lines = Limb.all.compactMap { limb -> (SIMD3<Double>, SIMD3<Double>)? in
            guard let from = places[limb.from], let to = places[limb.to] else { return nil }
            return (from, to)
        }
        if let head = places[.head], let left = places[.leftShoulder], let right = places[.rightShoulder] {
            lines.append((head, (left + right) / 2))
        }
        var result = ProtoBytes()
        // A list: each two points are a line.
        result.put(1, 2)
        result.put(2, pose(.zero))
        result.put(3, limb)
        for (from, to) in lines {
            result.put(5, LogMessages.vector(from))
            result.put(5, LogMessages.vector(to))
        }
        result.put(6, LogMessages.quaternion(cyan))
        return result
    }

    private static func label(_ text: String, at place: SIMD3<Double>) -> ProtoBytes {
        var result = ProtoBytes()
        result.put(1, pose(place))
        result.put(2, true)
        result.put(3, letters)
        result.put(5, LogMessages.quaternion(cyan))
        result.put(6, text)
        return result
    }
}
