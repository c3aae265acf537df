internal import Geometry

/// Turns the pursuit's goal into a velocity. It uses the pose that the head will have when the command takes effect,
/// and acts more softly while the head oscillates around its goal.
struct TrackingServo: Sendable {
    private(set) var controller: ServoController
    private(set) var predictor: MotionPredictor
    private var swings = SwingWatch()
    private var subject: Int?
    /// How often the head began to oscillate and had to be damped.
    private(set) var oscillationCount = 0

    /// The softness for a rig that does not measure its position, because no feedback corrects a wrong profile.
    private static let supposed = 0.4

    init(profile: RigProfile, setpoint: DriverAbilities.Setpoint) {
        controller = ServoController(profile: profile, setpoint: setpoint)
        predictor = MotionPredictor(profile: profile)
    }

    /// Resets the controller for another motion.
    mutating func reset() { controller.reset() }

    /// Records that all motion has ended.
    mutating func halt() {
        controller.reset()
        swings.reset()
    }

    /// Records a written set-point: the velocity that the dock will have, in rad/s.
    mutating func commanded(_ velocity: PanTilt, at now: Seconds) { predictor.commanded(velocity, at: now) }

    /// Returns the motion that the dock will have when a command that is given now takes effect. The pose of `carried`
    /// was extrapolated as if no command had followed the report.
    func motionAhead(of carried: MotionSample, now: Seconds) -> MotionSample {
        let report = MotionSample(
            time: carried.time, pose: carried.pose - carried.rate * (now - carried.time), rate: carried.rate)
        let then = predictor.predict(from: report, to: now + predictor.latency)
        return MotionSample(time: carried.time, pose: then.pose, rate: then.rate)
    }

    /// Returns the velocity that follows a goal of the pursuit, in rad/s.
    mutating func follow(
        _ goal: PanTilt, rate: PanTilt, acceleration: PanTilt, width: Double, from motion: MotionSample,
        pursuit: borrowing Pursuit, now: Seconds
    ) -> PanTilt {
        if subject != pursuit.estimator.subject { swings.reset() }
        subject = pursuit.estimator.subject
        if swings.look(goal - motion.pose, now: now) { oscillationCount += 1 }
        return controller.velocity(
            goal: goal, goalRate: rate, goalAcceleration: acceleration, pose: motion.pose, rate: motion.rate,
            width: width, steadiness: pursuit.estimator.steadiness,
            softness: swings.softness(now: now, least: pursuit.isMeasured ? 0 : Self.supposed))
    }

    /// Returns the velocity toward a goal at which the head is to stop, in rad/s; its magnitude is at most `speed`.
    mutating func glide(to goal: PanTilt, speed: Double, from motion: MotionSample) -> PanTilt {
        let velocity = controller.velocity(
            goal: goal, goalRate: .zero, pose: motion.pose, rate: motion.rate, width: 0)
        return PanTilt(
            pan: velocity.pan.clamped(to: -speed...speed), tilt: velocity.tilt.clamped(to: -speed...speed))
    }
}
