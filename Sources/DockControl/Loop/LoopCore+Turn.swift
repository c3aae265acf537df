internal import Geometry

extension LoopCore {
    /// Decides and writes, once per wake-up.
    func turn(now: Seconds, frames: Int) {
        tryToReopen(now: now)
        if machine.tick(now: now) { dockChanged(now: now) }
        bytes.removeAll(keepingCapacity: true)
        if let clear = latch.clear, now >= clear.until { judgeClear(sent: clear.sent, now: now) }
        if now >= torqueRelease.deadline { endRelease(Self.unreleased("the dock has not said")) }
        settleFaults(now: now)
        if link != nil {
            step(now: now, frames: frames)
            if now >= serviceAt { serviceAt = driver.service(now: now, into: &bytes) }
            if latch.isRepeatDue(now: now, isKnown: machine.wasOurs, keepsLatch: abilities.keepsLatch) {
                driver.encodeEmergencyStop(into: &bytes)
            }
            // The guard knows of the first motion before it is written; every other beat may wait for the set-point.
            if stops.isMoving, !pulse.isMoving { beat(now: now) }
            if !bytes.isEmpty { write() }
            beat(now: now)
            checkSilence(now: now)
        }
        tellEnded()
        // A report that came without a line is a quiet moment: the next line is at least a few milliseconds away.
        if outbox.isDue(now: now, isQuiet: hasReport && frames == 0) {
            metrics.counters.faults = machine.faults
            metrics.counters.losses = machine.losses
            metrics.counters.invalidBytes = driver.invalidBytes
            tellLag()
            tellSwings()
            // The state before what brought it about: who hears "ready", or of a subject, and looks finds it so.
            publish(now: now)
            input?.publish(now: now)
            flushEvents()
        }
        handOverTrace(now: now)
    }

    /// Something changed that others want to know, soon.
    func markDirty(now: Seconds) { outbox.mark(now: now) }

    /// Decides the velocity and puts the set-point first into the bytes.
    private func step(now: Seconds, frames: Int) {
        guard machine.state == .ready else {
            wantsStep = false
            metrics.meter.rested()
            stopWhileGreeting(now: now)
            payOwedStop(now: now)
            return
        }
        if stops.owesFirst {
            oweStop()
            return payOwedStop(now: now)
        }
        payOwedHome(now: now)
        let isDue = wantsStep || stops.isMoving || director.isActive || director.deadline.map { now >= $0 } ?? false
        guard isDue else { return }
        // Between frames only at the refresh; right after another set-point not at all, except that nothing is lost:
        // the deadline brings it back.
        guard pacer.maySend(now: now), frames > 0 || wantsStep || now >= pacer.nextRefresh(now: now) - 0.000_5 else {
            return
        }
        pacer.decided(now: now)
        let share = machine.speedShare(now: now, wantsToMove: stops.lastVelocity != .zero)
        let decided = director.step(
            now: now, motion: motion(at: now), reported: poses.latest?.pose, speedShare: mayMove ? share : 0)
        if metrics.meter.isWaiting { metrics.meter.decided(at: clock()) }
        recorder.decided(decided.velocity, owner: decided.owner, reason: decided.reason)
        wantsStep = false
        let moves = decided.velocity != .zero && mayMove
        if moves, !stops.isMoving {
            driver.setActive(true, into: &bytes)
            serviceAt = now
        }
        if stops.takeResync() { driver.encodeResync(into: &bytes) }
        guard stops.decide(moves: moves) else {
            metrics.rested()
            return  // at rest: nothing is sent, and the timer is not needed
        }
        if stops.queuedBytes > link?.mostQueued ?? 64 {
            // The line is slower than we are: the newest will go when there is room.
            metrics.counters.droppedSetpoints += 1
            stops.queuedBytes = link?.queued ?? 0
            stops.dropped(moves: moves)
        } else {
            // A dry run talks and decides, but no motion leaves; nor did its driver switch the torque on.
            if !options.dryRun {
                driver.encode(moves ? .velocity(decided.velocity) : .stop, now: now, into: &bytes)
                stops.encodedSetpoint()
                following.commanded(moves ? decided.velocity : .zero, at: now)
                director.commanded(moves ? decided.velocity : .zero, at: now)
            }
            if options.dryRun { metrics.meter.rested() }
            metrics.counters.setpoints += 1
        }
        pacer.sent(now: now)
        stops.sent(decided.velocity, moves: moves)
        if !stops.isMoving {
            // A head without torque is watched closely all the same.
            driver.setActive(!director.torque, into: &bytes)
            serviceAt = now
        }
        markDirty(now: now)
    }

    /// A dock without a deadman may still be turning by what it was told before the cable was pulled, and does not say so
    /// before it is ready. Who it is, may not be known yet; a stop is the one thing that any dock may be told.
    private func stopWhileGreeting(now: Seconds) {
        guard abilities.deadman == nil, !options.dryRun else { return }
        // What one that is latched says of its motion is watched.
        if case .faulted = machine.state, machine.isOurs { return }
        stops.oweWhileGreeting(now: now)
    }

    /// A stop that was cut off is written again also to a dock that is not ready: mode 0 is always taken.
    private func payOwedStop(now: Seconds) {
        guard stops.isMoving, pacer.maySend(now: now) else { return }
        driver.encodeStop(into: &bytes)
        stops.encodedStop()
        pacer.sent(now: now)
    }

