internal import Geometry
internal import Glibc

/// A direction from the head as pan and tilt of the dock, in radians.
typealias Bearing = PanTilt

extension PanTilt {
    /// The direction as a unit vector: x to the right, y up, z backward, as seen from the dock at home.
    var direction: SIMD3<Double> { SIMD3(cos(tilt) * sin(pan), sin(tilt), -cos(tilt) * cos(pan)) }

    /// Creates the bearing of a direction of any length but 0.
    init(direction: SIMD3<Double>) {
        let level = (direction.x * direction.x + direction.z * direction.z).squareRoot()
        self.init(pan: atan2(direction.x, -direction.z), tilt: atan2(direction.y, level))
    }

    /// Returns the angle between two bearings, 0 to pi.
    func angle(to other: PanTilt) -> Double {
        let (a, b) = (direction, other.direction)
        let cross = SIMD3(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x)
        return atan2((cross * cross).sum().squareRoot(), (a * b).sum())
    }

    /// Returns the bearing on the way to another one: 0 is this one, 1 the other. Both are near each other.
    func blended(with other: PanTilt, share: Double) -> PanTilt {
        PanTilt(direction: direction * (1 - share) + other.direction * share)
    }

    /// Returns the pose within a range of poses that is nearest, axis by axis.
    func clamped(to range: PoseRange) -> PanTilt {
        PanTilt(pan: pan.clamped(to: range.pan), tilt: tilt.clamped(to: range.tilt))
    }
}
