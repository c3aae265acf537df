internal import Glibc
public import Geometry

/// Converts an angular error to a velocity: acceleration-limited approach, feed-forward, dead zone with hysteresis.
///
/// The constants follow from the rig's profile and from a sweep of `servo-trials`. One controller drives both axes.
public struct ServoController: Sendable, Equatable {
    /// The parameters of the approach of one axis.
    public struct Gains: Sendable, Equatable {
        /// The stiffness near the goal, in 1/s.
        public var stiffness: Double
        /// The deceleration that the approach assumes, in rad/s².
        public var deceleration: Double

        /// The fraction of the stiffness for position-controlled motors: their own controllers add to the oscillation
        /// of ours. The sweep was flat from 0.5 to 0.7.
        static let ofPlaces = 0.6

        /// Creates gains from an axis and the time until a command takes effect (s). A slow rig gets a soft loop.
        public init(
            axis: RigProfile.AxisProfile, delay: Seconds, setpoint: DriverAbilities.Setpoint = .velocity
        ) {
            // 0.385 rad of phase at the crossover leaves a margin of 60 degrees with a first-order actuator. The
            // prediction removes the delay itself. What remains is its error and half a tick: 12 1/s was the best of
            // the sweep.
            let most = (0.385 / (0.02 + 0.3 * max(delay, 0.001))).clamped(to: 2...12)
            stiffness = setpoint == .position ? Self.ofPlaces * most : most
            deceleration = 0.6 * axis.maxAcceleration
        }

        /// Returns the speed of approach (rad/s) for an error (rad), with a fraction of the stiffness: proportional
        /// near the goal, square root far from it.
        public func approach(_ error: Double, share: Double = 1) -> Double {
            let stiffness = share * stiffness
            let linear = deceleration / (stiffness * stiffness)
            let size = abs(error)
            let speed =
                size <= linear ? stiffness * size : (2 * deceleration * (size - linear / 2)).squareRoot()
            return error < 0 ? -speed : speed
        }
    }

    /// The dead zone, in radians and rad/s: the axis stops inside the inner one and starts outside the outer one.
    static let innerError = Double.degrees(0.2), innerRate = Double.degrees(4)
    static let outerError = Double.degrees(1), outerRate = Double.degrees(16)

    /// The time, in seconds, within which a person who turns and stops at will has done so. The longer a command takes
    /// to act, the less the known velocity counts. The value comes from a sweep of `servo-trials` over three kinds of
    /// rigs.
    static let belief: Seconds = 0.15

    private let pan: Gains
    private let tilt: Gains
    /// The time until a command takes effect, per axis: command latency + actuator lag, in seconds.
    public let delay: PanTilt
    private let lag: PanTilt
    /// The strength of the pull of an axis toward a planned path, in 1/s. Prediction does not compensate for the delay
    /// there: 7 1/s suit a delay of 55 ms.
    let pathStiffness: PanTilt
    /// Whether the dock is at rest inside the dead zone.
    public private(set) var isHolding = false

    /// Creates a controller for a rig and the kind of its set-points.
    public init(profile: RigProfile, setpoint: DriverAbilities.Setpoint = .velocity) {
        delay = PanTilt(
            pan: profile.commandLatency + profile.pan.lag, tilt: profile.commandLatency + profile.tilt.lag)
        lag = PanTilt(pan: profile.pan.lag, tilt: profile.tilt.lag)
        // At a low set-point rate, poses also arrive rarely, and their rates are correspondingly old. Whatever exceeds
        // the interval of 50 a second counts as delay: half an interval for the one and a whole one for the other.
        let wait = 1.5 * max(0, 1 / max(profile.refreshRate, 1) - 0.02)
        pan = Gains(axis: profile.pan, delay: delay.pan + wait, setpoint: setpoint)
        tilt = Gains(axis: profile.tilt, delay: delay.tilt + wait, setpoint: setpoint)
        func pull(_ delay: Seconds) -> Double { (0.385 / max(delay + wait, 0.001)).clamped(to: 2...7) }
        pathStiffness = PanTilt(pan: pull(delay.pan), tilt: pull(delay.tilt))
    }

    /// Leaves the dead zone: the next step may move.
    public mutating func reset() { isHolding = false }

    /// Returns the velocity (rad/s) toward a goal.
    /// - Parameters:
    ///   - goal: the desired pose, in radians.
    ///   - goalRate: the velocity of the goal, in rad/s.
    ///   - goalAcceleration: the acceleration of the goal, in rad/s².
    ///   - pose: the pose of the dock, in radians.
    ///   - rate: the velocity of the dock, in rad/s.
    ///   - width: angular width of the face, in radians: a large face is noisy and has a larger dead zone.
    ///   - steadiness: how likely the goal is to continue its motion, 0...1. The rest of the motion may turn and stop
    ///     before a command takes effect.
    ///   - softness: 0 is as quick as the rig allows. With 1 there is no oscillation even if camera and rig differ from
    ///     the profile by 40 ms.
    ///
    /// All values apply to the moment at which the command begins to act. The rest of the delay is then the motor's
    /// lag.
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
            // Both are extrapolated to where the lag will have carried the motor, which provides the damping.
            let ahead = error[axis] + (forward - rate[axis]) * lag[axis]
            // This compensates for the lag during the acceleration of the goal.
            let bend = goalAcceleration[axis] * lag[axis] * moving(goalRate[axis]) * (1 - soft)
            output[axis] = (axis == .pan ? pan : tilt).approach(ahead, share: 1 - 0.5 * soft) + forward + bend
        }
        return output
    }

    /// Returns the part of the rate that is fed forward. Slow "motion" of a target is mostly noise: none of it counts
    /// below 0.5 deg/s, and all of it above 2.5 deg/s.
    private func feedForward(_ rate: Double) -> Double { rate * moving(rate) }

    private func moving(_ rate: Double) -> Double {
        ((abs(rate) - .degrees(0.5)) / .degrees(2)).clamped(to: 0...1)
    }
}
