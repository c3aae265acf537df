internal import Geometry

/// What watches that the dock does what it is told, and what follows where it does not.
extension LoopCore {
    /// An axis can be judged: it has torque, is told what to do, and tells where it is.
    private var isWatched: Bool {
        machine.state == .ready && director.torque && !options.dryRun && abilities.reportsPose
    }

    /// The dock said where it is.
    func watch(_ sample: MotionSample, deadmanTripped: Bool, now: Seconds) {
        // A pose that is only what the commands should have come to follows them in any case.
        guard isWatched, abilities.feedback == .measured, !SafetyMutant.watchesNothing.isOn else {
            return following.forgive()
        }
        guard latch.pendingFault == nil,
            let verdict = following.measured(sample, deadmanTripped: deadmanTripped, now: now)
        else { return }
        if verdict.kind == .creep {
            // Tracking sees in the picture what its motion comes to.
            guard director.last.owner == .manual || director.last.owner == .animation else { return }
            note(verdict.text(mayBeDeaf: !abilities.showsDeafness))
            halt(.stopped, toManual: true)
            return markDirty(now: now)
        }
        note(verdict.text(mayBeDeaf: !abilities.showsDeafness))
        guard let pose = motion(at: now)?.pose,
            let retreat = Retreat(verdict, pose: pose, range: options.profile[verdict.axis].softRange, now: now)
        else { return raise(verdict.fault, now: now) }
        // Everything else ends now; the latch follows when it has backed off, so that nothing ever moves a latched dock.
        latch.pendingFault = verdict.fault
        halt(.faulted, toManual: true)
        director.backOff(retreat)
        wantsStep = true
        markDirty(now: now)
    }

    /// A dock that never stops by itself, and turns although it was told to stand: the stops were lost. Once more, in every
    /// state, until it stands. Not where it has no torque: then it is a hand that turns it.
    func standAgain(_ sample: MotionSample, now: Seconds) {
        guard !SafetyMutant.standsOnce.isOn else { return }
        guard abilities.deadman == nil, stops.isSettled, director.torque, !options.dryRun,
            sample.rate.magnitude > Self.standing, now - (pacer.lastSent ?? -.infinity) > Self.standingTime
        else { return }
        oweStop()
    }

    /// A dock that never stops by itself, and reports again after a silence: the stops that were written meanwhile may be lost, and where its
    /// encoder is dead too, nobody sees that it turns.
    func standAfterSilence(_ sample: MotionSample) {
        guard abilities.deadman == nil, stops.isSettled, !options.dryRun, let last = poses.latest,
            sample.time - last.time > Self.poseLifetime
        else { return }
        oweStop()
    }

    /// Once a turn: what the sightings say of the signs, and the latch behind a retreat.
    func settleFaults(now: Seconds) {
        if let fault = latch.pendingFault, director.retreat == nil {
            latch.pendingFault = nil
            raise(fault, now: now)
        }
        guard !SafetyMutant.signsIgnored.isOn else { return }
        // Hands move a head without torque, and an encoder may jump meanwhile: neither is held against the rig.
        if !director.torque, director.pursuit.signs.verdict != nil { director.pursuit.signs.reset() }
        guard latch.pendingFault == nil, isWatched, let verdict = director.pursuit.signs.verdict else { return }
        note(verdict.text)
        raise(verdict.fault, now: now)
    }

    /// Why nothing new may begin while an axis backs off; nil: it may. Who stops gets the latch at once.
    func retreatRefusal(_ command: MotionCommand) -> DockError? {
        guard let fault = latch.pendingFault else { return nil }
        switch command {
        case .stop, .emergencyStop, .torque: return nil
        default:
            return DockError(
                .faulted, "stopped by \(fault.rawValue), backing off", hint: "make sure all is well, then type `clear`")
        }
    }

    /// A latch was released: everything is judged again. What an axis was told and has not been seen to do stays, unless a person
    /// has seen to the axes.
    func forgetFaults(after fault: DockFault) {
        if fault == .stall || fault == .followingError { following.forget() } else { following.forgive() }
        director.pursuit.signs.reset()
    }

    private func raise(_ fault: DockFault, now: Seconds) {
        if machine.state == .faulted(.emergencyStop) { latch.absorb(fault) }
        perform(machine.take(.fault(fault), now: now), now: now)
    }
}
