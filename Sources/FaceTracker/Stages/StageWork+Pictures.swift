internal import CPosix
internal import Geometry
internal import Processes

/// The pictures that a stage is given, and its rest while another one steers.
extension StageWork {
    func activate(_ isActive: Bool, _ now: Seconds) {
        self.isActive = isActive
        child?.say(isActive ? .resume : .pause)
        if isActive {
            // It may have to open its camera again.
            watch.patience.silence = max(watch.patience.silence, pace.silence(isFed: true))
            pace.wake()
            if feed == nil || pace.isWaiting || health.detector == nil { watch.expect(now: now) }
            // What it said of its clock is old.
            if nextPing < .infinity { nextPing = now }
        } else {
            watch.rest()
        }
    }

    /// Whether a picture may be handed out as soon as `pace` says so.
    var takesPictures: Bool {
        guard let child, feed != nil else { return false }
        return isActive && !hasEndedPictures && !child.isWriting && !pace.isWaiting && health.detector != nil
    }

    /// Whether it is on standby beside pictures: now and then it looks whether there will be any more.
    var glances: Bool { feed != nil && child != nil && !isActive && !hasEndedPictures }

    /// Its standard input ends; it says bye and ends.
    func endPictures(_ now: Seconds) {
        hasEndedPictures = true
        child?.endInput()
        watch.expect(now: now)
    }

    /// Gives the newest picture to a stage that waits for one.
    func handOut(_ now: Seconds) {
        if glances, now >= nextGlance, let feed {
            nextGlance = now + 1
            _ = feed.take()
            if feed.isOver() { endPictures(now) }
        }
        guard takesPictures, now >= pace.due, let feed else { return }
        // Nothing of a film is lost, not even behind a slow reader.
        if feed.isLossless, outlet.isWaiting { return }
        if feed.descriptor >= 0 { _ = cposix_counter_take(feed.descriptor) }
        if let picture = held.again() ?? feed.take() {
            // One from before its turn came would be older than need be: the next one is as good, and newer. The last one has no
            // next one, and nobody would ring for the end again.
            if !feed.isLossless, picture.arrival < pace.due - 0.001, !feed.isOver() { return }
            child?.send(picture)
            if feed.isLossless { held.handedOut(picture) }
            pace.handedOut(arrival: picture.arrival, now: now)
            watch.expect(now: now)
        } else if feed.isOver() {
            endPictures(now)
        }
    }
}
