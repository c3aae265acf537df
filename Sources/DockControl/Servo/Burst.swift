internal import Geometry

/// A short turn of an axis that has not proven its sign yet, and the pause after it. One begins only with a picture, when the pause
/// before it is over.
struct Burst: Sendable, Equatable {
    /// When it is over, and when the next one may begin; CLOCK_MONOTONIC.
    let end: Seconds
    let next: Seconds
    /// rad/s.
    let speed: Double
    /// The axis that turns; nil: both may.
    let axis: Axis?

    /// A burst and the pause after it last no shorter than this, seconds, and so many pictures.
    static let length = (seconds: 0.15, pictures: 1.5), pause = (seconds: 0.1, pictures: 0.5)
    /// A burst goes no farther than this, radians.
    static let most = Double.degrees(9)

    /// ... but a slow head takes its time, seconds: less than that way says little.
    static let longest: Seconds = 0.45

    /// One that begins at `now` before a camera that takes a picture every `period` seconds, of a head that turns no faster than
    /// `fastest`, rad/s; `axis`: of that axis only.
    init(from now: Seconds, period: Seconds, fastest: Double, axis: Axis? = nil) {
        let way = min(Self.longest, Self.most / max(fastest, 1e-3))
        let length = max(Self.length.seconds, Self.length.pictures * period, way)
        end = now + length
        next = end + max(Self.pause.seconds, Self.pause.pictures * period)
        self.axis = axis
        speed = min(SignGuard.unprovenSpeed, Self.most / length)
    }
}
