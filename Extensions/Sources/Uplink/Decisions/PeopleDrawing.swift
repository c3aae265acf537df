public import Aerie
public import ControlProtocol
public import SpatialModel

/// People of the room as items of a layer.
public struct PeopleDrawing: Sendable {
    /// The device of this robot: people that only others see are drawn with dots.
    public var device: String
    /// Where the robot stands.
    public var stand: RoomStand

    /// The most people that fit in a layer.
    public static let most = 9
    /// Joints of a lower confidence are not drawn.
    static let leastConfidence = 0.5
    /// The farthest place that is drawn, in metres.
    static let farthest = 900.0
    /// After this time, in seconds, the age is written beside the name.
    static let old = 0.3

    /// Creates a drawing.
    public init(device: String, stand: RoomStand) { (self.device, self.stand) = (device, stand) }

    private static let colours: [LayerColour] = [.cyan, .yellow, .magenta, .orange, .blue, .red, .white]

    /// Returns the items of people, far ones first.
    public func items(_ people: [ShownPeople.Person]) -> [LayerItem] {
        let placed = people.map { ($0, depth(of: $0)) }.sorted { $0.1 > $1.1 }.suffix(Self.most)
        // The daemon refuses a layer that has a place farther away.
        return placed.flatMap { items(of: $0.0, isAlone: people.count == 1) }.filter { item in
            item.points.allSatisfy {
                abs($0.x) < Self.farthest && abs($0.y) < Self.farthest && abs($0.z) < Self.farthest
            }
        }
    }

    private func depth(of person: ShownPeople.Person) -> Double {
        let places = person.joints.present.map { stand.dockPlace($0.value.place) }
        guard !places.isEmpty else { return 0 }
        let middle = places.reduce(.zero, +) / Double(places.count)
        return (middle * middle).sum()
    }

    private func items(of person: ShownPeople.Person, isAlone: Bool) -> [LayerItem] {
        var places = Joints<HeadModel.Place>()
        for (joint, placed) in person.joints.present where placed.confidence >= Self.leastConfidence {
            places[joint] = stand.dockPlace(placed.place)
        }
        let colour = person.strength < 0.5 ? LayerColour.grey : isAlone ? .cyan : Self.colour(of: person.name)
        var limbs = Limb.all.compactMap { limb -> (HeadModel.Place, HeadModel.Place)? in
            guard let from = places[limb.from], let to = places[limb.to] else { return nil }
            return (from, to)
        }
        if let head = places[.head], let left = places[.leftShoulder], let right = places[.rightShoulder] {
            limbs.append((head, (left + right) / 2))
        }
        let isOwn = person.source == device
        var items = limbs.flatMap { isOwn ? [LayerItem.line($0, $1, colour: colour)] : Self.dots($0, $1, colour) }
        items += places.present.map { LayerItem.point($0.value, mark: "o", colour: .green) }
        if let top = places[.head] ?? places.present.first?.value {
            items.append(.label(label(person), at: top + HeadModel.Place(0, 0.25, 0), colour: colour))
        }
        return items
    }

    /// A limb that this robot does not see itself: three dots on it.
    private static func dots(
        _ from: HeadModel.Place, _ to: HeadModel.Place, _ colour: LayerColour
    ) -> [LayerItem] {
        [0.25, 0.5, 0.75].map { .point(from + (to - from) * $0, mark: "·", colour: colour) }
    }

    private func label(_ person: ShownPeople.Person) -> String {
        let source = person.source == device ? "own" : String(person.source.prefix(8))
        let age = person.age > Self.old ? " \(Int((person.age * 10).rounded()))00 ms" : ""
        return "\(person.name) \(source)\(age)"
    }

    /// The same person has the same colour on every robot.
    static func colour(of name: String) -> LayerColour {
        var hash: UInt32 = 2_166_136_261
        for byte in name.utf8 { hash = (hash ^ UInt32(byte)) &* 16_777_619 }
        return colours[Int(hash % UInt32(colours.count))]
    }
}

extension ShownPeople.Report {
    /// Creates the report of a person for a robot.
    /// - Parameter device: the robot's own device. It is the source of each person whom it sees, also if the server names
    ///   another device first.
    public init(_ person: PoseReport.Person, device: String) {
        let source = person.devices.contains(device) ? device : person.device
        self.init(name: person.name, source: source, joints: person.joints)
    }
}
