package import Geometry

/// One turn, read downward: from a line of detections to the bytes of a set-point.
extension LoopCore {
    /// Takes one turn.
    package func turn(_ wake: Wake, now: Seconds) {
        recorder.now = now
        recorder.turn(wake, asleep: schedule.wakes.isNews(wake.asleep) ? wake.asleep : nil)
        guardLink.beginTurn()
        defer { recorder.handOn() }
        let wasStopped = wake.guardHasNews && readGuardReports(now: now)
        let hasJumped = schedule.wakes.hasJumped(now: now, asleep: wake.asleep)
        if wake.isDue { metrics.woke(late: now - schedule.wakes.deadline) }
        if wasStopped || hasJumped { timeJumped(now: now) }
        renewGuardIfNeeded(now: now)
        if wake.portsHaveNews { handlePortChanges(now: now) }
        schedule.hasReport = false
        // A newer pose places a rectangle more exactly, so the port comes first.
        if wake.portIsReadable || wake.portHungUp { readPort(hungUp: wake.portHungUp, now: now) }
        let frames = wake.inputIsReadable || schedule.isBehind ? readDetections(now: now) : 0
        if wake.wasRung {
            handleCommands(now: now)
            serveRequests(now: now)
            zoom(now: now)
        }
        act(now: now, frames: frames)
    }

    // MARK: decode, track, select, pursue

    /// Reads the detections and steers by each frame before the next is placed. Returns the number of frames.
    private func readDetections(now: Seconds) -> Int {
        guard let input else { return 0 }
        input.read(now: now)
        var frames = 0
        while let event = input.next(in: director.context(poses: observed.poses, now: now)) {
            director.steer(by: event, poses: observed.poses, now: now)
            if case .frame = event { frames += 1 }
        }
        let reading = input.reading
        metrics.counters.frames += frames
        metrics.counters.droppedFrames = reading.dropped
        schedule.isBehind = reading.hasMore
        if frames > 0 {
            measure(reading.exposure, now: now)
            framesArrived(now: now)
        }
        if reading.hasEnded { emit(.inputEnded) }
        markDirty(now: now)
        return frames
    }

    /// Serves the requests of other threads, and steers by a program's own observations.
    private func serveRequests(now: Seconds) {
        if let input {
            var hasFrame = false
            while let event = input.serve(in: director.context(poses: observed.poses, now: now)) {
                director.steer(by: event, poses: observed.poses, now: now)
                hasFrame = true
            }
            if hasFrame { framesArrived(now: now) }
        }
        schedule.request()
        markDirty(now: now)
    }

    /// Measures the delay of the frames, and the position of the followed face in the last one.
    private func measure(_ exposure: Seconds?, now: Seconds) {
        metrics.meter.arrived(at: now, exposure: exposure, tracked: metrics.clock())
        guard let seen = director.pursuit.sighting, let pose = observed.poses.pose(at: seen.exposure) else { return }
        let bearing = director.pursuit.camera.bearing(of: Framing.aimPoint(of: seen.rect))
        metrics.meter.saw(bearing, of: seen.subject, from: pose, exposure: seen.exposure)
    }

    private func framesArrived(now: Seconds) {
        schedule.frameArrived(now: now)
        metrics.frameArrived(now: now)
    }

    // MARK: limit, encode, write

