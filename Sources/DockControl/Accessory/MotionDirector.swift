public import DockTypes
public import Geometry

/// Decides what the dock does now: who owns the motion, and which velocity follows.
///
/// A value that does no input or output. It takes commands, sightings and poses, and returns velocities. Precedence:
/// emergency stop, stop, manual, animation, tracking, gestures. The commands are implemented in
/// `MotionDirector+Commands`.
public struct MotionDirector: Sendable {
    /// The tracking mode.
    public internal(set) var mode: TrackingMode { didSet { pursuit.isImpatient = mode == .custom } }
    /// The tracking logic, which turns sightings into goals. `steer` passes the sightings on.
    public internal(set) var pursuit: Pursuit
    /// The last decision.
    public private(set) var last = Step()
    /// The fraction of the speed for manual motion, 0.01...1.
    public internal(set) var manualSpeed = 1.0
    /// Whether the torque is on.
    public internal(set) var torque = true
    /// The fraction of the speed for every kind of motion, 0...1; reduced while a battery is low.
    public var supplyShare = 1.0
    /// The lower speed while a person is near.
    var nearLimit = NearLimit()
    /// The consequences of a critical battery for the head.
    var saving = BatterySaving()
    /// The rig as this session may use it.
    var session: SessionRig { didSet { limiters.adopt(session.narrowed) } }
    /// The requested motion under way, and those that have ended.
    var ledger = MotionLedger()
    var gesture: ScriptRun?
    var greetingNod = GreetingNod()
    /// The evidence about the signs through the rig's other cameras.
    var signPlaces = SignPlaces()
    /// Whether a person or program has stopped the head or taken it over. If so, it does not move on its own until a
    /// client sets the mode.
    var gesturesHeld = false
    /// The retreat of an axis from an obstacle; nothing else moves meanwhile.
    public private(set) var retreat: Retreat?
    /// Turns the pursuit's goals into velocities.
    var servo: TrackingServo
    /// The final limiters of both axes.
    private var limiters: AxisLimiters

    /// The time after which a motion that a limit blocks ends, in seconds.
    static let blockedTime: Seconds = 0.3
    /// The speed below which the head counts as stationary, in rad/s.
    static let leastMotion = Double.degrees(0.5)

    /// Creates a director.
    /// - Parameters:
    ///   - profile: the rig.
    ///   - mode: the first mode.
    ///   - setpoint: the kind of set-points that the driver sends.
    ///   - policy: what the head does when the subject is lost.
    ///   - isMeasured: whether the dock measures its pose.
    public init(
        profile: RigProfile, mode: TrackingMode, setpoint: DriverAbilities.Setpoint = .velocity,
        policy: Pursuit.Policy = .init(), isMeasured: Bool = true
    ) {
        self.mode = mode
        session = SessionRig(profile)
        pursuit = Pursuit(profile: profile)
        pursuit.policy = policy
        pursuit.isMeasured = isMeasured
        servo = TrackingServo(profile: profile, setpoint: setpoint)
        limiters = AxisLimiters(profile: profile)
        // Observers do not run in an initializer.
        pursuit.isImpatient = mode == .custom
    }

    /// Whether a battery is critical: the head moves home and stays there.
    public var isSaving: Bool { saving.isActive }
    /// Whether a battery is critical and the return home has not begun yet.
    public var mustGoHome: Bool { saving.mustGoHome }
    /// The rig with the limits of this session.
    public var rig: RigProfile { session.narrowed }
    /// The limits of this session.
    public var limits: SessionLimits { session.limits }
    /// The range and speed of each axis: the rig's soft range with the session's limits.
    public var effectiveLimits: SessionLimits { session.effectiveLimits }
    /// How often the head began to oscillate around its goal and had to be damped.
    public var oscillationCount: Int { servo.oscillationCount }
    /// The requested motion under way, including one that has no number.
    var active: MotionLedger.Active? { ledger.active }

    /// The running motion script, or nil if there is none.
    public var script: ScriptRun? { if case .script(let run, _) = active?.kind { run } else { nil } }

