internal import DockTypes
internal import Geometry

/// The loop's interface to its guard: the port, the heartbeat, and a notice before the port is closed.
extension LoopCore {
    /// Whether a running guard watches the open port.
    var isGuarded: Bool { link != nil && guardLink.isAlive }

    /// Whether the dock may move. A dock without a deadman timer moves only while a guard would stop it.
    var mayMove: Bool {
        abilities.deadman != nil || guardLink.isAlive || options.dryRun || SafetyMutant.movesUnguarded.isOn
    }

    /// Hands the opened port to the guard before anything on it can move.
    func showGuard() {
        guard guardLink.exists, let link else { return }
        let stop = dock.separateStop()
        guardLink.watch(link, stop: stop)
    }

    /// Sends the heartbeat: before the first motion is written, after the last stop, and regularly in between.
    func beat(now: Seconds) { guardLink.beat(moving: stops.isMoving, now: now) }

    /// Reads the guard's reports. Returns true if the guard has stopped the dock: the known state is then out of date.
    func readGuardReports(now: Seconds) -> Bool {
        var hasStopped = false
        while let did = guardLink.takeIntervention() {
            hasStopped = true
            metrics.counters.guardStops += 1
            let silence = Int((did.silence * 1000).clamped(to: 0...1e9).rounded())
            note(
                did.wrote
                    ? "the guard stopped the dock: the loop was silent for \(silence) ms"
                    : "the guard could not stop the dock when the loop was silent for \(silence) ms: the port accepted no data"
            )
        }
        if hasStopped { keepTrace(cause: "guard", now: now) }
        return hasStopped
    }

    /// Replaces a guard that has ended, if that is possible. The loop does not wait: the new guard reports in a later
    /// turn. Until then a dock without a deadman timer stays at rest.
    func renewGuardIfNeeded(now: Seconds) {
        guard guardLink.exists else { return }
        if guardLink.isAlive { return guardStands(now: now) }
        guard guardLink.isRenewalDue(now: now) else { return }
        // In the meantime nothing would stop the dock.
        if abilities.deadman == nil, stops.isMoving, let link {
            _ = link.writeLast(dock.separateStop(), within: Self.stopTime)
        }
        let attempt = guardLink.renew()
        if attempt.isStarting, guardLink.isAlive { return guardStands(now: now) }
        if attempt.isMissed {
            note(
                "the guard has ended and cannot be replaced: "
                    + (abilities.deadman == nil
                        ? "the dock is no longer moved" : "only the dock's own deadman timer is left")
                    + "; start dockface again")
        }
        markDirty(now: now)
    }

    private func guardStands(now: Seconds) {
        guard guardLink.hasRenewed() else { return }
        showGuard()
        note("the guard had ended and was replaced")
        markDirty(now: now)
    }

    /// The reason why a dock without a deadman timer may not be moved.
    static let unguarded = DockError(
        .notSupportedByDevice, "this rig has no deadman timer, and no guard is running",
        hint: "start dockface again; if that does not help, raise `ulimit -u`")
}
