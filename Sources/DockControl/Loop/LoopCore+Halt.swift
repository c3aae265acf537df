internal import Geometry

/// The end of motion, whatever the reason: the stop and its repeats, and the machine's actions.
extension LoopCore {
    /// Ends all motion now: drops decisions, discards the queue and writes the stop. Every kind of stop uses this call.
    /// Nothing is written if another dock is at the port, which this program has not moved.
    func halt(_ outcome: MotionOutcome, toManual: Bool, isWritten: Bool = true, now: Seconds) {
        director.halt(outcome, toManual: toManual)
        observed.following.commanded(.zero, at: now)
        director.commanded(.zero, at: now)
        metrics.meter.commanded(.zero, at: now)
        var isWhole: Bool?
        if isWritten, !stops.isSettled || toManual, link != nil, !SafetyMutant.skipsStop.isOn {
            dock.discard()
            dock.stop()
            isWhole = writeLast(within: Self.stopTime)
        }
        stops.halted(isWhole: isWhole)
        if isWhole != nil { schedule.request() } else { schedule.withdraw() }
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
            case .halt: halt(wasFaulted ? .faulted : .unplugged, toManual: wasFaulted, now: now)
            case .leave: halt(wasFaulted ? .faulted : .unplugged, toManual: wasFaulted, isWritten: false, now: now)
            case .close:
                guardLink.release()
                endRelease(Self.unreleased("the dock is gone, and it has not confirmed"))
                port.close()
                stops.closed()
                endClear("the dock is gone")
            case .forgetPoses:
                observed.forget()
                options.poses?.forget()
                metrics.meter.reset(now: now)
            }
        }
        if !actions.isEmpty { dockChanged(now: now) }
    }

    func dockChanged(now: Seconds) {
        // Another dock at the port is checked repeatedly but reported once.
        if machine.state == .detached(.otherDevice), trace.recordedState == machine.state { return markDirty(now: now) }
        emit(.dock(machine.state, machine.identity))
        markDirty(now: now)
    }

    /// Stops a dock that is not ready and has no deadman timer. It may still follow its last command from before the
    /// cable was unplugged, and it does not report that before it is ready. Its identity may be unknown, but any dock
    /// may receive a stop.
    func stopWhileGreeting(now: Seconds) {
        guard abilities.deadman == nil, !options.dryRun else { return }
        // The reported motion of a known, latched dock is watched (`repeatStop`).
        if case .faulted = machine.state, machine.isOurs { return }
        stops.scheduleDuringHandshake(now: now)
    }

    /// Repeats a truncated stop, even to a dock that is not ready: mode 0 is always accepted.
    func sendPendingStop(now: Seconds) {
        guard stops.isMoving, schedule.maySend(now: now) else { return }
        dock.stop()
        stops.encodedStop()
        schedule.sent(now: now, isStop: true)
    }

    /// Makes a stop due in the next step, with its repeats.
    func scheduleStop() {
        stops.schedule()
        schedule.request()
    }

    /// Writes what is encoded now, and discards it.
    /// - Returns: whether the port accepted all of it.
    @discardableResult
    func writeNow() -> Bool {
        defer { dock.discard() }
        return link?.write(dock.bytes) ?? false
    }

    /// Discards what the port has not sent yet, writes what is encoded, and waits for at most `within` seconds. Used
    /// for the stop.
    /// - Returns: whether the port accepted all of it.
    @discardableResult
    func writeLast(within: Seconds) -> Bool {
        defer { dock.discard() }
        return link?.writeLast(dock.bytes, within: within) ?? false
    }
}
