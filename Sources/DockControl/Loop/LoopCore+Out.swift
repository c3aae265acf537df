/// What a user is told only once.
struct Remarks: OptionSet {
    let rawValue: UInt8
    static let lag = Remarks(rawValue: 1), swings = Remarks(rawValue: 2), rates = Remarks(rawValue: 4)
}

/// What the loop tells the rest of the program.
extension LoopCore {
    /// Pictures whose times are wrong are made up for, and somebody should know.
    func tellLag() {
        let correction = director.pursuit.latency.correction
        guard abs(correction) >= LatencyWatch.patience, remarks.insert(.lag).inserted else { return }
        note(
            "pictures are taken \(correction < 0 ? "sooner" : "later") than their times say: made up for; "
                + "mend `camera.latency_ms` or the detector's times (see `dockface latency`, `dockface calibrate`)")
    }

    /// A head that swings is followed softly, and somebody should know why.
    func tellSwings() {
        // Somebody who dances before it looks the same, once or twice.
        guard director.swingings >= 3, remarks.insert(.swings).inserted else { return }
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
        outbox.add(event, now: recorder.now)
    }

    func flushEvents() { outbox.drain(outlet.onEvent) }
}
