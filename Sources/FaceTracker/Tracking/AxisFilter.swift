import Glibc
import Geometry

/// The position and velocity along one axis: a Kalman filter whose noise is given in sizes of the rectangle.
struct AxisFilter: Sendable {
    var position: Double
    var velocity = 0.0
    /// The variance of position, the covariance, and the variance of velocity.
    private(set) var p00: Double
    private(set) var p01 = 0.0
    private(set) var p11: Double

    /// Starts at a measured position, with `noise` in lengths, `speed` in lengths per second.
    init(at position: Double, noise: Double, speed: Double) {
        self.position = position
        p00 = noise * noise
        p11 = speed * speed
    }

    /// Predicts over `elapsed`. `speed` is the typical speed, and `persistence` the time constant, in seconds, with
    /// which the velocity changes. With `isFading`, the velocity also decays and its estimate is forgotten: a subject
    /// that has not been seen for long may move like any other.
    mutating func predict(_ elapsed: Seconds, speed: Double, persistence: Seconds, isFading: Bool = false) {
        let t = elapsed
        position += velocity * t
        let q = 2 * speed * speed / persistence
        p00 += t * (2 * p01 + t * p11) + q * t * t * t / 3
        p01 += t * p11 + q * t * t / 2
        p11 += q * t
        guard isFading else { return }
        let keep = exp(-t / persistence)
        velocity *= keep
        p01 *= keep
        p11 = min(p11 * keep * keep, speed * speed)
    }

    /// The variance of the position after `elapsed` seconds at a constant velocity.
    func variance(after elapsed: Seconds) -> Double { p00 + elapsed * (2 * p01 + elapsed * p11) }

    /// Forgets the velocity, because the direction of motion is no longer known.
    mutating func forgetVelocity() { (velocity, p01) = (0, 0) }

    /// Moves the position by `shift`, known to within `deviation`, because the camera turned.
    mutating func move(by shift: Double, deviation: Double) {
        position += shift
        p00 += deviation * deviation
    }

    /// Updates with a measured position.
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

    /// Returns how surprising it is that another motion continues this one: the squared distance in deviations, and the
    /// logarithm of the uncertainty. `slack` is an extra deviation of the position that no filter models.
    func surprise(of other: AxisFilter, slack: Double) -> (squared: Double, spread: Double) {
        let a = p00 + other.p00 + slack * slack, b = p01 + other.p01, c = p11 + other.p11
        let determinant = max(a * c - b * b, 1e-18)
        let x = other.position - position, v = other.velocity - velocity
        return ((c * x * x - 2 * b * x * v + a * v * v) / determinant, log(determinant))
    }
}
