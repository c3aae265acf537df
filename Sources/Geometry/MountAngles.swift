internal import Glibc

/// How a camera is turned against the head that carries it: first to the right, then up, then clockwise.
///
/// A camera that was screwed on by hand is off by a degree or three. Directions have x to the right, y up and z backward.
public struct MountAngles: Sendable, Equatable {
    /// The angles, in radians: to the right, up, and clockwise as seen from behind the camera.
    public let yaw, pitch, roll: Double
    /// The directions of the camera's own axes in the head.
    private let x, y, z: SIMD3<Double>

    /// A camera that looks where the head looks.
    public static let straight = MountAngles()

    /// Creates mount angles, in radians.
    public init(yaw: Double = 0, pitch: Double = 0, roll: Double = 0) {
        (self.yaw, self.pitch, self.roll) = (yaw, pitch, roll)
        let (s, c, t, d) = (sin(yaw), cos(yaw), sin(pitch), cos(pitch)), (r, q) = (sin(roll), cos(roll))
        let right = SIMD3(c, 0, s), up = SIMD3(-s * t, d, c * t)
        x = right * q - up * r
        y = right * r + up * q
        z = SIMD3(-s * d, -t, c * d)
    }

    /// Returns a direction of the camera as one of the head.
    public func toHead(_ direction: SIMD3<Double>) -> SIMD3<Double> {
        x * direction.x + y * direction.y + z * direction.z
    }

    /// Returns a direction of the head as one of the camera.
    public func toCamera(_ direction: SIMD3<Double>) -> SIMD3<Double> {
        SIMD3((x * direction).sum(), (y * direction).sum(), (z * direction).sum())
    }
}
