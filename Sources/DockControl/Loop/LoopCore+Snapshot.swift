internal import Geometry

extension LoopCore {
    /// Figures of the stages are worked out so often, seconds: some thousand bins are looked through for them.
    static let figuresInterval: Seconds = 0.5

    /// What the rest of the program gets to know.
    func snapshot(now: Seconds) -> LoopSnapshot {
        var shot = LoopSnapshot()
        shot.time = now
        shot.dock = machine.state
        shot.identity = machine.identity
        shot.mode = director.mode
        shot.framing = director.pursuit.framing
        shot.phase = director.mode == .manual ? .idle : director.pursuit.phase
        shot.owner = director.last.owner
        shot.reasons = refusedReason.map(AxisReasons.init) ?? director.last.reasons
        shot.pose = motion(at: now)?.pose
        shot.sample = poses.latest
        if !director.torque { shot.track = poses.recent(32) }
        shot.isMeasured = abilities.reportsPose && abilities.feedback == .measured
        shot.rate = poses.latest?.rate ?? .zero
        shot.command = stops.lastVelocity
        shot.motion = director.motion
        shot.isScript = director.script != nil
        shot.batteries = supply.batteries
        shot.isReleased = !director.torque
        shot.torque = director.torque || owesRelease
        shot.manualSpeed = director.manualSpeed
        shot.limits = director.effectiveLimits
        shot.isGuarded = isGuarded
        shot.counters = counters
        if now - figuresAt > Self.figuresInterval {
            figuresAt = now
            figures = meter.figures
            lateness = wakes.whole
        }
        shot.latency = figures
        shot.lateness = lateness
        shot.pictureLag = director.pursuit.latency.finding
        shot.lagCorrection = director.pursuit.latency.correction
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
