import Geometry
import SpatialModel
import Testing

@testable import Uplink

/// Who is looked for behind a wall.
@Suite struct LookoutTests {
    private static let head: HeadModel = {
        var head = HeadModel()
        (head.stand, head.heading, head.axis) = ([2, 1, 0], .degrees(90), (up: 0.1, ahead: 0))
        return head
    }()

    private func person(
        _ name: String, at place: SIMD3<Double>, source: String = "kitchen", age: Double = 0, confidence: Double = 0.9,
        joints: [Joint] = [.head, .leftShoulder, .rightShoulder]
    ) -> [ShownPeople.Person] {
        var all = Joints<PlacedPerson.PlacedJoint>()
        for joint in joints {
            let below = joint == .head ? 0 : -0.2
            all[joint] = PlacedPerson.PlacedJoint(place + [0, below, 0], confidence: confidence)
        }
        var shown = ShownPeople()
        shown.update([ShownPeople.Report(name: name, source: source, joints: all)], time: 10)
        return shown.people(at: 10 + age)
    }

    @Test func `the head turns to the face of the nearest person whom others see`() throws {
        var lookout = Lookout(device: "hall")
        // The head looks along the room's +x at home; ahead is (5, 1.1, 0).
        let found = lookout.choose(
            person("far", at: [2, 1.1, 9]) + person("near", at: [5, 1.1, 3])
                + person("own", at: [3, 1, 0], source: "hall"),
            from: Self.head)
        let choice = try #require(found)
        #expect(choice.name == "near")
        #expect(abs(choice.direction.pan - .degrees(45)) < 1e-9 && abs(choice.direction.tilt) < 1e-9)
    }

    @Test func `it stays with a person until another one is clearly nearer`() {
        var lookout = Lookout(device: "hall")
        let ann = person("ann", at: [5, 1, 0])
        #expect(lookout.choose(ann, from: Self.head)?.name == "ann")
        #expect(lookout.choose(ann + person("bob", at: [4.5, 1, 0]), from: Self.head)?.name == "ann")
        #expect(lookout.choose(ann + person("bob", at: [4, 1, 0]), from: Self.head)?.name == "bob")
        #expect(lookout.choose(ann, from: Self.head)?.name == "ann")
        #expect(lookout.choose([], from: Self.head) == nil)
    }

    @Test(arguments: [(0.6, 0.9, 3.0), (0, 0.4, 3), (0, 0.9, 0.2), (0, 0.9, 12)])
    func `old reports, unsure joints, and people on the axes or far away do not count`(
        age: Double, confidence: Double, distance: Double
    ) {
        var lookout = Lookout(device: "hall")
        let one = person("ann", at: [2 + distance, 1, 0], age: age, confidence: confidence)
        #expect(lookout.choose(one, from: Self.head) == nil)
    }

    @Test func `without a head the shoulders tell where the face is, and legs alone do not`() throws {
        var lookout = Lookout(device: "hall")
        let shoulders = person("ann", at: [5, 1.1, 0], joints: [.leftShoulder, .rightShoulder])
        let found = lookout.choose(shoulders, from: Self.head), choice = try #require(found)
        #expect(abs(choice.direction.tilt) < 1e-9)
        #expect(
            lookout.choose(person("bob", at: [5, 1, 0], joints: [.leftAnkle, .rightAnkle]), from: Self.head) == nil)
    }
}