    /// A stop goes out in the next step, with its repeats.
    func oweStop() {
        stops.owe()
        wantsStep = true
    }

    /// Where the dock is now: the last report, carried on, with its time; nil if it is too old to be believed.
    ///
    /// Carried on for as long as it is believed: a pose that stood still would drive a moving head faster and faster.
    func motion(at now: Seconds) -> MotionSample? {
        guard let latest = poses.latest, now - latest.time < Self.poseLifetime || SafetyMutant.believesOldPoses.isOn,
            let pose = poses.pose(at: now, horizon: Self.poseLifetime)
        else { return nil }
        return MotionSample(time: latest.time, pose: pose, rate: latest.rate)
    }

    private func write() {
        guard let link else { return }
        let isWhole = link.write(bytes)
        if isWhole { metrics.counters.writtenBytes += bytes.count } else { metrics.counters.droppedSetpoints += 1 }
        let wasSetpoint = stops.wrote(isWhole: isWhole)
        if wasSetpoint {
            metrics.wrote(stops.lastVelocity, at: clock())
        }
        // Asked after the write, for the next one: between a line and its set-point stands nothing that can wait. A
        // pseudo-terminal has no line that could be slow.
        if link.isHardware {
            stops.queuedBytes = link.queued
            if wasSetpoint { metrics.meter.queued(stops.queuedBytes) }
        }
    }

    /// A dock that talks, and that its deadman stops although it is being moved, does not hear: the line is half open. What begins
    /// while it is moved goes on where it pauses; who stands is told so again, and one that hears is not flagged any more.
    func noteHearing(_ deadmanTripped: Bool, now: Seconds) {
        guard !SafetyMutant.ignoresDeafness.isOn else { return }
        guard deadmanTripped, machine.state == .ready, !options.dryRun else { return unheardSince = nil }
        if stops.isMoving { unheardSince = unheardSince ?? now }
        if unheardSince != nil, stops.isSettled { oweStop() }
    }

    private func checkSilence(now: Seconds) {
        if let since = unheardSince, machine.state == .ready, now - since > Self.deafness {
            unheardSince = nil
            note("the dock talks and does not hear: stopped, greeting it again; check its cable")
            return perform(machine.wentSilent(now: now), now: now)
        }
        guard abilities.reportsPose, machine.state == .ready else { return }
        // Whoever saw the head stand must not see it go on by itself. What tracks begins anew with every frame anyway.
        if let latest = poses.latest, now - latest.time > Self.hesitation, director.isActive {
            note("the dock has said nothing for half a second: what moved it has ended; check its cable")
            halt(.unplugged, toManual: false)
        }
        // One that has not said where it is since it became ready is silent since then.
        guard now - (poses.latest?.time ?? readyAt) > Self.silence, !SafetyMutant.missesSilence.isOn else { return }
        note("the dock has gone silent: stopped, greeting it again; check its cable and its supply")
        keepTrace(cause: "silent", now: now)
        perform(machine.wentSilent(now: now), now: now)
    }

    func perform(_ actions: [DockMachine.Action], now: Seconds) {
        let wasFaulted = if case .faulted = machine.state { true } else { false }
        for action in actions {
            switch action {
            case .begin:
                // A board that resets when its port is opened does not listen at once.
                serviceAt = now + options.profile.serial.settle
                // What the dock says from now on counts; it may have lost its latch with its power.
                latch.deviceFault = nil
                endClear("the dock is greeted anew")
                stops.greets(now: now)
                driver.begin(now: serviceAt, motionless: options.dryRun || !director.torque)
            case .halt: halt(wasFaulted ? .faulted : .unplugged, toManual: wasFaulted)
            case .leave: halt(wasFaulted ? .faulted : .unplugged, toManual: wasFaulted, isWritten: false)
            case .close:
                releaseGuard()
                endRelease(Self.unreleased("the dock is gone, and has not said"))
                link?.close()
                link = nil
                stops.closed()
                endClear("the dock is gone")
            case .forgetPoses:
                poses.removeAll()
                rates.reset()
                following.reset()
                metrics.meter.reset(now: now)
            }
        }
        if !actions.isEmpty { dockChanged(now: now) }
    }

    /// All motion ends now: decisions dropped, queue discarded, stop written. The one call behind every kind of stop. Not
    /// written where another dock is at the port, which this program has not moved.
    func halt(_ outcome: MotionOutcome, toManual: Bool, isWritten: Bool = true) {
        director.halt(outcome, toManual: toManual)
        following.commanded(.zero, at: recorder.now)
        director.commanded(.zero, at: recorder.now)
        metrics.meter.commanded(.zero, at: recorder.now)
        var isWhole: Bool?
        if isWritten, !stops.isSettled || toManual, let link, !SafetyMutant.skipsStop.isOn {
            bytes.removeAll(keepingCapacity: true)
            driver.encodeStop(into: &bytes)
            isWhole = link.writeLast(bytes, within: 0.05)
            bytes.removeAll(keepingCapacity: true)
        }
        stops.halted(isWhole: isWhole)
        wantsStep = isWhole != nil
    }

    func dockChanged(now: Seconds) {
        // Looked at again and again, another dock is told once.
        if machine.state == .detached(.otherDevice), recordedState == machine.state { return markDirty(now: now) }
        emit(.dock(machine.state, machine.identity))
        markDirty(now: now)
    }
}
