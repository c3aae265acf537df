internal import Geometry

extension MotionDirector {
    /// Turns the next step of tracking into a velocity.
    mutating func tracked(now: Seconds, motion carried: MotionSample) -> Step {
        if pursuit.lens.makesWait {
            servo.reset()
            return Step(owner: pursuit.phase == .idle ? .none : .tracking, reason: .lensMoving)
        }
        let motion = servo.motionAhead(of: carried, now: now)
        switch pursuit.step(now: now, pose: carried.pose, ahead: servo.predictor.latency) {
        case .still:
            if SafetyMutant.holdsLastVelocity.isOn, last.owner == .tracking { return last }
            return Step(
                owner: pursuit.phase == .detectorStale ? .tracking : .none,
                reason: pursuit.phase == .detectorStale ? .detectorStale : .noSubject)
        case .follow(var goal, let rate, let acceleration, let width, let holdsPan):
            if holdsPan { goal.pan = motion.pose.pan }
            var velocity = servo.follow(
                goal, rate: rate, acceleration: acceleration, width: width, from: motion, pursuit: pursuit, now: now)
            // Damping with a late report would cause oscillation.
            if holdsPan { velocity.pan = 0 }
            if pursuit.camera.mount == .head {
                for axis in Axis.allCases {
                    let most = pursuit.mayTurn(axis, by: velocity[axis], from: motion.pose, now: now)
                    velocity[axis] = velocity[axis].clamped(to: -most...most)
                }
            }
            return Step(
                velocity: velocity, owner: .tracking, reason: servo.controller.isHolding ? .deadZone : .moving)
        case .turn(let velocity):
            servo.reset()
            return Step(velocity: velocity, owner: .tracking, reason: .moving)
        case .glide(let goal, let speed):
            return Step(
                velocity: servo.glide(to: goal, speed: speed, from: motion), owner: .tracking, reason: .moving)
        }
    }
}
