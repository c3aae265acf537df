internal import Geometry

/// Turns what the pursuit wants into a velocity: with the pose that the head will have when the command acts, and more softly while
/// the head oscillates about its goal.
struct TrackingServo: Sendable {
    private(set) var controller: ServoController
    private(set) var predictor: MotionPredictor
    private var swings = SwingWatch()
    private var subject: Int?
    /// How often the head began to oscillate and was damped.
    private(set) var swingings = 0

    /// The softness on a rig that does not measure its position: no feedback corrects a wrong profile.
    private static let supposed = 0.4

    init(profile: RigProfile, setpoint: DriverAbilities.Setpoint) {
        controller = ServoController(profile: profile, setpoint: setpoint)
        predictor = MotionPredictor(profile: profile)
    }

    /// Another motion: the controller begins again.
    mutating func reset() { controller.reset() }

    /// All motion has ended.
    mutating func halt() {
        controller.reset()
        swings.reset()
    }

    /// Notes a written set-point: the velocity that the dock will have, in rad/s.
    mutating func commanded(_ velocity: PanTilt, at now: Seconds) { predictor.commanded(velocity, at: now) }

    /// The motion that the dock will have when a command of now acts. The pose of `carried` was extrapolated as if no command had
    /// followed the report.
    func motionAhead(of carried: MotionSample, now: Seconds) -> MotionSample {
        let report = MotionSample(
            time: carried.time, pose: carried.pose - carried.rate * (now - carried.time), rate: carried.rate)
        let then = predictor.predict(from: report, to: now + predictor.latency)
        return MotionSample(time: carried.time, pose: then.pose, rate: then.rate)
    }

    /// Returns the velocity that follows a goal of the pursuit, rad/s.
    mutating func follow(
        _ goal: PanTilt, rate: PanTilt, acceleration: PanTilt, width: Double, from motion: MotionSample,
        pursuit: borrowing Pursuit, now: Seconds
    ) -> PanTilt {
        if subject != pursuit.estimator.subject { swings.reset() }
        subject = pursuit.estimator.subject
        if swings.look(goal - motion.pose, now: now) { swingings += 1 }
        return controller.velocity(
            goal: goal, goalRate: rate, goalAcceleration: acceleration, pose: motion.pose, rate: motion.rate,
            width: width, steadiness: pursuit.estimator.steadiness,
            softness: swings.softness(now: now, least: pursuit.isMeasured ? 0 : Self.supposed))
    }

    /// Returns the velocity toward a goal at rest, at most this fast; rad/s.
    mutating func glide(to goal: PanTilt, speed: Double, from motion: MotionSample) -> PanTilt {
        let velocity = controller.velocity(
            goal: goal, goalRate: .zero, pose: motion.pose, rate: motion.rate, width: 0)
        return PanTilt(
            pan: velocity.pan.clamped(to: -speed...speed), tilt: velocity.tilt.clamped(to: -speed...speed))
    }
}
