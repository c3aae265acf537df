internal import Geometry
internal import Processes

/// The frames for a stage, and its standby while another one steers.
extension StageWork {
    func activate(_ isActive: Bool, _ now: Seconds) {
        self.isActive = isActive
        child?.say(isActive ? .resume : .pause)
        if isActive {
            // The detector may have to reopen its camera.
            watch.patience.silence = max(watch.patience.silence, frames.pace.silence(isFed: true))
            frames.pace.wake()
            if !frames.isFed || frames.pace.isWaiting || !isReady { watch.expect(now: now) }
            pings.resume(now: now)
        } else {
            watch.rest()
        }
    }

    /// Whether the detector has sent its hello.
    var isReady: Bool { report.health.detector != nil }

    /// Whether a frame may be handed out as soon as its pace allows it.
    var takesPictures: Bool {
        guard let child else { return false }
        return isActive && isReady && !child.isWriting && frames.hasMore
    }

    /// Whether the stage is on standby. In that case it checks now and then whether its feed has ended.
    var glances: Bool { child != nil && !isActive }

    /// Ends its standard input, so that it sends its bye and exits.
    private func endPictures(_ now: Seconds) {
        frames.end()
        child?.endInput()
        watch.expect(now: now)
    }

    /// Hands the newest frame to a stage that waits for one.
    func handOut(_ now: Seconds) {
        if glances, frames.glance(now: now) { endPictures(now) }
        guard takesPictures else { return }
        switch frames.next(isBlocked: outlet.isWaiting, now: now) {
        case .frame(let picture):
            child?.send(picture)
            watch.expect(now: now)
        case .over: endPictures(now)
        case .none: break
        }
    }
}
