import SpatialModel
import Testing

/// People over time.
@Suite struct PersonTrackerTests {
    typealias Place = HeadModel.Place

    /// A person with two shoulders and two hips about a place.
    private func person(_ place: Place) -> PlacedPerson {
        var joints = Joints<PlacedPerson.PlacedJoint>()
        for (joint, offset) in [
            (Joint.leftShoulder, Place(-0.2, 0.3, 0)), (.rightShoulder, [0.2, 0.3, 0]), (.leftHip, [-0.1, -0.3, 0]),
            (.rightHip, [0.1, -0.3, 0]),
        ] { joints[joint] = PlacedPerson.PlacedJoint(place + offset, confidence: 0.9) }
        return PlacedPerson(joints: joints, method: .floor, rigs: ["a"])
    }

    @Test func `two people who pass each other keep their numbers`() {
        var tracker = PersonTracker()
        for step in 0...40 {
            let t = Double(step) / 10, way = -1.2 + 0.6 * t
            let there = tracker.update([person([way, 1, -3]), person([-way, 1, -3.4])], now: t)
            #expect(there.map(\.number) == [1, 2])
            guard step > 8 else { continue }
            #expect(abs((there[0].joints[.leftHip]?.place.x ?? 9) - (way - 0.1)) < 0.01)
        }
    }

    @Test func `a person who is hidden for a moment is the same, and after two seconds another`() {
        var tracker = PersonTracker()
        for step in 0..<5 { _ = tracker.update([person([0, 1, -3])], now: Double(step) / 10) }
        for step in 5..<9 { #expect(tracker.update([], now: Double(step) / 10).map(\.name) == ["person-001"]) }
        for step in 9..<15 { #expect(tracker.update([], now: Double(step) / 10).isEmpty) }
        // Back after 1.1 s, 80 cm away.
        #expect(tracker.update([person([0.8, 1, -3])], now: 1.5).map(\.number) == [1])
        #expect(tracker.update([], now: 3.4).map(\.number) == [1])
        #expect(tracker.update([person([0.8, 1, -3])], now: 3.6).map(\.number) == [2])
    }

    @Test func `a person who stands trembles less than what is seen`() {
        var tracker = PersonTracker(), dice = TestDice(4), seen = 0.0, shown = 0.0
        for step in 0..<200 {
            let place = Place(dice.normal() * 0.03, 1, -3)
            let there = tracker.update([person(place)], now: Double(step) / 10)
            guard step > 20, let x = there.first?.joints[.leftHip]?.place.x else { continue }
            seen += place.x * place.x
            shown += (x + 0.1) * (x + 0.1)
        }
        #expect(shown < seen * 0.8, "\(shown) of \(seen)")
    }

    @Test func `a person without joints is not tracked, and the same moment twice changes nothing`() {
        var tracker = PersonTracker()
        let empty = PlacedPerson(joints: Joints(), method: .floor, rigs: [])
        #expect(tracker.update([empty], now: 0).isEmpty)
        let first = tracker.update([person([0, 1, -3])], now: 1)
        #expect(tracker.update([person([0.3, 1, -3])], now: 1) == first)
    }
}
