internal import Geometry

/// A short turn of an axis that has not proven its sign yet, and the pause after it. A burst begins only with a frame,
/// when the previous pause is over.
struct Burst: Sendable, Equatable {
    /// When the burst ends, and when the next one may begin; CLOCK_MONOTONIC.
    let end: Seconds
    let next: Seconds
    /// The speed, in rad/s.
    let speed: Double
    /// The axis that turns, or nil if both may turn.
    let axis: Axis?

    /// The shortest burst and shortest pause, seconds, and in frames.
    static let length = (seconds: 0.15, pictures: 1.5), pause = (seconds: 0.1, pictures: 0.5)
    /// The largest angle of a burst, in radians.
    static let most = Double.degrees(9)

    /// The upper bound of the time that a slow head gets for `most`, in seconds. A smaller angle reveals little.
    static let longest: Seconds = 0.45

    /// Creates a burst at `now` for a camera with a frame every `period` seconds and a head that turns at most
    /// `fastest`, in rad/s; `axis`: for that axis only.
    init(from now: Seconds, period: Seconds, fastest: Double, axis: Axis? = nil) {
        let way = min(Self.longest, Self.most / max(fastest, 1e-3))
        let length = max(Self.length.seconds, Self.length.pictures * period, way)
        end = now + length
        next = end + max(Self.pause.seconds, Self.pause.pictures * period)
        self.axis = axis
        speed = min(SignGuard.unprovenSpeed, Self.most / length)
    }
}

/// The bursts of a head whose signs are not proven, one after another.
struct BurstSequence: Sendable, Equatable {
    private var current: Burst?
    /// The usual time between frames, in seconds.
    private var period: Seconds = 0.05

    /// Records the time since the previous frame, in seconds.
    mutating func framed(after gap: Seconds) { period += 0.2 * (gap.clamped(to: 0.02...0.25) - period) }

    /// Begins the next burst of a head that turns at most `fastest` (rad/s), if the last one and its pause are over.
    /// `needsBothAxes`: both axes have far to go, so they turn one after another.
    mutating func begin(needsBothAxes: Bool, fastest: Double, now: Seconds) {
        guard current.map({ now >= $0.next }) ?? true else { return }
        let axis: Axis? = needsBothAxes ? (current?.axis == .pan ? .tilt : .pan) : nil
        current = Burst(from: now, period: period, fastest: fastest, axis: axis)
    }

    /// Returns the speed limit of an axis, in rad/s. It is 0 between bursts, and if the axis has no room.
    func most(_ axis: Axis, hasRoom: Bool, now: Seconds) -> Double {
        guard hasRoom else { return 0 }
        // There was no recent burst. For example, a person turned the axis to a position where the image reveals
        // nothing, and it is now on its way back.
        guard let current, now < current.end + SignGuard.longestGap else { return SignGuard.blindSpeed }
        return now < current.end && current.axis ?? axis == axis ? current.speed : 0
    }
}
