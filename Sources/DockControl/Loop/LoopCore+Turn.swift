internal import Geometry

extension LoopCore {
    /// Decides and writes, once per wake-up.
    func turn(now: Seconds, frames: Int) {
        tryToReopen(now: now)
        if machine.tick(now: now) { dockChanged(now: now) }
        dock.discard()
        if let clear = latch.clear, now >= clear.until { judgeClear(sent: clear.sent, now: now) }
        if now >= torqueRelease.deadline { endRelease(Self.unreleased("the dock has not confirmed")) }
        settleFaults(now: now)
        if link != nil {
            step(now: now, frames: frames)
            if now >= schedule.serviceAt { schedule.service(at: dock.service(now: now)) }
            if latch.isRepeatDue(now: now, isKnown: machine.wasOurs, keepsLatch: abilities.keepsLatch) {
                dock.emergencyStop()
            }
            // The guard learns of the first motion before it is written. Every other heartbeat may wait for the set-point.
            if stops.isMoving, !guardLink.expectsHeartbeats { beat(now: now) }
            if !dock.bytes.isEmpty { write() }
            beat(now: now)
            checkSilence(now: now)
        }
        tellEnded()
        // A report without a line is a quiet moment: the next line is at least a few milliseconds away.
        if outlet.outbox.isDue(now: now, isQuiet: schedule.hasReport && frames == 0) {
            metrics.counters.faults = machine.faults
            metrics.counters.losses = machine.losses
            metrics.counters.invalidBytes = dock.invalidBytes
            tellLag()
            tellSwings()
            // The state is published before the events that caused it, so a listener that receives "ready" finds the state ready.
            publish(now: now)
            input?.publish(now: now)
            outlet.flush()
        }
        handOverTrace(now: now)
    }

    /// Requests a publication soon, because something changed.
    func markDirty(now: Seconds) { outlet.outbox.mark(now: now) }

