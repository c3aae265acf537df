internal import DockControl
internal import DockSimulator
internal import Geometry

/// What guard and daemon owe the dock where something was lost or nobody hears.
extension Judge {
    /// Three refreshes of the slowest rig, and a turn, seconds.
    private static let refresh: Seconds = 0.45
    /// A loop that wakes up later than this was held, seconds.
    private static let longestGap: Seconds = 0.25
    /// So many turns a second are no rest: detections, set-points, reports and the clocks of everybody are far fewer.
    private static let mostTurns = 3000

    /// The loop gets no time; it had asked to be woken at `wanted` at the latest. A wake-up that comes 250 ms late ends all
    /// motion, and the dock is greeted anew.
    func heldUp(from time: Seconds, until: Seconds, wanted: Seconds) {
        if hasGuard() { holds.held(from: time, until: until) }
        if until - max(time, wanted) > Self.longestGap + 0.05 { gapNeedsHello = true }
    }

    /// The daemon has ended in order, and another one begins: it knows only the latch.
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

    /// The axes were looked at.
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
                "the last set-point turns the dock, and nothing has followed for \(ms(time - lastSetpointAt))")
        }
        // Where it has lost the face it looks for it, and goes home: that is no belief in the camera.
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

    /// Time from the end of the set-points to standing still.
    func coasting(_ speed: Double) -> Seconds {
        model.commandLatency + 2 * model.commandJitter + speed / model.maximumAcceleration + 6 * model.lag + 0.05
    }

    func frees(_ axis: Axis) { blocks.frees(axis) }
    func heals(_ axis: Axis, at time: Seconds) {
        lying[axis]?.until = time + 1.5
        deadEncoders.heals(axis)
    }

    /// A turn of the loop: time goes on between them, and a dock that is silent is known to be.
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