    /// The requested motion under way; pulses of chevron keys do not count.
    public var motion: RunningMotion? {
        guard let active, let id = active.id else { return nil }
        return RunningMotion(id: id, name: active.name, start: active.start, duration: active.duration)
    }

    /// Whether a motion is under way, even if it cannot move yet: the loop must still take steps.
    public var isActive: Bool { active != nil || gesture != nil || retreat != nil }

    /// When tracking needs a step without new data, because the detector then counts as stale. It is nil if the dock
    /// does not track.
    public var deadline: Seconds? {
        mode != .manual && active == nil && !pursuit.lens.makesWait ? pursuit.deadline : nil
    }

    /// Returns the motions that have ended since the last call.
    public mutating func drainEnded() -> [EndedMotion] { ledger.drainEnded() }

    /// Limits the speed of both axes to `speed`, in rad/s. Infinity means as fast as the rig can turn.
    public mutating func capSpeed(_ speed: Double) { session.speedCap = speed }

    /// Drops all motion without a ramp. Used for a stop, a fault, an unplugged cable and sleep. If a motion script is
    /// running or `toManual` is set, the mode becomes `manual`; otherwise it is unchanged.
    public mutating func halt(_ outcome: MotionOutcome = .stopped, toManual: Bool) {
        if outcome == .unplugged, SafetyMutant.resumesAfterReplug.isOn { return }
        if script != nil || toManual {
            mode = .manual
            gesturesHeld = true
        }
        end(outcome)
        ledger.headWasMoved()
        gesture = nil
        retreat = nil
        limiters.reset()
        servo.halt()
        last = Step()
        pursuit.reset()
        greetingNod.interrupt()
        saving.halted(outcome)
    }

    /// Records that the clock stood still while the machine slept.
    mutating func timeJumped() { pursuit.timeJumped() }

    /// Makes one axis back off, instead of any other motion, until `retreat` is nil.
    public mutating func backOff(_ retreat: Retreat) { self.retreat = retreat }

    /// Returns the decision for `now`.
    /// - Parameters:
    ///   - now: CLOCK_MONOTONIC.
    ///   - motion: the dock's motion and the time of its report. If nil, the motion is unknown, and nothing moves.
    ///   - reported: the reported pose, in radians. If nil, only `motion` is known, which was extrapolated from it.
    ///   - speedShare: the fraction of the speed that arming allows, 0...1.
    public mutating func step(
        now: Seconds, motion: MotionSample?, reported: PanTilt? = nil, speedShare: Double
    ) -> Step {
        let share = speedShare * (SafetyMutant.ignoresSupply.isOn ? 1 : supplyShare) * nearShare(at: now)
        var step = wanted(now: now, motion: motion, share: torque ? share : 0)
        if !torque { step = Step(reason: .torqueOff) }
        if motion == nil, step.velocity != .zero { step.reason = .poseUnknown }
        let demand = step.velocity
        // Tracking may use everything that the motor can do.
        let tracks = step.owner == .tracking
        if tracks, demand != .zero { ledger.headWasMoved() }
        step.velocity = limiters.step(
            toward: demand, motion: motion, reported: reported, speedShare: share, tracks: tracks, now: now)
        step.reasons = AxisReasons(
            pan: reason(.pan, demand: demand.pan, of: step), tilt: reason(.tilt, demand: demand.tilt, of: step))
        if limiters.isBlocking { step.reason = .limit }
        noticeBlocked(step, demand: demand, now: now)
        if let motion { pursuit.recordPose(motion.pose, isTracked: tracks, now: now) }
        last = step
        return step
    }

    /// The fraction of the speed that a person who is near leaves. An axis that backs off from an obstacle keeps its speed.
    private func nearShare(at now: Seconds) -> Double {
        guard retreat == nil else { return 1 }
        let isPlanned: Bool
        switch active?.kind {
        case .script, .manual(.move): isPlanned = true
        case .manual(.turn), nil: isPlanned = false
        }
        return nearLimit.share(at: now, plannedSince: isPlanned ? active?.start : nil)
    }

