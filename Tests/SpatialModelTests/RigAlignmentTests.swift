import Geometry
import SpatialModel
import Testing

/// Rigs whose headings are wrong are turned until people stand on the floor.
@Suite struct RigAlignmentTests {
    typealias Place = HeadModel.Place

    /// Two rigs 2 m apart, whose profiles are wrong in opposite ways.
    private struct Room {
        var room = SimulatedPeople(seed: 5)
        /// The error of each heading, in radians, and of each place, in metres.
        var misturned = 0.0, misplaced = 0.0
        var tracker = PersonTracker(), alignment = RigAlignment()

        mutating func views(_ people: [SimulatedPeople.Person]) -> [RigView] {
            var views: [RigView] = []
            for (rig, x) in [("a", -1.0), ("b", 1.0)] {
                let errors = SimulatedPeople.Errors(pixels: 1, pose: 0, stand: 0)
                var view = room.view(rig, at: [x, 1.2, 0], toward: [0, 1, -3], people, errors: errors)
                let turn = RigidTransform.turn(right: -x * misturned), axes = view.camera.axes
                view.camera.axes = (turn.rotate(axes.x), turn.rotate(axes.y), turn.rotate(axes.z))
                view.camera.origin -= Place(x, 0, -x) * misplaced
                views.append(view)
            }
            return views
        }

        /// Watches people for a time, ten times a second.
        mutating func watch(_ people: [SimulatedPeople.Person], seconds: Double) {
            for step in 0..<Int(seconds * 10) {
                let now = Double(step) / 10, views = self.views(people)
                let placed = tracker.update(PersonPlacing().people(alignment.aligned(views)), now: now)
                alignment.learn(placed, views, ankleHeight: PersonPlacing().ankleHeight, now: now)
            }
        }

        /// The median distance of joints from where they are, in metres.
        mutating func error(_ people: [SimulatedPeople.Person], isAligned: Bool) -> Double {
            let views = self.views(people)
            let placed = PersonPlacing().people(isAligned ? alignment.aligned(views) : views)
            var errors: [Double] = []
            for person in placed {
                for (joint, body) in SimulatedPeople.Person.body {
                    guard let found = person.joints[joint]?.place else { continue }
                    let offsets = people.map { found - $0.place(body) }
                    errors.append(offsets.map { ($0 * $0).sum().squareRoot() }.min() ?? .infinity)
                }
            }
            return errors.sorted()[errors.count / 2]
        }
    }

    private static let people = [
        SimulatedPeople.Person(foot: [-0.4, 0, -2.9]), SimulatedPeople.Person(foot: [0.5, 0, -3.2], facing: 2),
    ]

    @Test func `rigs that are misplaced in opposite ways place people better after a while`() {
        var room = Room(misturned: .degrees(0.3), misplaced: 0.01)
        room.watch(Self.people, seconds: 30)
        let before = room.error(Self.people, isAligned: false), after = room.error(Self.people, isAligned: true)
        #expect(before > 0.07 && after < 0.65 * before, "\(before) m, then \(after) m")
        #expect(room.alignment.turn(of: "a") < 0 && room.alignment.turn(of: "b") > 0)
    }

    @Test func `rigs whose places are right stay as they are`() {
        var room = Room()
        room.watch(Self.people, seconds: 30)
        #expect(abs(room.alignment.turn(of: "a")) < .degrees(0.03))
    }

    @Test func `no rig is turned by more than half a degree, and one that has left is not turned`() {
        var room = Room(misturned: .degrees(1.2))
        room.watch(Self.people, seconds: 120)
        #expect(room.alignment.turn(of: "a") <= -Double.degrees(0.4))
        #expect(room.alignment.turn(of: "a") >= -RigAlignment.largest)
        room.alignment.forget("b")
        #expect(room.alignment.turn(of: "a") == 0 && room.alignment.turn(of: "b") == 0)
    }

    @Test func `feet that are not on the floor, and people whom one rig sees, turn no rig`() {
        var room = Room()
        room.watch([SimulatedPeople.Person(foot: [0.1, 0.3, -3])], seconds: 10)
        #expect(room.alignment.turn(of: "a") == 0)
        for step in 0..<20 {
            let views = [room.views(Self.people)[0]], now = 20 + Double(step) / 10
            let placed = room.tracker.update(PersonPlacing().people(room.alignment.aligned(views)), now: now)
            room.alignment.learn(placed, views, ankleHeight: 0.066, now: now)
        }
        #expect(room.alignment.turn(of: "a") == 0)
    }
}
