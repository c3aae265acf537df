internal import Glibc
public import Geometry

/// From an error in angle to a velocity: acceleration-limited approach, feed-forward, dead zone with hysteresis.
///
/// Constants follow from the rig's profile, and from a sweep of `servo-trials`. One value drives both axes.
public struct ServoController: Sendable, Equatable {
    /// What decides how one axis approaches.
    public struct Gains: Sendable, Equatable {
        /// 1/s, near the goal.
        public var stiffness: Double
        /// rad/s², the deceleration the approach counts on.
        public var deceleration: Double

        /// Of that, for motors that are sent places: their own controllers swing along with ours. The sweep was flat from 0.5 to 0.7.
        static let ofPlaces = 0.6

        /// From an axis and the time until a command acts (s): a slow rig gets a soft loop.
        public init(
            axis: RigProfile.AxisProfile, delay: Seconds, setpoint: DriverAbilities.Setpoint = .velocity
        ) {
            // 0.385 rad of phase at the crossover leaves 60 degrees of margin with a first-order actuator. The delay itself is
            // predicted away; what counts is how wrong that may be, and half a tick: 12 1/s was the best of the sweep.
            let most = (0.385 / (0.02 + 0.3 * max(delay, 0.001))).clamped(to: 2...12)
            stiffness = setpoint == .position ? Self.ofPlaces * most : most
            deceleration = 0.6 * axis.maxAcceleration
        }

        /// Speed of approach (rad/s) for an error (rad): proportional near, square root far; with a share of the stiffness.
        public func approach(_ error: Double, share: Double = 1) -> Double {
            let stiffness = share * stiffness
            let linear = deceleration / (stiffness * stiffness)
            let size = abs(error)
            let speed =
                size <= linear ? stiffness * size : (2 * deceleration * (size - linear / 2)).squareRoot()
            return error < 0 ? -speed : speed
        }
    }

    /// Dead zone, radians and rad/s: stands still inside the inner, wakes outside the outer.
    static let innerError = Double.degrees(0.2), innerRate = Double.degrees(4)
    static let outerError = Double.degrees(1), outerRate = Double.degrees(16)

    /// Who turns and stops as they like will have done so after about this time: what is known of their velocity counts for less the
    /// longer a command takes to act, seconds. From a sweep of `servo-trials` over three kinds of rigs.
    static let belief: Seconds = 0.15

    private let pan: Gains
    private let tilt: Gains
    /// Time until a command acts, per axis: command latency + actuator lag, seconds.
    public let delay: PanTilt
    private let lag: PanTilt
    /// How hard an axis is pulled to a planned path, 1/s: there the delay is not predicted away, and 7 1/s fit one of 55 ms.
    let pathStiffness: PanTilt
    /// Whether it stands in the dead zone.
    public private(set) var isHolding = false

    /// For a rig, and what its motors are told.
    public init(profile: RigProfile, setpoint: DriverAbilities.Setpoint = .velocity) {
        delay = PanTilt(
            pan: profile.commandLatency + profile.pan.lag, tilt: profile.commandLatency + profile.tilt.lag)
        lag = PanTilt(pan: profile.pan.lag, tilt: profile.tilt.lag)
        // Where set-points go out rarely, poses come as rarely, and their rates are as old: what is beyond 50 a second counts
        // as delay, half an interval for the one and a whole one for the other.
        let wait = 1.5 * max(0, 1 / max(profile.refreshRate, 1) - 0.02)
        pan = Gains(axis: profile.pan, delay: delay.pan + wait, setpoint: setpoint)
        tilt = Gains(axis: profile.tilt, delay: delay.tilt + wait, setpoint: setpoint)
        func pull(_ delay: Seconds) -> Double { (0.385 / max(delay + wait, 0.001)).clamped(to: 2...7) }
        pathStiffness = PanTilt(pan: pull(delay.pan), tilt: pull(delay.tilt))
    }

    /// Forgets the dead zone: the next step may move.
    public mutating func reset() { isHolding = false }

    /// Velocity (rad/s) toward a goal.
    /// - Parameters:
    ///   - goal: where the dock shall be now, radians.
    ///   - goalRate: how fast the goal moves, rad/s.
    ///   - goalAcceleration: how that changes, rad/s².
    ///   - pose: where the dock is now, radians.
    ///   - rate: how fast it turns, rad/s.
    ///   - width: angular width of the face, radians: a big face is noisy, and its dead zone is bigger.
    ///   - steadiness: how far it goes on as it goes, 0...1; the rest of it may turn and stop before a command acts.
    ///   - softness: 0: as quickly as the rig allows; 1: so that nothing swings where camera and rig are 40 ms off the profile.
    ///
    /// All of it at the moment at which the command begins to act; what is left of the delay then is the motor's lag.
    public mutating func velocity(
        goal: PanTilt, goalRate: PanTilt, goalAcceleration: PanTilt = .zero, pose: PanTilt, rate: PanTilt,
        width: Double, steadiness: PanTilt = PanTilt(pan: 1, tilt: 1), softness: PanTilt = .zero
    ) -> PanTilt {
        let scale = max(1, 0.1 * width.inDegrees)
        let error = goal - pose
        let limits =
            isHolding
            ? (Self.outerError * scale, Self.outerRate) : (Self.innerError * scale, Self.innerRate)
        isHolding = error.magnitude < limits.0 && goalRate.magnitude < limits.1
        if isHolding { return .zero }
        var output = PanTilt.zero
        for axis in Axis.allCases {
            let believed = exp(-delay[axis] / Self.belief)
            let soft = softness[axis]
            let forward =
                feedForward(goalRate[axis]) * (believed + (1 - believed) * steadiness[axis]) * (1 - 0.3 * soft)
            // Both are carried on to where the lag will have carried the motor; that is the damping.
            let ahead = error[axis] + (forward - rate[axis]) * lag[axis]
            // What lags is told what comes.
            let bend = goalAcceleration[axis] * lag[axis] * moving(goalRate[axis]) * (1 - soft)
            output[axis] = (axis == .pan ? pan : tilt).approach(ahead, share: 1 - 0.5 * soft) + forward + bend
        }
        return output
    }

    /// Slow "motion" of a target is mostly noise: nothing below 0.5 deg/s, all of it above 2.5.
    private func feedForward(_ rate: Double) -> Double { rate * moving(rate) }

    private func moving(_ rate: Double) -> Double {
        ((abs(rate) - .degrees(0.5)) / .degrees(2)).clamped(to: 0...1)
    }
}
