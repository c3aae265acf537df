internal import Geometry

extension MotionDirector {
    /// The softness of tracking on a rig that does not measure its position: no feedback corrects a wrong profile.
    private static let supposed = 0.4

    /// Turns the next step of tracking into a velocity.
    mutating func tracked(now: Seconds, motion carried: MotionSample) -> Step {
        // The pose was extrapolated as if no command had followed the report.
        let report = MotionSample(
            time: carried.time, pose: carried.pose - carried.rate * (now - carried.time), rate: carried.rate)
        let then = predictor.predict(from: report, to: now + predictor.latency)
        let motion = MotionSample(time: carried.time, pose: then.pose, rate: then.rate)
        switch pursuit.step(now: now, pose: carried.pose, ahead: predictor.latency) {
        case .still:
            if SafetyMutant.holdsLastVelocity.isOn, last.owner == .tracking { return last }
            return Step(
                owner: pursuit.phase == .detectorStale ? .tracking : .none,
                reason: pursuit.phase == .detectorStale ? .detectorStale : .noSubject)
        case .follow(var goal, let rate, let acceleration, let width, let holdsPan):
            if holdsPan { goal.pan = motion.pose.pan }
            if swungAfter != pursuit.estimator.subject { swings.reset() }
            swungAfter = pursuit.estimator.subject
            if swings.look(goal - motion.pose, now: now) { swingings += 1 }
            var velocity = servo.velocity(
                goal: goal, goalRate: rate, goalAcceleration: acceleration, pose: motion.pose, rate: motion.rate,
                width: width, steadiness: pursuit.estimator.steadiness,
                softness: swings.softness(now: now, least: pursuit.isMeasured ? 0 : Self.supposed))
            // Damping with a late report would make it oscillate.
            if holdsPan { velocity.pan = 0 }
            if pursuit.camera.mount == .head {
                for axis in Axis.allCases {
                    let most = pursuit.mayTurn(axis, by: velocity[axis], from: motion.pose, now: now)
                    velocity[axis] = velocity[axis].clamped(to: -most...most)
                }
            }
            return Step(velocity: velocity, owner: .tracking, reason: servo.isHolding ? .deadZone : .moving)
        case .turn(let velocity):
            servo.reset()
            return Step(velocity: velocity, owner: .tracking, reason: .moving)
        case .glide(let goal, let speed):
            let velocity = servo.velocity(
                goal: goal, goalRate: .zero, pose: motion.pose, rate: motion.rate, width: 0)
            return Step(
                velocity: PanTilt(
                    pan: velocity.pan.clamped(to: -speed...speed), tilt: velocity.tilt.clamped(to: -speed...speed)),
                owner: .tracking, reason: .moving)
        }
    }
}
