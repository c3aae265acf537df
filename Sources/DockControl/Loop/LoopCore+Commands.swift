internal import Geometry

extension LoopCore {
    /// Takes what was posted, in order: first the leases that were lost, then the commands. A stop is first in the queue by
    /// construction.
    func takeCommands(now: Seconds) {
        input?.collect()
        let batch = outlet.takeCommands()
        for lost in batch.lost {
            recorder.lost(lost)
            let ending = director.end(lost)
            tellEnded()
            emit(.leaseEnded(ending))
        }
        for queued in batch.commands {
            recorder.command(queued.command, program: queued.program)
            if let refusal = retreatRefusal(queued.command) {
                queued.reply?(.failure(refusal))
                continue
            }
            // A clear answers when the dock has said yes or no.
            if queued.command == .clear {
                beginClear(now: now, program: queued.program, reply: queued.reply)
                continue
            }
            // A hand may be caught, or is about to reach in: "ok" means that the dock has let go.
            if queued.command == .torque(false) {
                beginRelease(now: now, reply: queued.reply)
                continue
            }
            let answer = take(queued.command, program: queued.program, now: now)
            queued.reply?(answer)
            // One at a time: of a crowd of motions that replace each other, each end is told.
            tellEnded()
        }
        if let input {
            let served = input.serve(now: now, poses: poses, mode: director.mode, pursuit: &director.pursuit)
            if served.frames > 0 { framesArrived(now: now) }
        }
        wantsStep = true
        markDirty(now: now)
    }

    private func take(_ command: MotionCommand, program: ProgramID?, now: Seconds) -> MotionAnswer {
        switch command {
        case .stop:
            halt(.stopped, toManual: true)
            return .success(.init("stopped, mode manual"))
        case .emergencyStop:
            return emergencyStop(now: now)
        case .torque(let on):
            return torque(on, now: now)
        case .setMode, .setFraming, .setRegion, .setSpeed, .setLimits, .cancel:
            return director.take(command, now: now, pose: nil)
        case .chevron, .velocity, .orient, .home, .animate, .gesture, .clear:
            if let refusal = refusal { return .failure(refusal) }
            let share = machine.speedShare(now: now, wantsToMove: false)
            guard share > 0 else {
                return .failure(
                    DockError(
                        .busy, "the dock was attached just now: hands may be near it",
                        hint: "its first motion waits 2 s, and goes slowly for 3 s; give the command again"))
            }
            return director.take(
                command, program: program, now: now, pose: motion(at: now)?.pose, speedShare: share)
        }
    }

