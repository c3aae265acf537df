public import Geometry
internal import Glibc

/// Where a hand is, as a camera sees it: in metres, x to the camera's right, y away from it, z up.
public struct HandPose: Sendable, Equatable {
    /// The place of the wrist, in metres.
    public var place: SIMD3<Double>
    /// The hand's orientation: a unit quaternion with w, x, y, z.
    public var turn: SIMD4<Double>

    /// Creates a pose.
    public init(place: SIMD3<Double>, turn: SIMD4<Double> = [1, 0, 0, 0]) { (self.place, self.turn) = (place, turn) }

    /// Creates a pose from the seven numbers of a command: x, y, z, and the quaternion w, x, y, z. It is nil if no hand
    /// in front of a camera can have it: not finite, farther than 3 m, nearer than 5 cm or behind the camera, or with a
    /// quaternion whose length differs from 1 by more than a tenth.
    public init?(_ numbers: [Double]) {
        guard numbers.count == 7, numbers.allSatisfy(\.isFinite) else { return nil }
        let place = SIMD3(numbers[0], numbers[1], numbers[2])
        let turn = SIMD4(numbers[3], numbers[4], numbers[5], numbers[6])
        let length = (turn * turn).sum().squareRoot()
        guard (place * place).sum().squareRoot() <= Self.farthest, place.y > Self.nearest, abs(length - 1) <= 0.1
        else { return nil }
        self.init(place: place, turn: turn / length)
    }

    /// Limits of what a camera can see of a hand, in metres.
    private static let farthest = 3.0, nearest = 0.05

    /// The direction in which the camera sees the hand, in radians: pan to the camera's right, tilt up.
    public var bearing: PanTilt {
        let level = (place.x * place.x + place.y * place.y).squareRoot()
        return PanTilt(pan: atan2(place.x, place.y), tilt: atan2(place.z, level))
    }

    /// The distance to another place of the hand, in metres.
    func distance(to other: HandPose) -> Double {
        let way = other.place - place
        return (way * way).sum().squareRoot()
    }

    /// The angle between two orientations, in radians. A quaternion and its negative are the same orientation.
    func angle(to other: HandPose) -> Double {
        2 * acos(min(1, abs((turn * other.turn).sum())))
    }
}
