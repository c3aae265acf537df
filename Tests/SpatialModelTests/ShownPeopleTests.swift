import SpatialModel
import Testing

/// People between a server's reports.
@Suite struct ShownPeopleTests {
    private func report(_ name: String = "person-001", x: Double) -> ShownPeople.Report {
        var joints = Joints<PlacedPerson.PlacedJoint>()
        joints[.head] = PlacedPerson.PlacedJoint([x, 1.6, -3], confidence: 0.9)
        return ShownPeople.Report(name: name, source: "desk", joints: joints)
    }

    private func x(_ people: ShownPeople, at now: Double) -> Double? {
        people.people(at: now).first?.joints[.head]?.place.x
    }

    @Test func `a walker is carried on for 0.3 s, fades, and is gone after a second`() throws {
        var people = ShownPeople()
        for step in 0...5 { people.update([report(x: 0.12 * Double(step))], time: Double(step) / 10) }
        #expect(abs(try #require(x(people, at: 0.6)) - 0.72) < 1e-9)
        #expect(abs(try #require(x(people, at: 0.8)) - 0.96) < 1e-9)
        #expect(abs(try #require(x(people, at: 1.4)) - 0.96) < 1e-9)
        let shown = try #require(people.people(at: 1.15).first)
        #expect(abs(shown.strength - 0.5) < 1e-9 && abs(shown.age - 0.65) < 1e-9 && shown.source == "desk")
        #expect(people.people(at: 0.8).first?.strength == 1)
        #expect(people.people(at: 1.5).isEmpty)
    }

    @Test func `a late report does not take a newer one back`() {
        var people = ShownPeople()
        people.update([report(x: 1)], time: 2)
        people.update([report(x: 0)], time: 1.9)
        #expect(x(people, at: 2) == 1)
    }

    @Test func `a server that invents people is bounded`() {
        var people = ShownPeople()
        for round in 0..<20 {
            people.update((0..<50).map { report("person-\(round)-\($0)", x: 0) }, time: Double(round) / 100)
        }
        #expect(people.people(at: 0.2).count == ShownPeople.most)
        people.update([report("late", x: 0)], time: 1.5)
        #expect(people.people(at: 1.5).map(\.name) == ["late"])
    }
}
