internal import DockTypes
internal import Geometry

extension LoopCore {
    /// Handles the posted entries in order: first the lost leases, then the commands. A stop is always first in the
    /// queue.
    func handleCommands(now: Seconds) {
        input?.collect()
        let batch = outlet.takeCommands()
        for lost in batch.lost {
            recorder.lost(lost)
            let ending = director.end(lost)
            reportEndedMotions()
            emit(.leaseEnded(ending))
        }
        for queued in batch.commands {
            recorder.command(queued.command, program: queued.program)
            if let refusal = retreatRefusal(queued.command) {
                queued.reply?(.failure(refusal))
                continue
            }
            // A clear is answered when the dock has confirmed or rejected it.
            if queued.command == .clear {
                beginClear(now: now, program: queued.program, reply: queued.reply)
                continue
            }
            // A hand may be caught or about to reach in, so "ok" must mean that the dock's torque is off.
            if queued.command == .torque(false) {
                beginRelease(now: now, reply: queued.reply)
                continue
            }
            let answer = apply(queued.command, program: queued.program, now: now)
            queued.reply?(answer)
            // Called after each command: if several motions replace each other, each end is reported.
            reportEndedMotions()
        }
    }

    /// Passes a new zoom factor to the dock.
    func zoom(now: Seconds) {
        guard let magnification = outlet.takeZoom() else { return }
        recorder.zoom(magnification)
        dock.zoom(to: magnification)
        schedule.service(by: now)
    }

    private func apply(_ command: MotionCommand, program: ProgramID?, now: Seconds) -> MotionAnswer {
        switch command {
        case .stop:
            halt(.stopped, toManual: true, now: now)
            return .success(.init("stopped, mode manual: \(Self.followsAgain)"))
        case .emergencyStop:
            return emergencyStop(now: now)
        case .torque(let on):
            return torque(on, now: now)
        case .setMode(let mode):
            let answer = director.apply(command, now: now, pose: nil)
            guard case .success = answer, mode != .manual, case .faulted(let fault) = machine.state else {
                return answer
            }
            // A clear sets mode manual.
            return .success(
                .init(
                    "mode \(mode.rawValue), but the dock is stopped by \(fault.rawValue): type `dockface clear`, "
                        + "then set the mode again"))
        case .setFraming, .setRegion, .setSpeed, .setLimits, .slow, .cancel:
            return director.apply(command, now: now, pose: nil)
        case .chevron, .velocity, .orient, .home, .animate, .gesture, .expect, .clear:
            if let refusal = refusal { return .failure(refusal) }
            let share = machine.speedShare(now: now, isTurning: false)
            guard share > 0 else {
                return .failure(
                    DockError(
                        .busy, "the dock has just been attached: hands may be near it",
                        hint: "give the command again after 2 s; the first 3 s of motion are slow"))
            }
            return director.apply(
                command, program: program, now: now, pose: observed.motion(at: now)?.pose, speedShare: share)
        }
    }

    /// The next step after a stop.
    static let followsAgain = "`mode system` follows people again"

    /// The reason why the dock cannot move at the moment, or nil if it can.
    private var refusal: DockError? {
        switch machine.state {
        case .ready:
            !director.torque
                ? DockError(
                    .busy,
                    !abilities.canLetGo
                        ? "`torque off` was requested: this rig cannot switch its torque off, and is not moved"
                        : torqueRelease.isPending
                            ? "`torque off` was requested, and the rig has not confirmed it"
                            : torqueRelease.hasLetGo ? Self.letGoText : "torque is off; the head moves freely",
                    hint: "type `torque on` first")
                : mayMove ? nil : Self.unguarded
        case .faulted(let fault):
            DockError(
                .faulted, "stopped by \(fault.rawValue)", hint: "make sure all is well, then type `dockface clear`")
        case .greeting:
            DockError(.notConnected, "the dock has not answered yet", hint: "wait, or check its cable and supply")
        case .detached(let reason):
            DockError(.notConnected, "no dock: \(reason.rawValue)", hint: "plug it in; dockface waits for it")
        }
    }

    private func emergencyStop(now: Seconds) -> MotionAnswer {
        director.halt(.emergencyStopped, toManual: true)
        if case .faulted(let fault) = machine.state { latch.absorb(fault) }
        machine.emergencyStop()
        observed.following.commanded(.zero, at: now)
        // A pending clear was for the earlier latch.
        if !SafetyMutant.clearsNewerStop.isOn { endClear("an emergency stop came first") }
        stops.emergencyStopped()
        if link != nil {
            dock.discard()
            dock.emergencyStop()
            if options.profile.safety.onEmergencyStop == .relax, !options.dryRun {
                // A dock that has not identified itself may be another dock. It gets the command after it has
                // identified itself.
                if machine.wasOurs { dock.torque(false) }
                release(now: now)
            }
            dock.stop()
            let isWhole = writeLast(within: Self.stopTime)
            schedule.service(by: now + Self.torquePatience)
            // The emergency stop is repeated until the dock reports that it is latched.
            latch.repeatEmergencyStop(from: now + LatchLedger.quickInterval)
            if !isWhole { latch.wasCut(now: now) }
        }
        emit(.dock(machine.state, machine.identity))
        return .success(.init("emergency stop, latched: type `dockface clear` when all is well"))
    }

