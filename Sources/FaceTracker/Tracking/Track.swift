import Glibc
import Geometry

/// The tracker's knowledge about one subject, or about a candidate for one.
struct Track: Sendable {
    /// 0 while it is a candidate.
    var id = 0
    var kind: SubjectKind
    var x: AxisFilter
    var y: AxisFilter
    /// Logarithms of width and height.
    var logWidth: AxisFilter
    var logHeight: AxisFilter
    /// Width and height now.
    private(set) var width: Double
    private(set) var height: Double
    var born: Seconds
    var lastSeen: Seconds
    var isSeen = true
    var measured: Rect
    var score: Double
    var attributes: FaceAttributes
    var salience = 0.0
    var isKept = false

    var isConfirmed: Bool { id > 0 }

    init(_ detection: Detection, at time: Seconds, prior: MotionPrior, options: TrackerOptions) {
        let rect = detection.rect
        kind = detection.kind
        x = AxisFilter(
            at: rect.center.x, noise: options.measurementNoise * rect.width, speed: prior.x * rect.width)
        y = AxisFilter(
            at: rect.center.y, noise: options.measurementNoise * rect.height, speed: prior.y * rect.height)
        logWidth = AxisFilter(at: log(rect.width), noise: options.sizeNoise, speed: options.growth)
        logHeight = AxisFilter(at: log(rect.height), noise: options.sizeNoise, speed: options.growth)
        width = rect.width
        height = rect.height
        born = time
        lastSeen = time
        measured = rect
        score = detection.score
        attributes = detection.attributes
    }

    /// The current rectangle: filtered, or predicted.
    var rect: Rect { Rect(center: Point(x: x.position, y: y.position), width: width, height: height) }

    /// Predicts to the next frame's exposure.
    mutating func predict(_ elapsed: Seconds, shift: PictureShift, prior: MotionPrior, options: TrackerOptions) {
        let isFading = !isSeen
        x.predict(elapsed, speed: prior.x * width, persistence: options.persistence, isFading: isFading)
        y.predict(elapsed, speed: prior.y * height, persistence: options.persistence, isFading: isFading)
        logWidth.predict(elapsed, speed: options.growth, persistence: options.persistence, isFading: isFading)
        logHeight.predict(elapsed, speed: options.growth, persistence: options.persistence, isFading: isFading)
        measureUp()
        // A selected subject that has left the frame is expected back near where it left, so its prediction does not move
        // further away.
        if isFading, isKept {
            if x.position < 0 && x.velocity < 0 || x.position > 1 && x.velocity > 0 { x.forgetVelocity() }
            if y.position < 0 && y.velocity < 0 || y.position > 1 && y.velocity > 0 { y.forgetVelocity() }
        }
        if shift.dx != 0 { x.move(by: shift.dx, deviation: shift.uncertainty * shift.dx) }
        if shift.dy != 0 { y.move(by: shift.dy, deviation: shift.uncertainty * shift.dy) }
        isSeen = false
    }

    private mutating func measureUp() {
        // Prediction alone must not make a subject larger than the frame.
        width = exp(min(logWidth.position, 0))
        height = exp(min(logHeight.position, 0))
    }

    /// Continues the lost track that this candidate was identified with.
    mutating func adopt(_ lost: Track) {
        id = lost.id
        born = lost.born
        salience = lost.salience
        isKept = lost.isKept
    }

    /// Updates with the detection that was matched to this subject.
    mutating func take(_ detection: Detection, at time: Seconds, options: TrackerOptions) {
        let rect = detection.rect
        x.update(rect.center.x, noise: options.measurementNoise * rect.width)
        y.update(rect.center.y, noise: options.measurementNoise * rect.height)
        logWidth.update(log(rect.width), noise: options.sizeNoise)
        logHeight.update(log(rect.height), noise: options.sizeNoise)
        measureUp()
        lastSeen = time
        isSeen = true
        measured = rect
        score = detection.score
        attributes = detection.attributes
    }
}
