internal import Geometry
internal import Glibc

/// The factors of one step of a critically damped spring: they are exact for any step, so the frame rate does not
/// matter.
struct SpringStep: Sendable {
    let decay: Float, omega: Float, elapsed: Float

    /// Creates a step. `settling` is the time in which 95 % of the distance is covered.
    init(settling: Seconds, elapsed: Seconds) {
        let rate = 4.744 / settling
        decay = Float(exp(-rate * elapsed))
        omega = Float(rate)
        self.elapsed = Float(elapsed)
    }

    @inline(__always)
    func move<V: SIMD>(_ value: inout V, _ velocity: inout V, to target: V) where V.Scalar == Float {
        let away = value - target
        let push = (velocity + omega * away) * elapsed
        velocity = (velocity - omega * push) * decay
        value = target + (away + push) * decay
    }
}