    /// Marks the torque as off. The driver makes sure of that at the next greeting.
    func release(now: Seconds) {
        _ = director.apply(.torque(false), now: now, pose: nil)
        observed.following.resetAll()
        guard !options.dryRun else { return }
        torqueRelease.markPending()
        if !machine.wasOurs { dock.releaseAtGreeting() }
        renewGuardStop()
    }

    /// Updates the guard's stop. If a stop can switch the torque on, the guard's copy must match the torque that was
    /// requested.
    func renewGuardStop() { if abilities.standstill == .limp { showGuard() } }

    func torque(_ on: Bool, now: Seconds) -> MotionAnswer {
        guard link != nil else { return .failure(refusal ?? DockError(.notConnected, "no dock", hint: "plug it in")) }
        // A dock that has not identified itself may be another dock, and gets nothing.
        switch machine.state {
        case .ready: break
        case .faulted where !on && machine.isOurs: break
        case .faulted, .greeting, .detached: if let refusal { return .failure(refusal) }
        }
        if !SafetyMutant.torqueKeepsMoving.isOn { halt(.stopped, toManual: true, now: now) }
        endRelease(
            .failure(DockError(.busy, "a newer `torque` command replaced this one", hint: "wait for its answer")))
        let answer = director.apply(.torque(on), now: now, pose: nil)
        if !on { observed.following.resetAll() }
        torqueRelease.switched(on: on, isSent: !options.dryRun)
        dock.discard()
        if !options.dryRun { dock.torque(on) }
        // A head that is moved by hand is polled at a high rate, because the hand may be teaching a motion.
        dock.setActive(!on)
        writeNow()
        renewGuardStop()
        // The line may lose the command, so the driver repeats it.
        schedule.service(by: now + Self.torquePatience)
        return answer
    }

    private static let unanswered = DockError(
        .notConnected, "the dock has not answered yet: it may be latched",
        hint: "wait until it does, or check its cable and supply; then type `dockface clear` again")

    private func beginClear(now: Seconds, program: ProgramID?, reply: (@Sendable (MotionAnswer) -> Void)?) {
        guard case .faulted = machine.state else {
            // A person has checked the axes. If programs could do this, they could reset the unseen motion between
            // their short motions.
            if program == nil { observed.following.resetAll() }
            reply?(.success(.init("nothing is latched", mode: director.mode)))
            return
        }
        // The dock may keep a latch from an earlier run that it has not reported yet.
        if link != nil, !machine.isOurs {
            reply?(.failure(Self.unanswered))
            return
        }
        endClear("a newer `clear` replaced this one")
        // A dock that received the emergency stop and has not reported yet is still latched.
        let isTold = latch.isUnconfirmed && abilities.keepsLatch
        latch.endRepeats()
        // A silent dock may also be latched.
        let isSilent = abilities.reportsPose && observed.motion(at: now) == nil
        latch.beginClear(now: now, reply: reply)
        guard latch.deviceFault != nil || isTold || isSilent, link != nil, machine.isOurs else {
            finishClear(now: now)
            return
        }
        dock.discard()
        if !SafetyMutant.neverSendsClear.isOn { dock.clear() }
        writeNow()
    }

    /// Decides the result of a clear that has timed out. A dock that is still latched has reported that by now, but a
    /// silent dock may be latched too.
    func judgeClear(sent: Seconds, now: Seconds) {
        guard abilities.reportsPose, (observed.poses.latest?.time ?? -.infinity) < sent else {
            return finishClear(now: now)
        }
        endClear("the dock has not reported whether it is latched")
        stayLatched(now: now)
    }

    /// Keeps the emergency stop latched here and latches it in the dock again, whatever other latch the dock may have.
    private func stayLatched(now: Seconds) {
        guard machine.state == .faulted(.emergencyStop) else { return }
        latch.repeatEmergencyStop(from: now)
    }

    /// Ends a clear whose result is unknown, and reports that to the waiting client.
    func endClear(_ reason: String) {
        guard let waiting = latch.endClear() else { return }
        waiting.reply?(
            .failure(DockError(.busy, reason, hint: "make sure all is well, then type `dockface clear` again")))
    }

    func finishClear(now: Seconds) {
        guard let waiting = latch.endClear() else { return }
        schedule.request()
        let state = machine.state
        if machine.clear(deviceStillFaulted: latch.deviceFault != nil && !SafetyMutant.clearsBlindly.isOn) {
            director.halt(.stopped, toManual: !SafetyMutant.resumesAfterClear.isOn)
            if SafetyMutant.resumesAfterClear.isOn { director.mode = .system }
            if case .faulted(let fault) = state { forgetFaults(after: latch.released() ?? fault) }
            emit(.dock(machine.state, machine.identity))
            waiting.reply?(
                .success(
                    .init(
                        director.torque
                            ? "cleared, mode manual: \(Self.followsAgain)"
                            : "cleared, mode manual; torque is off: type `torque on`")))
        } else {
            waiting.reply?(
                .failure(
                    DockError(
                        .faulted, "the dock has not released its latch: the cause persists, or its answer was lost",
                        hint: "release its emergency button or let it cool down, then type `dockface clear` again")))
            stayLatched(now: now)
        }
        markDirty(now: now)
    }
}
