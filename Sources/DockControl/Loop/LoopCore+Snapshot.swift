internal import DockTypes
internal import Geometry

extension LoopCore {
    /// Returns the loop's state for the rest of the program.
    func snapshot(now: Seconds) -> LoopSnapshot {
        var shot = LoopSnapshot()
        shot.time = now
        shot.dock = machine.state
        shot.device.identity = machine.identity
        if link != nil { shot.device.findings = dock.findings }
        shot.mode = director.mode
        shot.framing = director.pursuit.framing
        shot.phase = director.mode == .manual ? .idle : director.pursuit.phase
        shot.owner = director.last.owner
        let decided = director.mode == .manual ? director.last.reasons.withoutTracking : director.last.reasons
        shot.reasons = refusedReason.map(AxisReasons.init) ?? decided
        shot.pose = observed.motion(at: now)?.pose
        shot.device.poses.sample = observed.poses.latest
        if !director.torque { shot.device.poses.track = observed.poses.recent(32) }
        shot.device.poses.isMeasured = abilities.measuresPose
        shot.rate = observed.poses.latest?.rate ?? .zero
        shot.command = stops.lastVelocity
        shot.motion = director.motion
        shot.isScript = director.script != nil
        shot.device.batteries = observed.supply.batteries
        shot.safety.isReleased = !director.torque
        shot.torque = director.torque || torqueRelease.isPending
        shot.bounds.manualSpeed = director.manualSpeed
        shot.bounds.limits = director.effectiveLimits
        shot.safety.isGuarded = isGuarded
        shot.counters = metrics.counters
        (shot.timing.latency, shot.timing.lateness) = metrics.latest(now: now)
        shot.timing.pictureLag = director.pursuit.latency.finding
        shot.timing.lagCorrection = director.pursuit.latency.correction
        return shot
    }

    private var refusedReason: MotionReason? {
        switch machine.state {
        case .detached, .greeting: .notConnected
        case .faulted: .faulted
        case .ready: nil
        }
    }
}
