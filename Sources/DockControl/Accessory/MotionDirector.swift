public import Geometry

/// Decides what the dock does at this moment: who owns the motion, and which velocity follows from it.
///
/// A value without input or output: commands, sightings and poses go in, velocities come out. Precedence: emergency stop,
/// stop, manual, animation, tracking.
public struct MotionDirector: Sendable {
    /// What one step decided.
    public struct Step: Sendable, Equatable {
        /// rad/s, inside all limits.
        public var velocity = PanTilt.zero
        /// Who wanted it.
        public var owner = MotionOwner.none
        /// Why.
        public var reason = MotionReason.nothingToDo
    }

    /// Who steers.
    public private(set) var mode: TrackingMode
    /// Tracking: sightings in, goals out.
    public var pursuit: Pursuit
    /// The running motion script.
    public private(set) var script: ScriptRun?
    /// The last decision.
    public private(set) var last = Step()
    /// Share of the speed of manual motion, 0.01...1.
    public private(set) var manualSpeed = 1.0
    /// Torque is on.
    public private(set) var torque = true

    let profile: RigProfile
    private var manual: ManualMotion?
    private var modeBefore: TrackingMode?
    private var servo: ServoController
    private var pan: AxisLimiter
    private var tilt: AxisLimiter
    private var lastStep: Seconds?

    /// A person's or a program's motion is under way, also while it cannot move yet: steps are wanted.
    public var isActive: Bool { manual != nil || script != nil }

    /// When tracking wants a step although nothing has arrived: the detector counts as stale then; nil: it does not track.
    public var deadline: Seconds? { mode == .system && !isActive ? pursuit.deadline : nil }

    /// For a rig, in a mode.
    public init(profile: RigProfile, mode: TrackingMode) {
        self.profile = profile
        self.mode = mode
        pursuit = Pursuit(profile: profile)
        servo = ServoController(profile: profile)
        let tick = 1 / profile.refreshRate
        pan = AxisLimiter(axis: profile.pan, commandLatency: profile.commandLatency, tick: tick)
        tilt = AxisLimiter(axis: profile.tilt, commandLatency: profile.commandLatency, tick: tick)
    }

    /// Lets no axis turn faster than `speed`, rad/s.
    public mutating func capSpeed(_ speed: Double) {
        pan.maxSpeed = min(pan.maxSpeed, speed)
        tilt.maxSpeed = min(tilt.maxSpeed, speed)
    }

    /// Drops all motion without a ramp: stop, fault, unplugged, suspended. A running motion script is not restored from:
    /// the mode is manual then, as it is when `toManual` says so; else it stays.
    public mutating func halt(toManual: Bool) {
        manual = nil
        if script != nil || toManual { mode = .manual }
        script = nil
        modeBefore = nil
        pan.reset()
        tilt.reset()
        servo.reset()
        lastStep = nil
        last = Step()
        pursuit.reset()
    }

    /// Takes a command that concerns motion. Stop, emergency stop, clear and the latch itself are the loop's.
    /// - Parameter speedShare: 0...1 of the speed that arming allows; moves are planned with no more than that.
    public mutating func take(
        _ command: MotionCommand, now: Seconds, pose: PanTilt?, speedShare: Double = 1
    ) -> MotionAnswer {
        switch command {
        case .setMode(let new):
            if new != mode || script != nil {
                manual = nil
                script = nil
                modeBefore = nil
                mode = new
                pursuit.reset()
            }
            return .success("mode \(new.rawValue)")
        case .setFraming(let framing):
            guard profile.camera.mount == .head else {
                return .failure(
                    DockError(
                        .notSupportedByDevice, "framing needs a camera that turns with the dock",
                        hint: "this profile says camera.mount = \"fixed\""))
            }
            pursuit.framing.mode = framing
            return .success("framing \(framing.rawValue)")
        case .setRegion(let region):
            guard region.width > 0, region.height > 0, region.x >= 0, region.y >= 0, region.maxX <= 1.000_001,
                region.maxY <= 1.000_001
            else {
                return .failure(
                    DockError(
                        .invalidParameter, "the region must lie inside the picture and have a size",
                        hint: "give x y w h between 0 and 1, or `region off`"))
            }
            pursuit.framing.region = region
            return .success(region == .full ? "region off" : "region set")
        case .chevron(let velocity, let duration):
            takeOver()
            manual = .turn(velocity * manualSpeed, until: now + duration)
            return .success("manual")
        case .setSpeed(let share):
            guard (0.01...1).contains(share) else {
                return .failure(
                    DockError(.invalidParameter, "speed is a percentage", hint: "give 1 to 100"))
            }
            manualSpeed = share
            return .success("speed \(Int((share * 100).rounded())) %")
        case .velocity, .orient, .home:
            return move(command, now: now, pose: pose, share: plannedShare(speedShare))
        case .animate(let name):
            return animate(name, now: now, pose: pose, share: plannedShare(speedShare))
        case .torque(let on):
            if !on { halt(toManual: true) }
            torque = on
            return .success(on ? "torque on" : "torque off")
        case .stop, .emergencyStop, .clear:
            halt(toManual: true)
            return .success("stopped, mode manual")
        }
    }

