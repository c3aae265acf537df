/// What the loop tells the rest of the program.
extension LoopCore {
    /// Pictures whose times are wrong are made up for, and somebody should know.
    func tellLag() {
        let correction = director.pursuit.latency.correction
        guard !hasToldLag, abs(correction) >= LatencyWatch.patience else { return }
        hasToldLag = true
        note(
            "pictures are taken \(correction < 0 ? "sooner" : "later") than their times say: made up for; "
                + "mend `camera.latency_ms` or the detector's times (see `dockface latency`, `dockface calibrate`)")
    }

    /// A head that swings is followed softly, and somebody should know why.
    func tellSwings() {
        // Somebody who dances before it looks the same, once or twice.
        guard !hasToldSwings, director.swingings >= 3 else { return }
        hasToldSwings = true
        note(
            "the head has swung about its goal again and again: followed more softly for a while each time; if nobody dances before it, "
                + "`camera.latency_ms`, `link.latency_ms` or `lag_ms` are wrong (see `dockface latency`, `dockface calibrate`)"
        )
    }

    func note(_ text: String) { emit(.note(text)) }

    /// Tells which motions have ended since the last call.
    func tellEnded() { for over in director.takeEnded() { emit(.motionEnded(over)) } }

    func emit(_ event: LoopEvent) {
        record(event)
        if pendingEvents.count < Self.mostEvents { pendingEvents.append(event) } else { lostEvents += 1 }
        if publishAt == nil { publishAt = recorder.now }
    }

    func flushEvents() {
        if lostEvents > 0 {
            outlet.onEvent(.lost(lostEvents))
            lostEvents = 0
        }
        for event in pendingEvents { outlet.onEvent(event) }
        pendingEvents.removeAll(keepingCapacity: true)
    }
}
