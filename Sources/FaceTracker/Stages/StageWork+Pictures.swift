internal import CPosix
internal import Geometry
internal import Processes

/// The frames for a stage, and its rest while another one steers.
extension StageWork {
    func activate(_ isActive: Bool, _ now: Seconds) {
        self.isActive = isActive
        child?.say(isActive ? .resume : .pause)
        if isActive {
            // The detector may have to reopen its camera.
            watch.patience.silence = max(watch.patience.silence, pace.silence(isFed: true))
            pace.wake()
            if feed == nil || pace.isWaiting || health.detector == nil { watch.expect(now: now) }
            // Its clock offset is outdated.
            if nextPing < .infinity { nextPing = now }
        } else {
            watch.rest()
        }
    }

    /// Whether a frame may be handed out as soon as `pace` allows it.
    var takesPictures: Bool {
        guard let child, feed != nil else { return false }
        return isActive && !hasEndedPictures && !child.isWriting && !pace.isWaiting && health.detector != nil
    }

    /// Whether the stage is on standby and is fed with frames. Then it checks now and then whether the feed has ended.
    var glances: Bool { feed != nil && child != nil && !isActive && !hasEndedPictures }

    /// Ends its standard input, so that it sends its bye and exits.
    func endPictures(_ now: Seconds) {
        hasEndedPictures = true
        child?.endInput()
        watch.expect(now: now)
    }

    /// Hands the newest frame to a stage that waits for one.
    func handOut(_ now: Seconds) {
        if glances, now >= nextGlance, let feed {
            nextGlance = now + 1
            _ = feed.take()
            if feed.isOver() { endPictures(now) }
        }
        guard takesPictures, now >= pace.due, let feed else { return }
        // No frame of a file is lost, not even if the reader is slow.
        if feed.isLossless, outlet.isWaiting { return }
        if feed.descriptor >= 0 { _ = cposix_counter_take(feed.descriptor) }
        if let picture = held.again() ?? feed.take() {
            // A frame from before the due time is older than necessary; the next one is newer. But the last frame has no
            // successor, and nothing would signal the end again.
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