    /// The velocity for now.
    /// - Parameters:
    ///   - motion: where the dock is; nil: not known, and nothing moves.
    ///   - speedShare: 0...1 of the speed that arming allows.
    public mutating func step(now: Seconds, motion: MotionSample?, speedShare: Double) -> Step {
        let elapsed = lastStep.map { (now - $0).clamped(to: 0...0.1) } ?? (1 / profile.refreshRate)
        lastStep = now
        var step = wanted(now: now, motion: motion)
        if !torque { step = Step(reason: .torqueOff) }
        if motion == nil, step.velocity != .zero { step.reason = .poseUnknown }
        step.velocity = PanTilt(
            pan: pan.step(
                toward: step.velocity.pan, position: motion?.pose.pan, speedShare: speedShare, elapsed: elapsed),
            tilt: tilt.step(
                toward: step.velocity.tilt, position: motion?.pose.tilt, speedShare: speedShare, elapsed: elapsed))
        if pan.blocked != 0 || tilt.blocked != 0 { step.reason = .limit }
        last = step
        return step
    }

    /// Ends what a hand may end: a motion script by its own handle. The mode it began in comes back.
    public mutating func cancelScript() {
        guard script != nil else { return }
        script = nil
        mode = modeBefore ?? mode
        modeBefore = nil
        servo.reset()
    }

    private mutating func wanted(now: Seconds, motion: MotionSample?) -> Step {
        guard let motion else { return Step(reason: .poseUnknown) }
        if let run = script {
            let arrived = (motion.pose - run.end).magnitude < .degrees(0.3) && motion.rate.magnitude < .degrees(2)
            let over = now - run.start - run.duration
            if over > 0, arrived || over > 1 {
                script = nil
                mode = modeBefore ?? mode
                modeBefore = nil
                servo.reset()
                // What was seen during the motion is old; the next frame starts anew.
                pursuit.reset()
            } else {
                return Step(velocity: along(run.target, now: now, motion: motion), owner: .animation, reason: .moving)
            }
        }
        if let motionNow = manual {
            if let velocity = motionNow.velocity(now: now, motion: motion, along: along) {
                return Step(velocity: velocity, owner: .manual, reason: .moving)
            }
            manual = nil
        }
        guard mode == .system else { return Step() }
        switch pursuit.step(now: now, pose: motion.pose) {
        case .still:
            return Step(
                owner: pursuit.phase == .detectorStale ? .tracking : .none,
                reason: pursuit.phase == .detectorStale ? .detectorStale : .noSubject)
        case .follow(let goal, let rate, let width):
            let velocity = servo.velocity(
                goal: goal, goalRate: rate, pose: motion.pose, rate: motion.rate, width: width)
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

    /// Velocity that keeps the dock on a planned path: the path's own at the moment the motor acts, and a pull toward it.
    private func along(
        _ target: (Seconds) -> (pose: PanTilt, rate: PanTilt), now: Seconds, motion: MotionSample
    ) -> PanTilt {
        var velocity = PanTilt.zero
        for axis in Axis.allCases {
            let delay = servo.delay[axis]
            let then = target(now + delay)
            let error = then.pose[axis] - (motion.pose[axis] + motion.rate[axis] * delay)
            velocity[axis] = then.rate[axis] + 4 * error
        }
        return velocity
    }

    private mutating func takeOver() {
        script = nil
        modeBefore = nil
        if mode != .manual {
            mode = .manual
            pursuit.reset()
        }
    }

    /// Share of the profile's speed (0...1) that arming and caps leave for planned motion.
    private func plannedShare(_ armed: Double) -> Double {
        min(pan.maxSpeed / profile.pan.maxSpeed, tilt.maxSpeed / profile.tilt.maxSpeed, 1) * armed
    }

    private mutating func move(
        _ command: MotionCommand, now: Seconds, pose: PanTilt?, share: Double
    ) -> MotionAnswer {
        guard mode == .manual, script == nil else {
            return .failure(
                DockError(
                    .busy, script == nil ? "mode \(mode.rawValue) owns the dock" : "an animation owns the dock",
                    hint: script == nil ? "type `mode manual` first" : "wait for its end, or type `stop`"))
        }
        if case .velocity(let velocity, let duration) = command {
            manual = .turn(velocity * manualSpeed, until: now + duration)
            return .success("turning")
        }
        guard let pose else {
            return .failure(
                DockError(.notConnected, "where the dock is, is not known", hint: "wait until it reports, see `status`")
            )
        }
        var goal = profile.home, duration = 0.0
        if case .orient(let target, let wish, let relative) = command {
            goal = relative ? pose + target : target
            duration = wish
        }
        for axis in Axis.allCases {
            let range = profile[axis].softRange
            guard goal[axis] >= range.lowerBound - 1e-9, goal[axis] <= range.upperBound + 1e-9 else {
                return .failure(
                    DockError(
                        .invalidParameter,
                        "\(axis.rawValue) \(Int(goal[axis].inDegrees.rounded())) degrees is outside the limits",
                        hint: "stay within \(Int(range.lowerBound.inDegrees))...\(Int(range.upperBound.inDegrees))"))
            }
        }
        let shortest = MinimumJerk.shortestDuration(
            from: pose, to: goal, profile: profile, share: ScriptRun.reserve * manualSpeed * share)
        manual = .move(MinimumJerk(from: pose, to: goal, start: now, duration: max(duration, shortest)))
        return .success("moving")
    }

    private mutating func animate(
        _ name: MotionScript.Name, now: Seconds, pose: PanTilt?, share: Double
    ) -> MotionAnswer {
        guard script == nil else {
            return .failure(DockError(.busy, "an animation is running", hint: "wait for its end, or type `stop`"))
        }
        guard let pose else {
            return .failure(
                DockError(.notConnected, "where the dock is, is not known", hint: "wait until it reports, see `status`")
            )
        }
        manual = nil
        modeBefore = mode
        script = ScriptRun(MotionScript.named(name), from: pose, profile: profile, speedShare: share, start: now)
        return .success("animate \(name.rawValue)")
    }
}