    /// Decides and writes, once per wake-up.
    private func act(now: Seconds, frames: Int) {
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
            // The guard must be notified of the first motion before the motion is written. Every other heartbeat may
            // wait for the set-point.
            if stops.isMoving, !guardLink.expectsHeartbeats { beat(now: now) }
            if !dock.bytes.isEmpty { write(now: now) }
            beat(now: now)
            checkSilence(now: now)
        }
        reportEndedMotions()
        // A report without a line is a quiet moment: the next line is at least a few milliseconds away.
        if outlet.outbox.isDue(now: now, isQuiet: schedule.hasReport && frames == 0) { publishAll(now: now) }
        handOverTrace(now: now)
    }

    /// Decides the velocity and puts the set-point into the bytes first.
    private func step(now: Seconds, frames: Int) {
        guard machine.state == .ready else {
            schedule.withdraw()
            metrics.meter.rested()
            stopWhileGreeting(now: now)
            sendPendingStop(now: now)
            return
        }
        if stops.isFirstStopPending {
            scheduleStop()
            return sendPendingStop(now: now)
        }
        beginPendingReturnHome(now: now)
        let isDue =
            schedule.wantsStep || stops.isMoving || director.isActive || director.deadline.map { now >= $0 } ?? false
        guard isDue, schedule.mayStep(hasFrames: frames > 0, now: now) else { return }
        schedule.decided(now: now)
        let velocity = decide(now: now), moves = velocity != .zero && mayMove
        if moves, !stops.isMoving {
            dock.setActive(true)
            schedule.service(at: now)
        }
        if stops.takeResync() { dock.resync() }
        guard stops.decide(moves: moves) else {
            metrics.rested()
            return  // at rest: nothing is sent, and the timer is not needed
        }
        encode(moves ? velocity : nil, now: now)
        schedule.sent(now: now, isStop: !moves)
        stops.sent(velocity, moves: moves)
        if !stops.isMoving {
            // A head without torque is still polled at a high rate.
            dock.setActive(!director.torque)
            schedule.service(at: now)
        }
        markDirty(now: now)
    }

    /// Returns the velocity inside all limits, in rad/s.
    private func decide(now: Seconds) -> PanTilt {
        // A dry run writes no set-point; it decides as if each had been written.
        let isTurning = options.dryRun ? stops.lastVelocity != .zero : stops.isTurning
        let share = machine.speedShare(now: now, isTurning: isTurning)
        let decided = director.step(
            now: now, motion: observed.motion(at: now), reported: observed.poses.latest?.pose,
            speedShare: mayMove ? share : 0)
        if metrics.meter.isWaiting { metrics.meter.decided(at: metrics.clock()) }
        recorder.decided(decided.velocity, owner: decided.owner, reason: decided.reason)
        return decided.velocity
    }

    /// Encodes a velocity, or a stop if it is nil.
    private func encode(_ velocity: PanTilt?, now: Seconds) {
        guard stops.queuedBytes <= link?.mostQueued ?? 64 else {
            // The line is too slow: the newest set-point goes when there is room.
            metrics.counters.droppedSetpoints += 1
            stops.queuedBytes = link?.queued ?? 0
            return stops.dropped(moves: velocity != nil)
        }
        // A dry run talks to the dock and decides, but sends no motion, and its driver has not switched the torque on.
        if options.dryRun {
            metrics.meter.rested()
        } else {
            dock.setpoint(velocity.map { .velocity($0) } ?? .stop, now: now)
            stops.encodedSetpoint()
            observed.following.commanded(velocity ?? .zero, at: now)
            director.commanded(velocity ?? .zero, at: now)
        }
        metrics.counters.setpoints += 1
    }

    private func write(now: Seconds) {
        guard let link else { return }
        let isWhole = link.write(dock.bytes)
        if isWhole { metrics.counters.writtenBytes += dock.bytes.count } else { metrics.counters.droppedSetpoints += 1 }
        if !isWhole {
            dock.wasCut()
            latch.wasCut(now: now)
        }
        let wasSetpoint = stops.wrote(isWhole: isWhole)
        if wasSetpoint {
            metrics.wrote(stops.lastVelocity, at: metrics.clock())
        }
        // The queue is read after the write, for the next one, so that nothing that can wait delays the set-point for a
        // line. A pseudo-terminal has no line that could be slow.
        if link.isHardware {
            stops.queuedBytes = link.queued
            if wasSetpoint { metrics.meter.queued(stops.queuedBytes) }
        }
    }
}