    /// Why nothing can move at the moment; nil: it can.
    private var refusal: DockError? {
        switch machine.state {
        case .ready:
            !director.torque
                ? DockError(
                    .busy,
                    !abilities.canLetGo
                        ? "torque off was asked for: the rig cannot let go, and is not moved"
                        : torqueRelease.isOwed
                            ? "torque off was asked for, and the rig has not said that it let go"
                            : torqueRelease.hasLetGo ? Self.letGoText : "torque is off, the head is free",
                    hint: "type `torque on` first")
                : mayMove ? nil : Self.unguarded
        case .faulted(let fault):
            DockError(.faulted, "stopped by \(fault.rawValue)", hint: "make sure all is well, then type `clear`")
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
        following.commanded(.zero, at: now)
        // A clear that is under way was for what was latched before.
        if !SafetyMutant.clearsNewerStop.isOn { endClear("an emergency stop came first") }
        stops.emergencyStopped()
        if let link {
            bytes.removeAll(keepingCapacity: true)
            driver.encodeEmergencyStop(into: &bytes)
            if options.profile.safety.onEmergencyStop == .relax, !options.dryRun {
                // One that has not said who it is may be another one: it is told when it has.
                if machine.wasOurs { driver.encodeTorque(false, into: &bytes) }
                release()
            }
            driver.encodeStop(into: &bytes)
            _ = link.writeLast(bytes, within: 0.05)
            bytes.removeAll(keepingCapacity: true)
            serviceAt = min(serviceAt, now + Self.torquePatience)
            // Repeated until the dock's own report says that it is latched.
            latch.repeatEmergencyStop(from: now + LatchLedger.quickInterval)
        }
        emit(.dock(machine.state, machine.identity))
        return .success(.init("emergency stop, latched: type `clear` when all is well"))
    }

    /// The motors are let go of, as far as it is known here; the driver sees to it at the next greeting.
    func release() {
        _ = director.take(.torque(false), now: 0, pose: nil)
        following.forget()
        guard !options.dryRun else { return }
        torqueRelease.owe()
        var unsent: [UInt8] = []
        if !machine.wasOurs { driver.encodeTorque(false, into: &unsent) }
        renewGuardStop()
    }

    /// Where a stop gives the torque back, the one that the guard keeps must not be of another mind than who switched it.
    func renewGuardStop() { if abilities.standstill == .limp { showGuard() } }

    func torque(_ on: Bool, now: Seconds) -> MotionAnswer {
        guard let link else { return .failure(refusal ?? DockError(.notConnected, "no dock", hint: "plug it in")) }
        // Until a dock has said who it is, it may be another one, and gets nothing.
        switch machine.state {
        case .ready: break
        case .faulted where !on && machine.isOurs: break
        case .faulted, .greeting, .detached: if let refusal { return .failure(refusal) }
        }
        if !SafetyMutant.torqueKeepsMoving.isOn { halt(.stopped, toManual: true) }
        endRelease(.failure(DockError(.busy, "another `torque` came first", hint: "wait for its answer")))
        let answer = director.take(.torque(on), now: now, pose: nil)
        if !on { following.forget() }
        torqueRelease.switched(on: on, isSent: !options.dryRun)
        bytes.removeAll(keepingCapacity: true)
        if !options.dryRun { driver.encodeTorque(on, into: &bytes) }
        // A head that is moved by hand is watched closely: it may be teaching a motion.
        driver.setActive(!on, into: &bytes)
        _ = link.write(bytes)
        bytes.removeAll(keepingCapacity: true)
        renewGuardStop()
        // The line may have lost it: the driver repeats it.
        serviceAt = min(serviceAt, now + Self.torquePatience)
        return answer
    }

    private static let unanswered = DockError(
        .notConnected, "the dock has not answered yet: it may be latched",
        hint: "wait until it does, or check its cable and supply; then type `clear` again")

    private func beginClear(now: Seconds, program: ProgramID?, reply: (@Sendable (MotionAnswer) -> Void)?) {
        guard case .faulted = machine.state else {
            // A person has seen to the axes. A program could forget a dead encoder between its taps.
            if program == nil { following.forget() }
            reply?(.success(.init("nothing is latched", mode: director.mode)))
            return
        }
        // It keeps what it was latched by, perhaps since an earlier run, and has not said so yet.
        if link != nil, !machine.isOurs {
            reply?(.failure(Self.unanswered))
            return
        }
        endClear("another clear came")
        // A dock that was told and has not reported yet is latched all the same.
        let isTold = latch.isUnconfirmed && abilities.keepsLatch
        latch.endRepeats()
        // So may one that says nothing be.
        let isSilent = abilities.reportsPose && motion(at: now) == nil
        latch.beginClear(now: now, reply: reply)
        guard latch.deviceFault != nil || isTold || isSilent, let link, machine.isOurs else {
            finishClear(now: now)
            return
        }
        bytes.removeAll(keepingCapacity: true)
        if !SafetyMutant.neverSendsClear.isOn { driver.encodeClear(into: &bytes) }
        _ = link.write(bytes)
        bytes.removeAll(keepingCapacity: true)
    }

    /// Its time is over. A dock that keeps its latch has said so by now; one that has said nothing may keep it as well.
    func judgeClear(sent: Seconds, now: Seconds) {
        guard abilities.reportsPose, (poses.latest?.time ?? -.infinity) < sent else {
            return finishClear(now: now)
        }
        endClear("the dock has not said whether it is latched")
        stayLatched(now: now)
    }

    /// It stays latched here, and is to be there, too, whatever else the dock may be latched by.
    private func stayLatched(now: Seconds) {
        guard machine.state == .faulted(.emergencyStop) else { return }
        latch.repeatEmergencyStop(from: now)
    }

    /// Nobody knows any more what came of a clear: whoever waits gets to know that.
    func endClear(_ reason: String) {
        guard let waiting = latch.endClear() else { return }
        waiting.reply?(.failure(DockError(.busy, reason, hint: "make sure all is well, then type `clear` again")))
    }

    func finishClear(now: Seconds) {
        guard let waiting = latch.endClear() else { return }
        wantsStep = true
        let state = machine.state
        if machine.clear(deviceStillFaulted: latch.deviceFault != nil && !SafetyMutant.clearsBlindly.isOn) {
            director.halt(.stopped, toManual: !SafetyMutant.resumesAfterClear.isOn)
            if SafetyMutant.resumesAfterClear.isOn { director.mode = .system }
            if case .faulted(let fault) = state { forgetFaults(after: latch.released() ?? fault) }
            emit(.dock(machine.state, machine.identity))
            waiting.reply?(
                .success(
                    .init("cleared, mode manual" + (director.torque ? "" : "; torque is off: type `torque on`"))))
        } else {
            waiting.reply?(
                .failure(
                    DockError(
                        .faulted, "the dock has not released its latch: the cause lasts, or its answer was lost",
                        hint: "release its emergency button or let it cool down, then type `clear` again")))
            stayLatched(now: now)
        }
        markDirty(now: now)
    }
}