    private func reason(_ axis: Axis, demand: Double, of step: Step) -> MotionReason {
        if limiters.isBlocking(axis) { return .limit }
        // One axis may be at rest while the other moves.
        if step.reason == .moving, demand == 0 { return step.owner == .tracking ? .deadZone : .nothingToDo }
        return step.reason
    }

    /// Ends a motion if a limit blocks every axis that it moves, instead of waiting until its time is over. A motion
    /// that has hardly begun does not count as blocked: a slow start fluctuates around a limit if the axis is beyond
    /// it.
    private mutating func noticeBlocked(_ step: Step, demand: PanTilt, now: Seconds) {
        let isHeld =
            step.reason == .limit && step.velocity.magnitude < Self.leastMotion && demand.magnitude > Self.leastMotion
        guard active != nil, let since = ledger.noteBlocked(isHeld, now: now) else { return }
        if now - since > Self.blockedTime { end(.limited) }
    }

    private mutating func wanted(now: Seconds, motion: MotionSample?, share: Double) -> Step {
        if let retreat {
            let delay = servo.controller.delay[retreat.axis]
            // At a limit the retreat ends: the axis cannot go any further and would oscillate there.
            let isHeld = last.owner == .stop && last.reason == .limit && last.velocity.magnitude < Self.leastMotion
            let velocity = isHeld ? nil : retreat.velocity(now: now, pose: motion?.pose, delay: delay)
            if velocity == nil { self.retreat = nil }
            return Step(velocity: velocity ?? .zero, owner: .stop, reason: .faulted)
        }
        guard let motion else { return Step(reason: .poseUnknown) }
        switch active?.kind {
        case .script(let run, _):
            switch ManualMotion.arrival(at: run.end, motion: motion, over: now - run.start - run.duration) {
            case .underWay:
                return Step(velocity: along(run.target, now: now, motion: motion), owner: .animation, reason: .moving)
            case .arrived: end(.completed)
            case .short: end(.limited)
            }
            // Sightings from during the motion are outdated. The next frame starts tracking again.
            pursuit.reset()
        case .manual(.move(let move)):
            switch ManualMotion.arrival(at: move.to, motion: motion, over: now - move.start - move.duration) {
            case .underWay:
                return Step(velocity: along(move.target, now: now, motion: motion), owner: .manual, reason: .moving)
            case .arrived: end(.completed)
            case .short: end(.limited)
            }
        case .manual(.turn(let velocity, let until)):
            if now < until { return Step(velocity: velocity, owner: .manual, reason: .moving) }
            end(.completed)
        case nil: break
        }
        if isSaving { return Step(owner: .none, reason: .batteryCritical) }
        let step = mode == .manual ? Step() : tracked(now: now, motion: motion, share: share)
        guard step.owner == .none else {
            gesture = nil
            return step
        }
        return gestured(now: now, motion: motion) ?? step
    }

    /// Records a written set-point: the velocity that the dock will have, in rad/s.
    public mutating func commanded(_ velocity: PanTilt, at now: Seconds) { servo.commanded(velocity, at: now) }

    private mutating func gestured(now: Seconds, motion: MotionSample) -> Step? {
        guard let run = gesture else { return nil }
        guard now - run.start < run.duration + 0.3 else {
            gesture = nil
            return nil
        }
        return Step(velocity: along(run.target, now: now, motion: motion), owner: .gesture, reason: .moving)
    }

    /// The stiffness of the pull toward a planned path, in 1/s. A planned path needs little.
    private static let stiffness = 4.0

    /// Returns the velocity that keeps the dock on a planned path: the path's own velocity at the time when the motor
    /// acts, plus a pull toward the path.
    func along(
        _ target: (Seconds) -> (pose: PanTilt, rate: PanTilt), now: Seconds, motion: MotionSample
    ) -> PanTilt {
        var velocity = PanTilt.zero
        for axis in Axis.allCases {
            let delay = servo.controller.delay[axis]
            let then = target(now + delay)
            let error = then.pose[axis] - (motion.pose[axis] + motion.rate[axis] * delay)
            velocity[axis] = then.rate[axis] + min(Self.stiffness, servo.controller.pathStiffness[axis]) * error
        }
        return velocity
    }
}
