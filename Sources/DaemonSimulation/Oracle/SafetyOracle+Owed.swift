internal import DockControl
internal import DockSimulator
internal import Geometry

/// What the guard and the daemon must still send to the dock when something was lost or not received.
extension SafetyOracle {
    /// Three refreshes of the slowest rig, and a turn, seconds.
    private static let refresh: Seconds = 0.45
    /// A loop that wakes up later than this was held, seconds.
    private static let longestGap: Seconds = 0.25
    /// More turns per second mean that the loop does not sleep. Detections, set-points, reports and timers need far
    /// fewer.
    private static let mostTurns = 3000

    /// The loop gets no CPU time. It had asked to be woken at `wanted` at the latest. A wake-up that is 250 ms late
    /// ends all motion and requires a new handshake.
    func heldUp(from time: Seconds, until: Seconds, wanted: Seconds) {
        if health.hasGuard() { onWire.holds.held(from: time, until: until) }
        if until - max(time, wanted) > Self.longestGap + 0.05 { health.gapNeedsHello = true }
    }

    /// The daemon exited in order, and another one starts. It knows only the latch.
    func restarted(at time: Seconds, isLatched: Bool, isReleased: Bool) {
        if owners.commandsOut != 0 {
            fail(.everythingAnswered, time, "\(owners.commandsOut) commands were never answered")
        }
        requests.isLatched = requests.isLatched && isLatched
        requests.isTracking = scenario.tracksAtFirst && !isLatched && !isReleased
        (requests.mustBeStill, requests.mayStir) = (isLatched || isReleased, false)
        (owners.personHolds, owners.heldBefore, owners.lease, owners.running, owners.orphanedAt) = (
            false, false, nil, nil, nil
        )
        (requests.stopIsDue, requests.prefixIsDue, requests.torqueIsAsked) = (false, false, false)
        owners.takeovers.removeAll()
        owners.motionsOut.removeAll()
        bounds.limits.removeAll()
        bounds.near.forget()
        requests.manualUntil = time
        onWire.queue = QueueWatch()
        onSession.leases = LeaseWatch()
        onSession.people.restarted()
        onWire.release.restarted()
        onAxes.deadEncoders.forgive(at: axes.pose)
        onAxes.proof = ProofWatch()
        onAxes.pole = PoleWatch()
        onWire.deaf.forgive()
        onWire.holds.forgive()
        if bounds.isSaving { bounds.mayGoHomeUntil = .infinity }
        bounds.isSaving = false
    }

    /// Checks the true axes against what is still required.
    func watchOwed(_ dock: SimulatedDock, _ elapsed: Seconds, _ time: Seconds) {
        let speed = axes.rate.magnitude
        let isTold = health.troubles == 0 && wire.isPlugged && axes.lying.isEmpty && axes.hasTorque
        if isTold {
            if let text = onWire.holds.passed(to: time, moving: wire.moving, speed: axes.hasLied ? 0 : speed) {
                fail(.guardStops, time, text)
            }
        } else {
            onWire.holds.forgive()
        }
        if !scenario.hasDeadman, isTold, wire.moving == nil, wire.helloAt.map({ time > $0 + 0.5 }) ?? false,
            let text = onWire.drift.passed(to: time, speed: speed, coasting: coasting(speed))
        {
            fail(.stopsUntilAtRest, time, text)
        }
        if wire.moving == nil { onWire.deaf.forgive() }
        if scenario.hasDeadman, health.troubles == 1, wire.isPlugged, let text = onWire.deaf.passed(to: time) {
            fail(.deafIsNoticed, time, text)
        }
        if wire.moving != nil, isSound(for: 0, at: time), time > wire.lastSetpointAt + Self.refresh,
            time > health.soundSince + Self.refresh
        {
            fail(
                .setpointsEndWithStop, time,
                "the last set-point moves the dock, and nothing has followed for \(ms(time - wire.lastSetpointAt))")
        }
        // After losing the face, tracking searches and goes home. That is not trust in the camera.
        let isFollowing = loop?.owner == .tracking && loop?.phase == .following
        let tracked = isFollowing && health.troubles == 0 ? wire.moving : nil
        if let text = onAxes.signs.passed(elapsed, tracking: tracked, pose: axes.pose, at: time) {
            fail(.wrongCameraIsDetected, time, text)
        }
    }

    func guardWrote(at time: Seconds) {
        axes.standsBy = time + coasting(axes.rate.magnitude)
        wire.moving = nil
        onWire.holds.guardWrote(at: time, coasting: coasting(axes.rate.magnitude))
    }

    /// Time from the last set-point until the axes stand.
    func coasting(_ speed: Double) -> Seconds {
        rig.model.commandLatency + 2 * rig.model.commandJitter + speed / rig.model.maximumAcceleration + 6
            * rig.model.lag + 0.05
    }

    func frees(_ axis: Axis) { onAxes.blocks.frees(axis) }
    func heals(_ axis: Axis, at time: Seconds) {
        axes.lying[axis]?.until = time + 1.5
        onAxes.deadEncoders.heals(axis)
    }

    /// A turn of the loop. The loop must not spin, and it must notice a silent dock.
    func turns(at time: Seconds, hasLink: Bool) {
        if time >= health.turns.since + 1 { health.turns = (0, time) }
        health.turns.count += 1
        if health.turns.count > Self.mostTurns {
            fail(.loopSleeps, time, "\(health.turns.count) turns within a second")
        }
        health.readySince = loop?.state == .ready ? health.readySince ?? time : nil
        let silence = time - max(wire.lastMotionReportAt, health.readySince ?? time)
        if hasLink, silence > 1.2 {
            fail(.silenceIsNoticed, time, "ready, and the dock has been silent for \(ms(silence))")
        }
    }
}
