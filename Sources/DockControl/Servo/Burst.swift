internal import Geometry

/// A short turn of an axis that has not proven its sign yet, and the pause after it. A burst begins only with a frame,
/// when the previous pause is over.
struct Burst: Sendable, Equatable {
    /// When the burst ends, and when the next one may begin; CLOCK_MONOTONIC.
    let end: Seconds
    let next: Seconds
    /// rad/s.
    let speed: Double
    /// The axis that turns; nil: both may turn.
    let axis: Axis?

    /// Shortest burst and shortest pause, seconds, and in frames.
    static let length = (seconds: 0.15, pictures: 1.5), pause = (seconds: 0.1, pictures: 0.5)
    /// Largest angle of a burst, radians.
    static let most = Double.degrees(9)

    /// Upper bound of the time that a slow head gets for `most`, seconds: a smaller angle reveals little.
    static let longest: Seconds = 0.45

    /// Creates a burst at `now` for a camera with a frame every `period` seconds and a head that turns at most
    /// `fastest`, rad/s; `axis`: for that axis only.
    init(from now: Seconds, period: Seconds, fastest: Double, axis: Axis? = nil) {
        let way = min(Self.longest, Self.most / max(fastest, 1e-3))
        let length = max(Self.length.seconds, Self.length.pictures * period, way)
        end = now + length
        next = end + max(Self.pause.seconds, Self.pause.pictures * period)
        self.axis = axis
        speed = min(SignGuard.unprovenSpeed, Self.most / length)
    }
}
