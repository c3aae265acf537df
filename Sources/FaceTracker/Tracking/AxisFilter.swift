import Glibc
import Geometry

/// Position and velocity along one axis: a Kalman filter whose noise is told in sizes of the rectangle.
struct AxisFilter: Sendable {
    var position: Double
    var velocity = 0.0
    /// Variance of position, covariance, variance of velocity.
    private(set) var p00: Double
    private(set) var p01 = 0.0
    private(set) var p11: Double

    /// Starts at a measured position; `noise` in picture lengths, `speed` in picture lengths per second.
    init(at position: Double, noise: Double, speed: Double) {
        self.position = position
        p00 = noise * noise
        p11 = speed * speed
    }

    /// Moves on by `elapsed`; `agility` in picture lengths per second in one second. With `fading`, the velocity dies
    /// down with that time constant: who is not seen for long has probably stopped.
    mutating func predict(_ elapsed: Seconds, agility: Double, fading: Seconds? = nil) {
        let t = elapsed
        position += velocity * t
        let q = agility * agility
        p00 += t * (2 * p01 + t * p11) + q * t * t * t / 3
        p01 += t * p11 + q * t * t / 2
        p11 += q * t
        guard let fading else { return }
        let keep = exp(-t / fading)
        velocity *= keep
        p01 *= keep
        p11 *= keep * keep
    }

    /// The camera turned: everything moved by `shift`, known to within `deviation`.
    mutating func move(by shift: Double, deviation: Double) {
        position += shift
        p00 += deviation * deviation
    }

    /// Takes a measured position in.
    mutating func update(_ measured: Double, noise: Double) {
        let s = p00 + noise * noise
        let k0 = p00 / s
        let k1 = p01 / s
        let innovation = measured - position
        position += k0 * innovation
        velocity += k1 * innovation
        p11 -= k1 * p01
        p01 *= 1 - k0
        p00 *= 1 - k0
    }
}
