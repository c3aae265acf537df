import FaceTracker
import Geometry
import Testing

/// Room for others next to the followed person.
@Suite struct GroupFramingTests {
    private static let place = Point(x: 0.5, y: 0.45)

    private static func person(
        _ id: Int, x: Double, y: Double = 0.45, width: Double = 0.1, height: Double = 0.2, moves: Double = 0,
        salience: Double = 0.5
    ) -> TrackedSubject {
        TrackedSubject(
            id: id, rect: Rect(center: Point(x: x, y: y), width: width, height: height),
            velocity: Point(x: moves, y: 0), salience: salience)
    }

    /// Shows the same people for some seconds, from a head that obeys.
    private static func watch(
        _ others: [TrackedSubject], seconds: Double = 6, isWanted: Bool = true,
        each: (GroupFraming) -> Void = { _ in }
    ) -> GroupFraming {
        var group = GroupFraming()
        for frame in 0..<Int(seconds * 30) {
            let shift = group.shift
            let all = ([person(1, x: place.x, y: place.y)] + others).map { subject in
                var subject = subject
                subject.rect.x += shift.x
                subject.rect.y += shift.y
                return subject
            }.filter { $0.rect.intersection(.full) != nil }
            group.update(
                followed: all.first, among: all, place: place, isWanted: isWanted, now: 10 + Double(frame) / 30)
            each(group)
        }
        return group
    }

    @Test func `alone, or with a person who is fully in the image, the followed person stays in place`() {
        #expect(Self.watch([]).shift == Point(x: 0, y: 0))
        #expect(Self.watch([Self.person(2, x: 0.8), Self.person(3, x: 0.2)]).shift == Point(x: 0, y: 0))
    }

    @Test func `a person at the edge is brought in, with the smallest shift needed`() {
        let right = Self.watch([Self.person(2, x: 0.98)]).shift, left = Self.watch([Self.person(2, x: 0.0)]).shift
        #expect(abs(right.x + 0.05) < 0.003 && right.y == 0, "\(right)")
        #expect(abs(left.x - 0.07) < 0.003, "\(left)")
        let below = Self.watch([Self.person(2, x: 0.5, y: 0.93)]).shift
        #expect(abs(below.y + 0.05) < 0.003 && below.x == 0, "\(below)")
    }

    @Test func `a person who would push the followed one out of place is ignored, and so is one on the other side`() {
        #expect(Self.watch([Self.person(2, x: 1.04)]).shift == Point(x: 0, y: 0))
        let both = Self.watch([Self.person(2, x: 0.98, salience: 0.5), Self.person(3, x: 0.02, salience: 0.4)]).shift
        #expect(both.x < -0.04, "the more salient one: \(both)")
    }

    @Test func `passers-by and the background cause no shift`() {
        #expect(Self.watch([Self.person(2, x: 0.98, moves: 0.4)]).shift == Point(x: 0, y: 0))
        #expect(Self.watch([Self.person(2, x: 0.98, salience: 0.1)]).shift == Point(x: 0, y: 0))
        #expect(Self.watch([Self.person(2, x: 0.98)], seconds: 0.9).shift == Point(x: 0, y: 0))
        #expect(Self.watch([Self.person(2, x: 0.98)], isWanted: false).shift == Point(x: 0, y: 0))
    }

    @Test func `the shift is smooth, and the followed person returns to the old place when the others are gone`() {
        var before = Point(x: 0, y: 0)
        var group = Self.watch([Self.person(2, x: 0.98), Self.person(3, x: 0.5, y: 0.93)]) {
            #expect(abs($0.shift.x - before.x) < 0.08 / 30 + 1e-9 && abs($0.shift.y - before.y) < 0.08 / 30 + 1e-9)
            before = $0.shift
        }
        for frame in 0..<300 {
            let one = Self.person(1, x: 0.5)
            group.update(followed: one, among: [one], place: Self.place, isWanted: true, now: 16 + Double(frame) / 30)
        }
        #expect(abs(group.shift.x) < 1e-3 && abs(group.shift.y) < 1e-3)
    }

    @Test func `a crowd, times that stand still and invalid rectangles do no harm`() {
        var group = GroupFraming()
        for frame in 0..<60 {
            let crowd = (2..<60).map { Self.person($0, x: Double($0) / 30 - 0.5, salience: Double($0 % 7) / 7) }
            let odd = [Self.person(99, x: .nan), Self.person(98, x: 0.5, width: .infinity), Self.person(97, x: 1e300)]
            group.update(
                followed: Self.person(1, x: 0.5), among: crowd + odd, place: Self.place, isWanted: true,
                now: 10 + Double(frame / 2) / 15)
            #expect(abs(group.shift.x) <= GroupFraming.most && abs(group.shift.y) <= GroupFraming.most)
        }
    }
}
