internal import Geometry

/// What the loop owes its guard: the port, a heart that beats, and word before the port is closed.
extension LoopCore {
    /// A guard stands behind the port.
    var isGuarded: Bool { link != nil && guardian?.isAlive == true }

    /// A dock that never stops by itself turns only while somebody would stop it.
    var mayMove: Bool {
        abilities.deadman != nil || guardian?.isAlive == true || options.dryRun || SafetyMutant.movesUnguarded.isOn
    }

    /// The port was opened: before anything on it can move, the guard has it.
    func showGuard() {
        guard let guardian, let link else { return }
        var stop: [UInt8] = []
        driver.encodeStop(into: &stop)
        guardian.watch(link, stop: stop)
        pulse.reset()
    }

    /// The heart: before the first motion is written, after the last one, and between them.
    func beat(now: Seconds) {
        guard let guardian, pulse.isDue(moving: stops.isMoving, now: now) else { return }
        guardian.beat(moving: stops.isMoving && !SafetyMutant.heartless.isOn, now: now)
    }

    /// The port is about to be closed.
    func releaseGuard() {
        guardian?.release()
        pulse.reset()
    }

    /// It has something to tell. Whether it has stopped the dock: what was known before is old then.
    func hearGuard() -> Bool {
        var hasStopped = false
        while let did = guardian?.takeIntervention() {
            hasStopped = true
            metrics.counters.guardStops += 1
            let silence = Int((did.silence * 1000).clamped(to: 0...1e9).rounded())
            note(
                did.wrote
                    ? "the guard stopped the dock: the loop was silent for \(silence) ms"
                    : "the guard could not stop the dock when the loop was silent for \(silence) ms: the port took nothing"
            )
        }
        if hasStopped { keepTrace(cause: "guard", now: recorder.now) }
        return hasStopped
    }

    /// A guard that is gone is replaced where that can be done. Nothing is waited for: the new one reports in a later turn, and
    /// until then a dock without a deadman stands.
    func keepGuard(now: Seconds) {
        guard let guardian else { return }
        if guardian.isAlive { return guardStands(now: now) }
        guard renewal.isDue(now: now) else { return }
        // Nobody would stop it meanwhile.
        if abilities.deadman == nil, stops.isMoving, let link {
            var stop: [UInt8] = []
            driver.encodeStop(into: &stop)
            _ = link.writeLast(stop, within: 0.05)
        }
        let isStarting = guardian.renew(), isMissed = renewal.attempted(isStarting: isStarting)
        if isStarting, guardian.isAlive { return guardStands(now: now) }
        if isMissed {
            note(
                "the guard is gone and no other can be had: "
                    + (abilities.deadman == nil ? "the dock is not moved any more" : "the dock's own deadman is left")
                    + "; start dockface again")
        }
        markDirty(now: now)
    }

    private func guardStands(now: Seconds) {
        guard renewal.stands() else { return }
        showGuard()
        note("the guard was gone: another one stands in its place")
        markDirty(now: now)
    }

    /// Why a dock without a deadman may not be moved.
    static let unguarded = DockError(
        .notSupportedByDevice, "this rig has no deadman of its own, and no guard stands in for it",
        hint: "start dockface again; if that does not help, raise `ulimit -u`")
}
