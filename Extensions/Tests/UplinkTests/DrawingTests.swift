import Aerie
import ControlProtocol
import Geometry
import SpatialModel
import Testing

@testable import Uplink

/// People of the room as items of the daemon's layer.
@Suite struct DrawingTests {
    private static let stand: HeadModel = {
        var head = HeadModel()
        (head.stand, head.heading) = ([1.5, 0.8, -2], .degrees(-90))
        (head.axis, head.lens) = ((up: 0.06, ahead: 0.01), (right: 0.01, up: 0.02, ahead: 0.03))
        return head
    }()

    /// A person that stands upright at a place of the room, as another robot or this one sees it.
    private static func people(at places: [SIMD3<Double>], source: String, age: Double = 0) -> [ShownPeople.Person] {
        var shown = ShownPeople()
        let heights: [Joint: Double] = [
            .head: 1.6, .leftShoulder: 1.4, .rightShoulder: 1.4, .leftElbow: 1.1, .leftHip: 0.9,
        ]
        let reports = places.enumerated().map { number, place in
            var joints = Joints<PlacedPerson.PlacedJoint>()
            for (joint, height) in heights {
                joints[joint] = PlacedPerson.PlacedJoint(place + [0, height, 0], confidence: 0.9)
            }
            return ShownPeople.Report(name: "person-00\(number + 1)", source: source, joints: joints)
        }
        shown.update(reports, time: 10)
        return shown.people(at: 10 + age)
    }

    @Test func `a place of the room is where the camera of the daemon sees it`() {
        // The pan axis looks along the room's -x, so what is 2 m that way is straight ahead.
        let known = RoomStand(Self.stand, isKnownToDock: true)
        let ahead = known.dockPlace([-0.5, 0.8, -2]) - [0, 0, -2]
        #expect((ahead * ahead).sum() < 1e-18)
        // A daemon that does not know the head draws as if the camera at home were the origin.
        let unknown = RoomStand(Self.stand)
        let seen = unknown.dockPlace([-0.5, 0.8, -2]) - [-0.01, -0.08, -2 + 0.04]
        #expect((seen * seen).sum() < 1e-18)
    }

    @Test func `the mount is the daemon's affair`() {
        var turned = Self.stand
        turned.mount = MountAngles(yaw: 0.1, pitch: 0.05, roll: 0.02)
        for isKnown in [false, true] {
            let plain = RoomStand(Self.stand, isKnownToDock: isKnown), other = RoomStand(turned, isKnownToDock: isKnown)
            #expect(plain.dockPlace([0, 1, 0]) == other.dockPlace([0, 1, 0]))
        }
    }

    @Test func `people that only others see have dotted limbs, and the name says who sees them`() {
        let drawing = PeopleDrawing(device: "own-device", stand: RoomStand())
        let own = drawing.items(Self.people(at: [[0, 0, -3]], source: "own-device"))
        let others = drawing.items(Self.people(at: [[0, 0, -3]], source: "kitchen-robot"))
        #expect(own.contains { $0.kind == .line } && !others.contains { $0.kind == .line })
        #expect(others.count { $0.kind == .point && $0.mark == "·" } % 3 == 0)
        #expect(own.contains { $0.text == "person-001 own" })
        #expect(others.contains { $0.text == "person-001 kitchen-" })
        let old = drawing.items(Self.people(at: [[0, 0, -3]], source: "own-device", age: 0.6))
        #expect(old.contains { $0.text == "person-001 own 600 ms" })
        #expect(drawing.items(Self.people(at: [[0, 0, -3]], source: "own-device", age: 1.01)).isEmpty)
    }

    @Test(arguments: [("b", true), ("a", true), ("c", false)])
    func `a person whom this robot and another one see is not dotted, and the head is not sent there`(
        device: String, isSeen: Bool
    ) throws {
        var joints = Joints<PlacedPerson.PlacedJoint>()
        for (joint, x) in [(Joint.head, 0.0), (.leftShoulder, -0.2), (.rightShoulder, 0.2)] {
            joints[joint] = PlacedPerson.PlacedJoint([x, 1.5, -3], confidence: 0.9)
        }
        let person = PoseReport.Person(name: "person-001", device: "a", devices: ["a", "b"], joints: joints)
        var shown = ShownPeople()
        shown.update([ShownPeople.Report(person, device: device)], time: 10)
        let people = shown.people(at: 10)
        let items = PeopleDrawing(device: device, stand: RoomStand()).items(people)
        #expect(items.contains { $0.kind == .line } == isSeen)
        var lookout = Lookout(device: device)
        let choice = lookout.choose(people, from: HeadModel())
        #expect((choice == nil) == isSeen)
    }

    @Test func `a crowd fits into a layer, and the nearest people are drawn last`() {
        let drawing = PeopleDrawing(device: "own", stand: RoomStand())
        let items = drawing.items(Self.people(at: (1...40).map { [0, 0, -Double($0)] }, source: "own"))
        #expect(items.count <= 512 && !items.isEmpty)
        let names = items.compactMap(\.text).map { $0.prefix(10) }
        #expect(names.last == "person-001" && names.count == PeopleDrawing.most)
        // What the daemon would refuse is left out.
        let far = drawing.items(Self.people(at: [[0, 0, -2000]], source: "own"))
        #expect(far.isEmpty)
    }
}
