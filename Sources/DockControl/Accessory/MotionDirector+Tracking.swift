internal import DockTypes
internal import Geometry

extension MotionDirector {
    /// Turns the next step of tracking into a velocity.
    mutating func tracked(now: Seconds, motion carried: MotionSample, share: Double) -> Step {
        if pursuit.lens.makesWait {
            servo.reset()
            return Step(owner: pursuit.phase == .idle ? .none : .tracking, reason: .lensMoving)
        }
        let motion = servo.motionAhead(of: carried, now: now)
        let wanted = pursuit.step(now: now, pose: carried.pose, ahead: servo.predictor.latency)
        if let step = greetFace(now: now, motion: carried, share: share) { return step }
        switch wanted {
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

    /// Greets the first face. Returns nil if there is nothing to greet.
    private mutating func greetFace(now: Seconds, motion: MotionSample, share: Double) -> Step? {
        guard pursuit.policy.greets, mode == .system, pursuit.camera.mount == .head else { return nil }
        // A nod that has begun is completed before the head searches for a face that has left. It pauses while no frames
        // come: after a new stream's hello, too.
        let hasFrames = pursuit.phase != .detectorStale && pursuit.phase != .idle
        let mayContinue = greetingNod.isUnderWay && hasFrames
        guard pursuit.phase == .following || mayContinue else { return nil }
        let view = GreetingNod.View(
            isSeen: pursuit.phase == .following, walk: pursuit.estimator.velocity.magnitude,
            period: pursuit.framePeriod,
            isProven: Axis.allCases.allSatisfy { pursuit.signs.isProven($0) }, pose: motion.pose,
            age: now - motion.time, share: share)
        let act = greetingNod.step(view, rig: rig, now: now)
        if greetingNod.isUnderWay { pursuit.signs.nods(at: now) }
        if act != .none { servo.reset() }
        switch act {
        case .none: return nil
        case .hold: return Step(owner: .tracking, reason: .deadZone)
        case .nod(let run):
            let velocity = along(run.target, now: now, motion: motion), most = GreetingNod.fastest
            return Step(
                velocity: PanTilt(
                    pan: velocity.pan.clamped(to: -most...most), tilt: velocity.tilt.clamped(to: -most...most)),
                owner: .tracking, reason: .moving)
        }
    }
}
