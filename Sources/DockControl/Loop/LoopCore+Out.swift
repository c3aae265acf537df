internal import Geometry

/// The loop's reports to the rest of the program.
extension LoopCore {
    /// Requests a publication soon, because something changed.
    func markDirty(now: Seconds) { outlet.outbox.mark(now: now) }

    /// Publishes the state, the frames and the events.
    func publishAll(now: Seconds) {
        metrics.counters.faults = machine.faults
        metrics.counters.losses = machine.losses
        metrics.counters.invalidBytes = dock.invalidBytes
        reportLag()
        reportOscillation()
        reportView()
        // The state is published before the events that caused it, so a listener that receives "ready" finds the state
        // ready.
        publish(now: now)
        input?.publish(now: now)
        outlet.flush()
    }

    /// Logs that tracking corrects wrong frame times, so that the user can correct the cause.
    func reportLag() {
        let correction = director.pursuit.latency.correction
        guard abs(correction) >= LatencyWatch.patience, outlet.isFirst(.lag) else { return }
        note(
            "frames are captured \(correction < 0 ? "earlier" : "later") than their times say, which tracking corrects; "
                + "fix `camera.latency_ms` or the detector's times (see `dockface latency`, `dockface calibrate`)")
    }

    /// Logs that the head oscillates and therefore follows more softly, with the possible causes.
    func reportOscillation() {
        // A person who moves back and forth in front of the head can have the same effect once or twice.
        guard director.oscillationCount >= 3, outlet.isFirst(.swings) else { return }
        note(
            "the head oscillated repeatedly and followed more softly for a while each time; unless a person moves back and forth, "
                + "`camera.latency_ms`, `link.latency_ms` or `lag_ms` is wrong (see `dockface latency`, `dockface calibrate`)"
        )
    }

    /// Logs that tracking corrects a wrong field of view, so that the user can correct the profile.
    func reportView() {
        let lens = director.pursuit.lens
        guard lens.correction != 1, outlet.isFirst(.view) else { return }
        func degrees(_ factor: Double) -> Int {
            Int(lens.camera.magnified(by: 1 / factor).horizontalFieldOfView.inDegrees.rounded())
        }
        note(
            "the picture moves \(lens.correction < 1 ? "less" : "more") than its field of view says when the head turns: "
                + "tracking uses \(degrees(lens.magnification)) instead of \(degrees(lens.factor)) degrees; "
                + "correct `camera.hfov`, or the detector's intrinsics (see `dockface calibrate`)")
    }

    func note(_ text: String) { emit(.note(text)) }

    /// Reports the motions that have ended since the last call.
    func reportEndedMotions() { for over in director.drainEnded() { emit(.motionEnded(over)) } }

    func emit(_ event: LoopEvent) {
        record(event)
        outlet.outbox.add(event, now: recorder.now)
    }
}
