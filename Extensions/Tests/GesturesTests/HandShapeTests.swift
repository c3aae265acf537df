import Geometry
import Testing

@testable import Gestures

/// Shapes of hands whose joints are known.
@Suite struct HandShapeTests {
    private func read(_ hand: DrawnHand) -> HandShape? {
        HandJoints(hand.points, aspect: hand.aspect).map { HandShape($0) }
    }

    @Test(arguments: HandShape.allCases) func `a shape is read in every size, place and side`(shape: HandShape) {
        for palm in [0.03, 0.1, 0.4] {
            for wrist in [Point(x: 0.2, y: 0.3), Point(x: 1.2, y: 0.9)] {
                for isMirrored in [false, true] {
                    for aspect in [4.0 / 3, 9.0 / 16] {
                        let hand = DrawnHand(
                            shape: shape, wrist: wrist, palm: palm, isMirrored: isMirrored, aspect: aspect)
                        #expect(read(hand) == shape)
                    }
                }
            }
        }
    }

    @Test(arguments: [HandShape.palm, .fist, .point, .pinch, .victory])
    func `a shape is read in every direction`(shape: HandShape) {
        for turn in stride(from: -3.0, through: 3, by: 0.5) {
            #expect(read(DrawnHand(shape: shape, turn: turn)) == shape, "\(turn)")
        }
    }

    @Test func `a thumb that points neither up nor down is no sign`() {
        for turn in [-1.2, 1.2] {
            #expect(read(DrawnHand(shape: .thumbUp, turn: turn)) != .thumbUp, "\(turn)")
            #expect(read(DrawnHand(shape: .thumbDown, turn: turn)) != .thumbDown, "\(turn)")
        }
    }

    @Test func `what is no hand is not read`() {
        let hand = DrawnHand().points
        var broken = hand
        broken[4].x = .nan
        #expect(HandJoints(Array(hand.dropLast()), aspect: 1) == nil && HandJoints(hand + hand, aspect: 1) == nil)
        #expect(HandJoints(broken, aspect: 1) == nil && HandJoints([], aspect: 1) == nil)
        #expect(HandJoints(hand, aspect: .nan) == nil && HandJoints(hand, aspect: 0) == nil)
        #expect(HandJoints(Array(repeating: Point(x: 0.5, y: 0.5), count: 21), aspect: 1) == nil)
        #expect(HandJoints(hand.map { Point(x: $0.x * 1e30, y: $0.y) }, aspect: 1) == nil)
    }
}

/// The direction of a point in the picture, and the pose at an exposure.
@Suite struct HandSightTests {
    @Test func `the middle of the picture is where the camera looks, and its edge half the angle of view away`() throws
    {
        var sight = HandSight(aspect: 4.0 / 3, focal: Point(x: 0.866, y: 1.155), heading: .degrees(pan: 20, tilt: -10))
        let middle = try #require(sight.bearing(of: Point(x: 2.0 / 3, y: 0.5)))
        #expect((middle - .degrees(pan: 20, tilt: -10)).magnitude < 1e-9)
        sight.heading = .zero
        let edge = try #require(sight.bearing(of: Point(x: 4.0 / 3, y: 0.5)))
        #expect(abs(edge.pan.inDegrees - 30) < 0.1 && abs(edge.tilt) < 1e-9)
        let top = try #require(sight.bearing(of: Point(x: 2.0 / 3, y: 0)))
        #expect(top.tilt > 0.4 && abs(top.pan) < 1e-9)
    }

    @Test func `without a heading or a lens there is no direction`() {
        #expect(HandSight(aspect: 1, focal: Point(x: 1, y: 1), heading: nil).bearing(of: Point(x: 0, y: 0)) == nil)
        #expect(HandSight(aspect: 1, focal: Point(x: 0, y: 1), heading: .zero).bearing(of: Point(x: 0, y: 0)) == nil)
        #expect(HandSight(aspect: 0, focal: Point(x: 1, y: 1), heading: .zero).bearing(of: Point(x: 0, y: 0)) == nil)
    }

    @Test func `a trail has the pose between two reports, and none when it is unknown`() throws {
        var trail = PoseTrail()
        #expect(trail.pose(at: 5) == nil)
        for tenth in 0..<100 { trail.update(PanTilt(pan: Double(tenth) / 10, tilt: 0), at: Double(tenth) / 10) }
        #expect(abs(try #require(trail.pose(at: 9.45)).pan - 9.45) < 1e-9)
        #expect(trail.pose(at: 20)?.pan == 9.9 && trail.pose(at: 7.5)?.pan == 7.9 && trail.pose(at: 3) == nil)
        trail.update(PanTilt(pan: 1, tilt: 0), at: 9.4)
        #expect(trail.pose(at: 9.9)?.pan == 1)
        trail.update(PanTilt(pan: .nan, tilt: 0), at: 10)
        #expect(trail.pose(at: 10) == nil)
        trail.update(nil, at: 11)
        #expect(trail.pose(at: 11) == nil)
    }
}
