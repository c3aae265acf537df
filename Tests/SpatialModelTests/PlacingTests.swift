import Geometry
import SpatialModel
import Testing

/// Simulated people are found where they stand. The bounds are those of the method as it was measured elsewhere: at 3 m, half
/// of the joints of two rigs within 6.5 cm, of one rig by the floor within 11 cm, by the size within 15 cm.
@Suite struct PlacingTests {
    typealias Place = HeadModel.Place

    /// Returns the errors of all joints, in metres, sorted.
    private func errors(_ placed: PlacedPerson, _ truth: SimulatedPeople.Person) -> [Double] {
        SimulatedPeople.Person.body.compactMap { joint, body in
            placed.joints[joint].map { found in
                let off = found.place - truth.place(body)
                return (off * off).sum().squareRoot()
            }
        }
    }

    private func share(_ values: [Double], _ part: Double) -> Double {
        let sorted = values.sorted()
        return sorted.isEmpty ? .infinity : sorted[min(sorted.count - 1, Int(part * Double(sorted.count)))]
    }

    @Test func `without errors every joint of two rigs is exact`() throws {
        var room = SimulatedPeople(seed: 1)
        let none = SimulatedPeople.Errors(pixels: 0, pose: 0, stand: 0)
        let person = SimulatedPeople.Person(foot: [0.2, 0, -3], facing: 2.5)
        let views = [
            room.view("a", at: [-1, 1.2, 0], toward: [0, 1, -3], [person], errors: none),
            room.view("b", at: [1, 1.2, 0], toward: [0, 1, -3], [person], errors: none),
        ]
        let placed = try #require(PersonPlacing().people(views).first)
        #expect(placed.method == .triangulation && placed.rigs == ["a", "b"] && placed.joints.present.count == 13)
        #expect(share(errors(placed, person), 1) < 1e-6)
    }

    @Test func `two rigs two metres apart place people at three metres within eight centimetres`() {
        var all: [Double] = []
        for seed in UInt64(1)...200 {
            var room = SimulatedPeople(seed: seed)
            let foot = Place(
                Double.random(in: -0.8...0.8, using: &room.dice), 0, Double.random(in: -3.3 ... -2.7, using: &room.dice)
            )
            let person = SimulatedPeople.Person(foot: foot, facing: Double.random(in: 0...6.28, using: &room.dice))
            let views = [
                room.view("a", at: [-1, 1.2, 0], toward: [0, 1, -3], [person]),
                room.view("b", at: [1, 1.2, 0], toward: [0, 1, -3], [person]),
            ]
            let placed = PersonPlacing().people(views).filter { $0.method == .triangulation }
            #expect(placed.count == 1, "seed \(seed)")
            for one in placed { all += errors(one, person) }
        }
        let (half, most) = (share(all, 0.5), share(all, 0.95))
        #expect(half < 0.08 && most < 0.2, "p50 \(half) m, p95 \(most) m")
    }

    @Test func `people of two pictures are matched`() {
        for (count, wanted) in [(2, 0.97), (3, 0.93), (5, 0.85)] {
            var right = 0, total = 0
            for seed in UInt64(1)...200 {
                var room = SimulatedPeople(seed: seed)
                let people = room.people(count)
                let views = [
                    room.view("a", at: [-1, 1.2, 0], toward: [0, 1, -3], people),
                    room.view("b", at: [1, 1.2, 0], toward: [0, 1, -3], people),
                ]
                let groups = PersonGroups.groups(views)
                right += groups.count { $0.count == 2 && $0[0].person == $0[1].person }
                total += count
            }
            #expect(Double(right) / Double(total) >= wanted, "\(count) people: \(right) of \(total)")
        }
    }

    @Test func `one rig places people by their feet, else by their size`() {
        var byFloor: [Double] = [], bySize: [Double] = []
        for seed in UInt64(1)...200 {
            var room = SimulatedPeople(seed: seed)
            let size = 1 + room.dice.normal() * 0.04
            let person = SimulatedPeople.Person(
                foot: [Double.random(in: -0.5...0.5, using: &room.dice), 0, -3], facing: .pi, size: size)
            var view = room.view("a", at: [0, 1.2, 0], toward: [0, 1, -3], [person])
            for placed in PersonPlacing().people([view]) {
                #expect(placed.method == .floor)
                byFloor += errors(placed, person)
            }
            for joint in [Joint.leftAnkle, .rightAnkle] { view.people[0].joints[joint] = nil }
            for placed in PersonPlacing().people([view]) {
                #expect(placed.method == .bodySize)
                bySize += errors(placed, person)
            }
        }
        let (floor, size) = (share(byFloor, 0.5), share(bySize, 0.5))
        #expect(byFloor.count > 2000 && bySize.count > 2000)
        #expect(floor < 0.13, "by the floor: p50 \(floor) m")
        #expect(size < 0.17, "by the size: p50 \(size) m")
    }

    @Test func `a third rig outvotes one that is wrong about a wrist`() throws {
        var room = SimulatedPeople(seed: 3)
        let none = SimulatedPeople.Errors(pixels: 0, pose: 0, stand: 0)
        let person = SimulatedPeople.Person(foot: [0, 0, -3])
        var views = [Place(-1, 1.2, 0), Place(1, 1.2, 0), Place(0, 1.2, -6)].enumerated().map { index, stand in
            room.view("rig \(index)", at: stand, toward: [0, 1, -3], [person], errors: none)
        }
        views[2].people[0].joints[.leftWrist]?.point.x += 0.2
        let placed = try #require(PersonPlacing().people(views).first)
        #expect(placed.rigs.count == 3 && placed.joints.present.count == 13)
        #expect(share(errors(placed, person), 1) < 1e-6)
    }

    @Test func `what no camera can see has no place`() {
        let lens = SimulatedPeople.lens
        var nonsense = SeenPerson()
        for joint in Joint.allCases {
            nonsense.joints[joint] = SeenPerson.SeenJoint(Point(x: .nan, y: 0.5), confidence: 1)
            nonsense.shape[joint] = [.infinity, 0, 0]
        }
        let views = ["a", "b"].map {
            RigView(rig: $0, time: 0, camera: .identity, lens: lens, people: [nonsense, SeenPerson()])
        }
        #expect(PersonPlacing().people(views).isEmpty)
        #expect(PersonPlacing().people([]).isEmpty)
    }
}

extension SimulatedPeople {
    /// Returns people in 3 x 2 m, at least 40 cm from each other.
    mutating func people(_ count: Int) -> [Person] {
        var people: [Person] = []
        while people.count < count {
            let foot = Place(Double.random(in: -1.5...1.5, using: &dice), 0, Double.random(in: -4 ... -2, using: &dice))
            let isFree = people.allSatisfy { other in
                let off = other.foot - foot
                return (off * off).sum() > 0.16
            }
            if isFree { people.append(Person(foot: foot, facing: Double.random(in: 0...6.28, using: &dice))) }
        }
        return people
    }
}
