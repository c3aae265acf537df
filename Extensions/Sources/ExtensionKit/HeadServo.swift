public import Geometry
internal import Glibc

/// Turns poses to be reached into velocities, as a stream of them needs: each pose differs a little from the one before,
/// and a motion of its own for each would begin at rest again and again. It is for programs in which a hand drags the head.
///
/// The velocity is that of the target, plus a share of what is missing. The daemon bounds it.
public struct HeadServo: Sendable {
    private var target: (pose: PanTilt, at: Seconds)?
    /// The smoothed velocity of the target, in rad/s.
    private var rate = PanTilt.zero
    /// The head's last report.
    private var head: (pose: PanTilt, velocity: PanTilt, at: Seconds)?

    /// How long each velocity lasts if no other follows it, in seconds: `setAngularVelocity(_:for:)`.
    public static let expiry: Seconds = 0.25
    /// How much of what is missing is made up for in a second: half of it in 0.14 s.
    static let gain = 5.0
    /// The time constant of the target's velocity, in seconds.
    static let smoothing: Seconds = 0.06
    /// The longest time over which a report is carried on, in seconds.
    static let longest: Seconds = 0.3
    /// Less than this is not worth a motion: encoders have noise. In radians.
    static let slack = Double.degrees(0.15)

    /// Creates a servo that knows nothing.
    public init() {}

    /// The head was here, with this velocity, at a time.
    public mutating func report(_ pose: PanTilt, velocity: PanTilt, at time: Seconds) { head = (pose, velocity, time) }

    /// The head's pose is not known any more.
    public mutating func forget() { head = nil }

    /// The head's present pose, in radians, or nil if it is not known.
    public func pose(now: Seconds) -> PanTilt? {
        head.map { $0.pose + $0.velocity * min(max(0, now - $0.at), Self.longest) }
    }

    /// A new hand begins.
    public mutating func begin() { (target, rate) = (nil, .zero) }

    /// Returns the velocity toward a target that was set now, in rad/s, or nil if the head's pose is not known.
    public mutating func velocity(toward pose: PanTilt, now: Seconds) -> PanTilt? {
        guard let place = self.pose(now: now) else { return nil }
        if let target, now > target.at {
            let span = now - target.at, share = 1 - exp(-span / Self.smoothing)
            rate = rate + ((pose - target.pose) * (1 / span) - rate) * share
        }
        target = (pose, now)
        let missing = pose - place
        var velocity = rate + missing * Self.gain
        for axis in Axis.allCases where abs(missing[axis]) < Self.slack && abs(rate[axis]) < Self.slack {
            velocity[axis] = 0
        }
        return velocity
    }
}
