internal import DockTypes
internal import Geometry

/// Checks that the dock does what was commanded, and reacts if it does not.
extension LoopCore {
    /// Whether the axes can be evaluated: they have torque, and the dock receives set-points and reports its position.
    private var isWatched: Bool {
        machine.state == .ready && director.torque && !options.dryRun && abilities.reportsPose
    }

    /// Checks the axes against a reported pose.
    func watch(_ sample: MotionSample, deadmanTripped: Bool, now: Seconds) {
        // A pose that is computed from the commands always follows them.
        guard isWatched, abilities.feedback == .measured, !SafetyMutant.watchesNothing.isOn else {
            return observed.following.resetMotion()
        }
        guard latch.pendingFault == nil,
            let verdict = observed.following.measured(sample, deadmanTripped: deadmanTripped, now: now)
        else { return }
        if verdict.kind == .creep {
            // Tracking sees the effect of its motion in the frames, and corrects creep itself.
            guard director.last.owner == .manual || director.last.owner == .animation else { return }
            note(verdict.text(mayBeDeaf: !abilities.showsDeafness))
            halt(.stopped, toManual: true, now: now)
            return markDirty(now: now)
        }
        note(verdict.text(mayBeDeaf: !abilities.showsDeafness))
        guard let pose = observed.motion(at: now)?.pose,
            let retreat = Retreat(verdict, pose: pose, range: options.profile[verdict.axis].softRange, now: now)
        else { return raise(verdict.fault, now: now) }
        // Everything else ends now. The latch follows when the axis has backed off, so that a latched dock never moves.
        latch.pendingFault = verdict.fault
        halt(.faulted, toManual: true, now: now)
        director.backOff(retreat)
        schedule.request()
        markDirty(now: now)
    }

    /// Repeats the stop for a dock without a deadman timer if it still turns: the stops were lost. This applies in
    /// every state until the dock is at rest, except without torque, because a hand may be turning the head.
    func repeatStop(_ sample: MotionSample, now: Seconds) {
        guard !SafetyMutant.stopsOnlyOnce.isOn else { return }
        guard abilities.deadman == nil, stops.isSettled, director.torque, !options.dryRun,
            sample.rate.magnitude > Self.restSpeed, now - (schedule.pacer.lastSent ?? -.infinity) > Self.restTime
        else { return }
        scheduleStop()
    }

    /// Repeats the stop for a dock without a deadman timer when it reports after a silence: the stops written meanwhile
    /// may have been lost. If its encoder has also failed, nothing else would show that it turns.
    func stopAfterSilence(_ sample: MotionSample) {
        guard abilities.deadman == nil, stops.isSettled, !options.dryRun, let last = observed.poses.latest,
            sample.time - last.time > DockObservation.poseLifetime
        else { return }
        scheduleStop()
    }

    /// Detects a half-open line: the dock reports, but its deadman stops it while it receives commands to move. A
    /// condition that began during motion persists through pauses. If the dock is at rest, it gets another stop. A dock
    /// that receives the stop no longer reports that its deadman has stopped it.
    func noteDeafness(_ deadmanTripped: Bool, now: Seconds) {
        guard !SafetyMutant.ignoresDeafness.isOn else { return }
        let isUnheard = observed.silence.reported(
            isUnheard: deadmanTripped && machine.state == .ready && !options.dryRun, isMoving: stops.isMoving, now: now)
        if isUnheard, stops.isSettled { scheduleStop() }
    }

    func checkSilence(now: Seconds) {
        if machine.state == .ready, observed.silence.isDeaf(now: now) {
            note(
                "the dock sends but does not receive, so its motion was stopped and the handshake is repeated: check its cable"
            )
            return perform(machine.wentSilent(now: now), now: now)
        }
        guard abilities.reportsPose, machine.state == .ready else { return }
        // A person who saw the head come to rest must not see it resume by itself. Tracking starts again with every
        // frame in any case.
        let latest = observed.poses.latest?.time
        if director.isActive, observed.silence.hasPaused(latest: latest, now: now) {
            note("the dock has sent nothing for half a second: its motion has ended; check its cable")
            halt(.unplugged, toManual: false, now: now)
        }
        // A dock that has not reported its position since it became ready counts as silent from then on.
        guard observed.silence.isSilent(latest: latest, now: now) else { return }
        note(
            "the dock has gone silent, so its motion was stopped and the handshake is repeated: check its cable and its supply"
        )
        keepTrace(cause: "silent", now: now)
        perform(machine.wentSilent(now: now), now: now)
    }

    /// Latches the fault after a retreat, and applies the verdict on the signs that follows from the sightings. Called
    /// once a turn.
    func settleFaults(now: Seconds) {
        if let fault = latch.pendingFault, director.retreat == nil {
            latch.pendingFault = nil
            raise(fault, now: now)
        }
        guard !SafetyMutant.signsIgnored.isOn else { return }
        // A hand may turn a head that has no torque, and an encoder may jump meanwhile. Neither is evidence against the
        // rig.
        if !director.torque, director.pursuit.signs.verdict != nil { director.forgetSigns() }
        guard latch.pendingFault == nil, isWatched, let verdict = director.pursuit.signs.verdict else { return }
        note(verdict.text)
        raise(verdict.fault, now: now)
    }

    /// Returns the reason why no new motion may begin while an axis backs off, or nil if it may begin. A stop latches
    /// the fault at once.
    func retreatRefusal(_ command: MotionCommand) -> DockError? {
        guard let fault = latch.pendingFault else { return nil }
        switch command {
        case .stop, .emergencyStop, .torque: return nil
        default:
            return DockError(
                .faulted, "stopped by \(fault.rawValue), backing off",
                hint: "make sure that the head can move freely, then type `dockface clear`")
        }
    }

    /// Starts every evaluation again, because a latch was cleared. The sum of an axis's unseen motion is kept, unless
    /// the latch concerned the axes, which a person has then checked.
    func forgetFaults(after fault: DockFault) {
        if fault == .stall || fault == .followingError {
            observed.following.resetAll()
        } else {
            observed.following.resetMotion()
        }
        director.forgetSigns()
    }

    private func raise(_ fault: DockFault, now: Seconds) {
        if machine.state == .faulted(.emergencyStop) { latch.absorb(fault) }
        perform(machine.handle(.fault(fault), now: now), now: now)
    }
}
