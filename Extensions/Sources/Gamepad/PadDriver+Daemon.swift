public import Geometry

/// What the daemon reports.
extension PadDriver {
    /// The connection was lost. The last velocity ends by itself.
    public mutating func disconnected() {
        daemon = nil
        yield()
    }

    /// The daemon has described itself: at the beginning of a connection, and after each change.
    public mutating func reported(_ view: DaemonView, now: Seconds) -> [PadIntent] {
        guard let before = daemon else {
            daemon = view
            return []
        }
        daemon = view
        if view.isFaulted, !before.isFaulted { return stopped("a fault is latched", now: now) }
        // The rest may describe the time before our own stop or change of the mode.
        guard now >= stopSettlesAt else { return [] }
        if let isPersonal = view.stop, view.stop != before.stop {
            return stopped(isPersonal ? "a person has stopped the dock" : "a program has stopped the dock", now: now)
        }
        guard now >= modeSettlesAt else { return [] }
        if view.hasKeys, !before.hasKeys { return takenOver("the keys control the dock") }
        // Another user has selected the mode on purpose.
        if before.isManual, !view.isManual { return takenOver("the mode was changed") }
        return []
    }

    /// A motion has ended with this outcome (docs/CONTROL-API.md).
    public mutating func motionEnded(_ outcome: String, now: Seconds) -> [PadIntent] {
        guard now >= stopSettlesAt, hasTurned || now < motionEnd else { return [] }
        switch outcome {
        case "stopped": return stopped("the dock was stopped", now: now)
        case "emergencyStopped": return stopped("the emergency stop was triggered", now: now)
        case "faulted", "unplugged": return stopped("the dock has a fault, or was unplugged", now: now)
        case "takenOver": return takenOver("another user has taken the dock over")
        // Completed, superseded by the next velocity, at a limit, cancelled by its number, or after another mode.
        default: return []
        }
    }

    /// The daemon has refused a velocity.
    public mutating func velocityRefused(_ why: String) -> [PadIntent] { takenOver(why) }

    /// The daemon has answered a word that moves the head.
    /// - Parameters:
    ///   - duration: of the motion in seconds; nil if it was refused.
    ///   - now: CLOCK_MONOTONIC.
    public mutating func wordAnswered(duration: Seconds?, now: Seconds) {
        guard now < motionEnd else { return }
        motionEnd = duration.map { now + $0 + Self.reserve } ?? -.infinity
    }

    private mutating func stopped(_ why: String, now: Seconds) -> [PadIntent] {
        let isHeld = deadMan.state != .released
        deadMan.lock()
        // Our next velocity may have overtaken the news.
        return ended(now: now) + (isHeld ? [.note(.letGo(why))] : [])
    }

    private mutating func takenOver(_ why: String) -> [PadIntent] {
        let isHeld = deadMan.state != .released && deadMan.state != .locked
        yield()
        return isHeld ? [.note(.letGo(why))] : []
    }
}