    /// Decides the velocity and puts the set-point into the bytes first.
    private func step(now: Seconds, frames: Int) {
        guard machine.state == .ready else {
            schedule.withdraw()
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
        let isDue =
            schedule.wantsStep || stops.isMoving || director.isActive || director.deadline.map { now >= $0 } ?? false
        guard isDue else { return }
        guard schedule.mayStep(hasFrames: frames > 0, now: now) else { return }
        schedule.decided(now: now)
        let share = machine.speedShare(now: now, wantsToMove: stops.lastVelocity != .zero)
        let decided = director.step(
            now: now, motion: observed.motion(at: now), reported: observed.poses.latest?.pose,
            speedShare: mayMove ? share : 0)
        if metrics.meter.isWaiting { metrics.meter.decided(at: metrics.clock()) }
        recorder.decided(decided.velocity, owner: decided.owner, reason: decided.reason)
        let moves = decided.velocity != .zero && mayMove
        if moves, !stops.isMoving {
            dock.setActive(true)
            schedule.service(at: now)
        }
        if stops.takeResync() { dock.resync() }
        guard stops.decide(moves: moves) else {
            metrics.rested()
            return  // at rest: nothing is sent, and the timer is not needed
        }
        if stops.queuedBytes > link?.mostQueued ?? 64 {
            // The line is too slow: the newest set-point goes when there is room.
            metrics.counters.droppedSetpoints += 1
            stops.queuedBytes = link?.queued ?? 0
            stops.dropped(moves: moves)
        } else {
            // A dry run talks to the dock and decides, but sends no motion, and its driver has not switched the torque on.
            if !options.dryRun {
                dock.setpoint(moves ? .velocity(decided.velocity) : .stop, now: now)
                stops.encodedSetpoint()
                observed.following.commanded(moves ? decided.velocity : .zero, at: now)
                director.commanded(moves ? decided.velocity : .zero, at: now)
            }
            if options.dryRun { metrics.meter.rested() }
            metrics.counters.setpoints += 1
        }
        schedule.sent(now: now)
        stops.sent(decided.velocity, moves: moves)
        if !stops.isMoving {
            // A head without torque is still polled closely.
            dock.setActive(!director.torque)
            schedule.service(at: now)
        }
        markDirty(now: now)
    }

    /// Stops a dock that is not ready and has no deadman timer. It may still turn by its last command from before the cable was
    /// unplugged, and it does not report that before it is ready. Its identity may be unknown, but any dock may receive a stop.
    private func stopWhileGreeting(now: Seconds) {
        guard abilities.deadman == nil, !options.dryRun else { return }
        // The reported motion of a known, latched dock is watched (`standAgain`).
        if case .faulted = machine.state, machine.isOurs { return }
        stops.oweWhileGreeting(now: now)
    }

    /// Repeats a truncated stop, even to a dock that is not ready: mode 0 is always accepted.
    private func payOwedStop(now: Seconds) {
        guard stops.isMoving, schedule.maySend(now: now) else { return }
        dock.stop()
        stops.encodedStop()
        schedule.sent(now: now)
    }

    /// Makes a stop due in the next step, with its repeats.
    func oweStop() {
        stops.owe()
        schedule.request()
    }

    /// Writes what is encoded now, and discards it.
    /// - Returns: whether the port accepted all of it.
    @discardableResult
    func writeNow() -> Bool {
        defer { dock.discard() }
        return link?.write(dock.bytes) ?? false
    }

    /// Discards what the port has not sent yet, writes what is encoded, and waits for at most `within` seconds. For the stop.
    /// - Returns: whether the port accepted all of it.
    @discardableResult
    func writeLast(within: Seconds) -> Bool {
        defer { dock.discard() }
        return link?.writeLast(dock.bytes, within: within) ?? false
    }

    private func write() {
        guard let link else { return }
        let isWhole = link.write(dock.bytes)
        if isWhole { metrics.counters.writtenBytes += dock.bytes.count } else { metrics.counters.droppedSetpoints += 1 }
        let wasSetpoint = stops.wrote(isWhole: isWhole)
        if wasSetpoint {
            metrics.wrote(stops.lastVelocity, at: metrics.clock())
        }
        // The queue is read after the write, for the next one, so that nothing that can wait stands between a line and its
        // set-point. A pseudo-terminal has no line that could be slow.
        if link.isHardware {
            stops.queuedBytes = link.queued
            if wasSetpoint { metrics.meter.queued(stops.queuedBytes) }
        }
    }

    /// Detects a half-open line: the dock reports, but its deadman stops it while it is moved. A condition that began during motion
    /// lasts through pauses. If the dock stands, it gets another stop; a dock that receives it no longer reports the flag.
    func noteHearing(_ deadmanTripped: Bool, now: Seconds) {
        guard !SafetyMutant.ignoresDeafness.isOn else { return }
        let isUnheard = observed.silence.reported(
            isUnheard: deadmanTripped && machine.state == .ready && !options.dryRun, isMoving: stops.isMoving, now: now)
        if isUnheard, stops.isSettled { oweStop() }
    }

    private func checkSilence(now: Seconds) {
        if machine.state == .ready, observed.silence.isDeaf(now: now) {
            note("the dock sends but does not receive: stopped, repeating the handshake; check its cable")
            return perform(machine.wentSilent(now: now), now: now)
        }
        guard abilities.reportsPose, machine.state == .ready else { return }
        // A person who saw the head stand still must not see it resume by itself. Tracking starts again with every frame anyway.
        let latest = observed.poses.latest?.time
        if director.isActive, observed.silence.hasHesitated(latest: latest, now: now) {
            note("the dock has sent nothing for half a second: its motion has ended; check its cable")
            halt(.unplugged, toManual: false)
        }
        // A dock that has not reported its position since it became ready counts as silent from then on.
        guard observed.silence.isSilent(latest: latest, now: now) else { return }
        note("the dock has gone silent: stopped, repeating the handshake; check its cable and its supply")
        keepTrace(cause: "silent", now: now)
        perform(machine.wentSilent(now: now), now: now)
    }

    func perform(_ actions: [DockMachine.Action], now: Seconds) {
        let wasFaulted = if case .faulted = machine.state { true } else { false }
        for action in actions {
            switch action {
            case .begin:
                // A board that resets when its port is opened does not listen immediately.
                schedule.service(at: now + options.profile.serial.settle)
                // Only the dock's reports from now on count: it may have lost its latch with its power.
                latch.deviceFault = nil
                endClear("the handshake is being repeated")
                stops.greets(now: now)
                dock.begin(now: schedule.serviceAt, motionless: options.dryRun || !director.torque)
            case .halt: halt(wasFaulted ? .faulted : .unplugged, toManual: wasFaulted)
            case .leave: halt(wasFaulted ? .faulted : .unplugged, toManual: wasFaulted, isWritten: false)
            case .close:
                guardLink.release()
                endRelease(Self.unreleased("the dock is gone, and it has not confirmed"))
                port.close()
                stops.closed()
                endClear("the dock is gone")
            case .forgetPoses:
                observed.forget()
                metrics.meter.reset(now: now)
            }
        }
        if !actions.isEmpty { dockChanged(now: now) }
    }

    /// Ends all motion now: drops decisions, discards the queue and writes the stop. Every kind of stop uses this call. Nothing is
    /// written if another dock is at the port, which this program has not moved.
    func halt(_ outcome: MotionOutcome, toManual: Bool, isWritten: Bool = true) {
        director.halt(outcome, toManual: toManual)
        observed.following.commanded(.zero, at: recorder.now)
        director.commanded(.zero, at: recorder.now)
        metrics.meter.commanded(.zero, at: recorder.now)
        var isWhole: Bool?
        if isWritten, !stops.isSettled || toManual, link != nil, !SafetyMutant.skipsStop.isOn {
            dock.discard()
            dock.stop()
            isWhole = writeLast(within: Self.stopTime)
        }
        stops.halted(isWhole: isWhole)
        if isWhole != nil { schedule.request() } else { schedule.withdraw() }
    }

    func dockChanged(now: Seconds) {
        // Another dock at the port is checked repeatedly but reported once.
        if machine.state == .detached(.otherDevice), trace.recordedState == machine.state { return markDirty(now: now) }
        emit(.dock(machine.state, machine.identity))
        markDirty(now: now)
    }
}
