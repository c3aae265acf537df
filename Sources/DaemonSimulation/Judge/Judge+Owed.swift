internal import DockControl
internal import DockSimulator
internal import Geometry

/// What the guard and the daemon must still send to the dock when something was lost or not received.
extension Judge {
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
        if hasGuard() { holds.held(from: time, until: until) }
        if until - max(time, wanted) > Self.longestGap + 0.05 { gapNeedsHello = true }
    }

    /// The daemon exited in order, and another one starts. It knows only the latch.
    func restarted(at time: Seconds, isLatched: Bool, isReleased: Bool) {
        if commandsOut != 0 { fail(.everythingAnswered, time, "\(commandsOut) commands were never answered") }
        self.isLatched = self.isLatched && isLatched
        isTracking = story.tracksAtFirst && !isLatched && !isReleased
        (mustBeStill, mayStir) = (isLatched || isReleased, false)
        (personHolds, heldBefore, lease, running, orphanedAt) = (false, false, nil, nil, nil)
        (stopIsDue, prefixIsDue, torqueIsAsked) = (false, false, false)
        takeovers.removeAll()
        motionsOut.removeAll()
        limits.removeAll()
        manualUntil = time
        queue = QueueWatch()
        leases = LeaseWatch()
        people.restarted()
        release.restarted()
        deadEncoders.forgive(at: pose)
        proof = ProofWatch()
        pole = PoleWatch()
        deaf.forgive()
        holds.forgive()
        if isSaving { mayGoHomeUntil = .infinity }
    }

    /// Checks the true axes against what is still required.
    func watchOwed(_ dock: SimulatedDock, _ elapsed: Seconds, _ time: Seconds) {
        let speed = rate.magnitude
        let isTold = troubles == 0 && isPlugged && lying.isEmpty && hasTorque
        if isTold {
            if let text = holds.passed(to: time, moving: moving, speed: hasLied ? 0 : speed) {
                fail(.guardStops, time, text)
            }
        } else {
            holds.forgive()
        }
        if !story.hasDeadman, isTold, moving == nil, helloAt.map({ time > $0 + 0.5 }) ?? false,
            let text = drift.passed(to: time, speed: speed, coasting: coasting(speed))
        {
            fail(.stopsUntilItStands, time, text)
        }
        if moving == nil { deaf.forgive() }
        if story.hasDeadman, troubles == 1, isPlugged, let text = deaf.passed(to: time) {
            fail(.deafIsNoticed, time, text)
        }
        if moving != nil, isSound(for: 0, at: time), time > lastSetpointAt + Self.refresh,
            time > soundSince + Self.refresh
        {
            fail(
                .stopIsOwed, time,
                "the last set-point moves the dock, and nothing has followed for \(ms(time - lastSetpointAt))")
        }
        // After losing the face, tracking searches and goes home. That is not trust in the camera.
        let isFollowing = loop?.owner == .tracking && loop?.phase == .following
        let tracked = isFollowing && troubles == 0 ? moving : nil
        if let text = signs.passed(elapsed, tracking: tracked, pose: pose, at: time) {
            fail(.wrongCameraStands, time, text)
        }
    }

    func guardWrote(at time: Seconds) {
        standsBy = time + coasting(rate.magnitude)
        moving = nil
        holds.guardWrote(at: time, coasting: coasting(rate.magnitude))
    }

    /// Time from the last set-point until the axes stand.
    func coasting(_ speed: Double) -> Seconds {
        model.commandLatency + 2 * model.commandJitter + speed / model.maximumAcceleration + 6 * model.lag + 0.05
    }

    func frees(_ axis: Axis) { blocks.frees(axis) }
    func heals(_ axis: Axis, at time: Seconds) {
        lying[axis]?.until = time + 1.5
        deadEncoders.heals(axis)
    }

    /// A turn of the loop. The loop must not spin, and it must notice a silent dock.
    func turns(at time: Seconds, hasLink: Bool) {
        if time >= turns.since + 1 { turns = (0, time) }
        turns.count += 1
        if turns.count > Self.mostTurns { fail(.rests, time, "\(turns.count) turns within a second") }
        readySince = loop?.state == .ready ? readySince ?? time : nil
        let silence = time - max(lastMotionReportAt, readySince ?? time)
        if hasLink, silence > 1.2 {
            fail(.silenceIsNoticed, time, "ready, and the dock has been silent for \(ms(silence))")
        }
    }
}
