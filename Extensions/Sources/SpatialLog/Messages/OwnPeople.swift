internal import Geometry
public import SpatialModel

/// The people that one robot sees, with names that they keep: from the feet on the floor, or from the size of the body.
public struct OwnPeople: Sendable {
    private var tracker = PersonTracker()
    private let placing = PersonPlacing()

    /// Creates people before the first picture.
    public init() {}

    /// Receives what was seen in one picture. Returns the people that are there.
    public mutating func update(_ view: RigView) -> [LoggedPerson] {
        tracker.update(placing.people([view]), now: view.time).filter { $0.time == view.time }.map { person in
            LoggedPerson(
                name: person.name,
                facts: [("seen by", person.rigs.joined(separator: ", ")), ("placed by", person.method.rawValue)],
                joints: person.joints)
        }
    }
}
