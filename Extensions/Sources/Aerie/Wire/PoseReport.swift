public import ControlProtocol
public import SpatialModel
internal import PlainText

/// Where people are, as a server reports it.
public struct PoseReport: Sendable, Equatable {
    /// A person.
    public struct Person: Sendable, Equatable {
        /// The server's name for the person.
        public var name: String
        /// The device that saw the person.
        public var device: String
        /// That device's name for people, or nil if the server gives none.
        public var deviceName: String?
        /// All devices that saw the person, if the server names them.
        public var devices: [String]
        /// Where the joints are.
        public var joints: Joints<PlacedPerson.PlacedJoint>
        /// How sure the server is, 0...1.
        public var confidence: Double

        /// Creates a person.
        public init(
            name: String, device: String, deviceName: String? = nil, devices: [String] = [],
            joints: Joints<PlacedPerson.PlacedJoint>, confidence: Double = 1
        ) {
            (self.name, self.device, self.deviceName, self.devices) = (name, device, deviceName, devices)
            (self.joints, self.confidence) = (joints, confidence)
        }
    }

    /// When the people were there, in Unix seconds on the server's clock.
    public var time: Double
    /// The people.
    public var people: [Person]

    /// The most people of a report that are read, and the greatest distance of a joint from the room's origin, in metres.
    public static let mostPeople = 64, farthest = 1000.0

    /// Creates a report.
    public init(time: Double, people: [Person]) { (self.time, self.people) = (time, people) }

    /// Reads the members of a message; nil if they are no report. A person who cannot be read is left out.
    public init?(_ members: [String: JSONValue]) {
        guard let time = members["timestamp"]?.number, let poses = members["poses"]?.array else { return nil }
        self.init(time: time, people: poses.prefix(Self.mostPeople).compactMap { Person($0) })
    }

    /// The members of the message.
    public var members: [String: JSONValue] {
        ["timestamp": .number(time), "poses": .array(people.map(\.json))]
    }
}

extension PoseReport.Person {
    init?(_ value: JSONValue) {
        guard let name = value["personId"]?.string, let device = value["sourceDevice"]?.string,
            let joints = value["joints"]?.array
        else { return nil }
        var placed = Joints<PlacedPerson.PlacedJoint>()
        // There may be fewer joints; those of an unknown kind are ignored.
        for joint in joints.prefix(64) {
            let numbers = (joint["position"]?.array ?? []).compactMap(\.number)
            guard let kind = joint["type"]?.string.flatMap(Joint.init(rawValue:)), numbers.count == 3,
                numbers.allSatisfy({ abs($0) <= PoseReport.farthest })
            else { continue }
            let confidence = min(max(joint["confidence"]?.number ?? 1, 0), 1)
            placed[kind] = .init(.init(numbers[0], numbers[1], numbers[2]), confidence: confidence)
        }
        guard !placed.isEmpty else { return nil }
        self.init(
            name: ForeignText.line(name, longest: 40), device: ForeignText.line(device, longest: 64),
            deviceName: value["sourceName"]?.string.map { ForeignText.line($0, longest: 40) },
            devices: (value["sourceDevices"]?.array ?? []).prefix(16).compactMap(\.string).map {
                ForeignText.line($0, longest: 64)
            },
            joints: placed, confidence: min(max(value["confidence"]?.number ?? 1, 0), 1))
    }

    var json: JSONValue {
        var members: [String: JSONValue] = [
            "personId": .string(name), "sourceDevice": .string(device),
            "confidence": .number((confidence * 1000).rounded() / 1000),
            "joints": .array(
                joints.present.map { joint, placed in
                    let place = [placed.place.x, placed.place.y, placed.place.z].map { ($0 * 1e4).rounded() / 1e4 }
                    return .object([
                        "type": .string(joint.rawValue), "position": .array(place.map(JSONValue.number)),
                        "confidence": .number((placed.confidence * 1000).rounded() / 1000),
                    ])
                }),
        ]
        members["sourceName"] = deviceName.map(JSONValue.string)
        if !devices.isEmpty { members["sourceDevices"] = .array(devices.map(JSONValue.string)) }
        return .object(members)
    }
}
