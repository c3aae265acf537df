/// What a line of a detector has beyond faces. Objects and people are passed on unchanged; hands are checked, because
/// programs let them steer.
package struct PassedOn: Sendable, Equatable {
    /// Things, as the detector wrote them.
    package var objects: [JSONValue] = []
    /// Whole people, as the detector wrote them.
    package var people: [JSONValue] = []
    /// Hands.
    package var hands: [DetectedHandReading] = []

    /// Creates a value of these lists.
    package init(objects: [JSONValue] = [], people: [JSONValue] = [], hands: [DetectedHandReading] = []) {
        (self.objects, self.people, self.hands) = (objects, people, hands)
    }

    /// Reads what a line has. The daemon adds members before those that the detector may have written, too, so of two
    /// members with one name the later one counts, as for tracking.
    package init(line: some Collection<UInt8>) {
        // Most lines have none of them, and are not read twice.
        guard [Self.objectsName, Self.peopleName, Self.handsName].contains(where: { line.contains($0) }),
            let members = JSONReader.lastMembers(of: Array(line))
        else { return }
        (objects, people) = (members["objects"]?.array ?? [], members["people"]?.array ?? [])
        hands = DetectedHandReading.list(members["hands"])
    }

    private static let objectsName = Array(#""objects""#.utf8), peopleName = Array(#""people""#.utf8)
    private static let handsName = Array(#""hands""#.utf8)

    /// The members of a frame's line, each with a comma before it. A list that is empty is left out.
    package var members: [UInt8] {
        [("objects", objects), ("people", people), ("hands", hands.map(\.json))].flatMap { name, list -> [UInt8] in
            list.isEmpty ? [] : Array(#","\#(name)":"#.utf8) + JSONValue.array(list).bytes
        }
    }
}
