import Glibc
import Geometry

/// The filtered rectangle of a track: its centre and its size, each with a velocity.
struct BoxFilter: Sendable {
    private(set) var x: AxisFilter
    private(set) var y: AxisFilter
    /// Logarithms of width and height.
    private var logWidth: AxisFilter
    private var logHeight: AxisFilter
    /// The width and height now.
    private(set) var width: Double
    private(set) var height: Double

    /// Begins at a detector's rectangle.
    init(at rect: Rect, prior: MotionPrior, motion: TrackerOptions.Motion) {
        x = AxisFilter(at: rect.center.x, noise: motion.centreNoise * rect.width, speed: prior.x * rect.width)
        y = AxisFilter(at: rect.center.y, noise: motion.centreNoise * rect.height, speed: prior.y * rect.height)
        logWidth = AxisFilter(at: log(rect.width), noise: motion.sizeNoise, speed: motion.growth)
        logHeight = AxisFilter(at: log(rect.height), noise: motion.sizeNoise, speed: motion.growth)
        width = rect.width
        height = rect.height
    }

    /// The current rectangle: filtered, or predicted.
    var rect: Rect { Rect(center: Point(x: x.position, y: y.position), width: width, height: height) }
    /// The velocity of the centre, frame widths and heights per second.
    var velocity: Point { Point(x: x.velocity, y: y.velocity) }
    /// The variance of the size, as a fraction of it: that of both logarithms together.
    var sizeVariance: Double { logWidth.p00 + logHeight.p00 }

    /// Predicts to the next frame's exposure. The velocity of a fading box is gradually forgotten.
    mutating func predict(_ elapsed: Seconds, prior: MotionPrior, motion: TrackerOptions.Motion, isFading: Bool) {
        let persistence = prior.persistence
        x.predict(elapsed, speed: prior.x * width, persistence: persistence, isFading: isFading)
        y.predict(elapsed, speed: prior.y * height, persistence: persistence, isFading: isFading)
        logWidth.predict(elapsed, speed: motion.growth, persistence: persistence, isFading: isFading)
        logHeight.predict(elapsed, speed: motion.growth, persistence: persistence, isFading: isFading)
        measureUp()
    }

    /// Stops at the frame's edge: a prediction that has left the frame does not move farther away.
    mutating func waitOutside() {
        if x.position < 0 && x.velocity < 0 || x.position > 1 && x.velocity > 0 { x.forgetVelocity() }
        if y.position < 0 && y.velocity < 0 || y.position > 1 && y.velocity > 0 { y.forgetVelocity() }
    }

    /// Moves with the stationary world.
    mutating func move(by shift: PictureShift) {
        if shift.dx != 0 { x.move(by: shift.dx, deviation: shift.uncertainty * shift.dx) }
        if shift.dy != 0 { y.move(by: shift.dy, deviation: shift.uncertainty * shift.dy) }
    }

    /// Updates with a detector's rectangle.
    mutating func update(_ rect: Rect, motion: TrackerOptions.Motion) {
        x.update(rect.center.x, noise: motion.centreNoise * rect.width)
        y.update(rect.center.y, noise: motion.centreNoise * rect.height)
        logWidth.update(log(rect.width), noise: motion.sizeNoise)
        logHeight.update(log(rect.height), noise: motion.sizeNoise)
        measureUp()
    }

    private mutating func measureUp() {
        // Prediction alone must not make a subject larger than the frame.
        width = exp(min(logWidth.position, 0))
        height = exp(min(logHeight.position, 0))
    }
}
