public import Geometry

/// Predicts where the dock will be when a command that is sent now takes effect (a Smith predictor). It runs the last
/// report and the commands since then through the rig's command latency, lag and acceleration. The servo therefore does
/// not act twice on the same error.
public struct MotionPredictor: Sendable, Equatable {
    /// The time from a command to the beginning of its effect, in seconds.
    public let latency: Seconds
    private let lag: PanTilt
    private let acceleration: PanTilt
    private var commands: [(time: Seconds, velocity: PanTilt)]
    private var newest = 0

    /// The capacity for the commands of the last second at 60 a second.
    private static let capacity = 64
    /// The step of the model, in seconds.
    private static let step: Seconds = 0.005
    /// The longest extrapolation of a report, in seconds.
    private static let horizon: Seconds = 0.3

    /// Creates a predictor for a rig at rest.
    public init(profile: RigProfile) {
        latency = profile.commandLatency
        lag = PanTilt(pan: profile.pan.lag, tilt: profile.tilt.lag)
        acceleration = PanTilt(pan: profile.pan.maxAcceleration, tilt: profile.tilt.maxAcceleration)
        commands = Array(repeating: (-.infinity, .zero), count: Self.capacity)
    }

    /// Records a commanded velocity, in rad/s.
    public mutating func commanded(_ velocity: PanTilt, at time: Seconds) {
        newest = (newest + 1) % Self.capacity
        commands[newest] = (time, velocity)
    }

    /// Returns the pose (rad) and rate (rad/s) at `when`, extrapolated from those of a report.
    public func predict(from report: MotionSample, to when: Seconds) -> (pose: PanTilt, rate: PanTilt) {
        var pose = report.pose, rate = report.rate
        var time = max(report.time, when - Self.horizon - latency)
        while time < when {
            let elapsed = min(Self.step, when - time)
            time += elapsed
            let velocity = commandedVelocity(at: time - latency)
            for axis in Axis.allCases {
                let most = acceleration[axis] * elapsed
                let share = elapsed / max(lag[axis] + elapsed / 2, elapsed)
                let change = (share * (velocity[axis] - rate[axis])).clamped(to: -most...most)
                pose[axis] += (rate[axis] + change / 2) * elapsed
                rate[axis] += change
            }
        }
        return (pose, rate)
    }

    /// Returns the velocity that was commanded at a time.
    private func commandedVelocity(at time: Seconds) -> PanTilt {
        for back in 0..<Self.capacity {
            let command = commands[(newest + Self.capacity - back) % Self.capacity]
            if command.time <= time { return command.velocity }
        }
        return .zero
    }

    /// Returns whether both have the same last command.
    public static func == (a: Self, b: Self) -> Bool {
        a.newest == b.newest && a.commands[a.newest].time == b.commands[b.newest].time
            && a.commands[a.newest].velocity == b.commands[b.newest].velocity
    }
}
