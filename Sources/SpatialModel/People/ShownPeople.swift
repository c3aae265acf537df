/// The people that a server has reported, as they are drawn between its reports: carried on at their velocity for a
/// moment, then fading, then gone. A server that sees no person reports nothing.
public struct ShownPeople: Sendable {
    /// A person as they are drawn.
    public struct Person: Sendable, Equatable {
        /// The server's name for the person.
        public var name: String
        /// The device that saw the person.
        public var source: String
        /// Where the joints are drawn.
        public var joints: Joints<PlacedPerson.PlacedJoint>
        /// How strongly they are drawn: 1 is fully, 0 not at all.
        public var strength: Double
        /// The time since the report was true, in seconds.
        public var age: Double
    }

    /// A person as a server reports them.
    public struct Report: Sendable, Equatable {
        /// The server's name for the person.
        public var name: String
        /// The device that saw the person.
        public var source: String
        /// Where the joints are.
        public var joints: Joints<PlacedPerson.PlacedJoint>

        /// Creates a report.
        public init(name: String, source: String, joints: Joints<PlacedPerson.PlacedJoint>) {
            (self.name, self.source, self.joints) = (name, source, joints)
        }
    }

    private struct Known: Sendable {
        var report: Report
        var velocities = Joints<RigidTransform.Vector>()
        var time: Double
    }

    private var people: [String: Known] = [:]

    /// How long a person is carried on, and when the person is gone, in seconds.
    public static let carried = 0.3, gone = 1.0
    /// The greatest number of people.
    public static let most = 64

    /// Creates a picture without people.
    public init() {}

    /// Receives what a server reports for a moment (seconds on the clock of `people(at:)`). An older report than the last
    /// one of a person, and people above the greatest number, are dropped.
    public mutating func update(_ reports: [Report], time: Double) {
        people = people.filter { time - $0.value.time < Self.gone }
        for report in reports {
            guard var known = people[report.name] else {
                if people.count < Self.most { people[report.name] = Known(report: report, time: time) }
                continue
            }
            let step = time - known.time
            guard step > 0 else { continue }
            var velocities = Joints<RigidTransform.Vector>()
            for (joint, new) in report.joints.present {
                guard let old = known.report.joints[joint] else { continue }
                let speed = (new.place - old.place) / step
                // Half new, half old: a walker's legs would fly off with the last step's speed alone.
                velocities[joint] = known.velocities[joint].map { ($0 + speed) / 2 } ?? speed
            }
            known.report = report
            (known.velocities, known.time) = (velocities, time)
            people[report.name] = known
        }
    }

    /// Returns the people to draw at a moment, by name.
    public func people(at now: Double) -> [Person] {
        people.values.compactMap { known in
            let age = max(0, now - known.time)
            guard age < Self.gone else { return nil }
            var joints = known.report.joints
            for (joint, old) in joints.present {
                joints[joint]?.place = old.place + (known.velocities[joint] ?? .zero) * min(age, Self.carried)
            }
            return Person(
                name: known.report.name, source: known.report.source, joints: joints,
                strength: min(1, (Self.gone - age) / (Self.gone - Self.carried)), age: age)
        }.sorted { $0.name < $1.name }
    }
}
