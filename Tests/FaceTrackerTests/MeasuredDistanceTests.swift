import FaceTracker
import Geometry
import Testing

/// What depth cameras measure, in the automatic choice between people.
@Suite struct MeasuredDistanceTests {
    /// A child on the left, number 1, who looks smaller than the adult on the right, number 2, after two seconds. `stated`
    /// is what the detector says of both, `measured` what depth cameras measure in each frame.
    private static func subjects(
        stated: [Double?] = [nil, nil], measured: (Int) -> [MeasuredDistance] = { _ in [] }
    ) -> [TrackedSubject] {
        var tracker = Tracker()
        for step in 0..<30 {
            var frame = DetectionFrame(exposure: 100 + Double(step) / 15, detections: [])
            for (index, width) in [0.16, 0.2].enumerated() {
                let center = Point(x: index == 0 ? 0.35 : 0.65, y: 0.5)
                frame.detections.append(
                    Detection(
                        rect: Rect(center: center, width: width, height: 1.5 * width), score: 0.9,
                        attributes: FaceAttributes(distance: stated[index])))
            }
            tracker.update(frame, distances: measured(step))
        }
        return tracker.subjects
    }

    private static func choice(_ subjects: [TrackedSubject]) -> Int? {
        var selection = SubjectSelection()
        return selection.pick(from: subjects, now: 110).primary
    }

    private static func distances(_ metres: (id: Int, metres: Double)...) -> [MeasuredDistance] {
        metres.map { MeasuredDistance(id: $0.id, metres: $0.metres, until: 200) }
    }

    @Test func `the nearer person is chosen by what a depth camera measures`() {
        let plain = Self.subjects()
        #expect(plain.map(\.id) == [1, 2] && Self.choice(plain) == 2, "the size decides")
        let measured = Self.subjects { _ in Self.distances((1, 1.1), (2, 1.5)) }
        #expect(Self.choice(measured) == 1 && measured.map(\.depth) == [1.1, 1.5])
        #expect(measured.allSatisfy { $0.attributes.distance == nil }, "the detector has stated nothing")
        #expect(Self.choice(Self.subjects { _ in Self.distances((1, 1.1)) }) == 2, "one distance compares nothing")
    }

    @Test func `a measured distance counts more than a stated one, and a newer one more than an older one`() {
        let stated: [Double?] = [1.5, 1.1]
        #expect(Self.choice(Self.subjects(stated: stated)) == 2)
        #expect(Self.choice(Self.subjects(stated: stated) { _ in Self.distances((1, 1.1), (2, 1.5)) }) == 1)
        let both = Self.subjects { _ in Self.distances((1, 9), (1, 1.1), (2, 1.5)) }
        #expect(Self.choice(both) == 1 && both.first?.depth == 1.1)
        let mixed = Self.subjects(stated: [nil, 1.5]) { _ in Self.distances((1, 1.1)) }
        #expect(Self.choice(mixed) == 1, "of two sources, each counts for its person")
    }

    @Test func `a distance that is not measured any more, or of no subject, does nothing`() {
        let over = Self.subjects { $0 < 5 ? Self.distances((1, 1.1), (2, 1.5)) : [] }
        #expect(Self.choice(over) == 2 && over.allSatisfy { $0.depth == nil })
        let unknown = Self.subjects { _ in Self.distances((0, 0.1), (-1, 0.1), (99, 0.1)) }
        #expect(unknown == Self.subjects())
    }

    @Test func `a tracker knows its subjects until it forgets them`() {
        var tracker = Tracker()
        let face = Detection(rect: Rect(x: 0.4, y: 0.4, width: 0.2, height: 0.3), score: 0.9)
        tracker.update(DetectionFrame(exposure: 100, detections: [face]))
        #expect(tracker.knows(1) && !tracker.knows(0) && !tracker.knows(2))
        tracker.update(DetectionFrame(exposure: 101, detections: []))
        #expect(tracker.subjects.isEmpty && tracker.knows(1), "it may return")
        tracker.reset()
        #expect(!tracker.knows(1))
    }
}
