internal import DockControl
internal import Geometry

/// What the guard must do while the loop gets no CPU time: stop the dock 250 ms after the last heartbeat.
struct HoldWatch {
    private var held: (from: Seconds, until: Seconds)?
    /// When the axes must stand after the guard's first stop.
    private var standsBy: Seconds?

    /// A moving loop sends a heartbeat in every turn, so its last turn was its last heartbeat. One step of the world,
    /// seconds.
    static let slack: Seconds = 0.02

    /// The loop gets no CPU time.
    mutating func held(from: Seconds, until: Seconds) { (held, standsBy) = ((from, until), nil) }

    /// The port, the line or the guard is gone, so nothing is required.
    mutating func forgive() { held = nil }

    /// The guard sent its stop. `coasting` is the time until the axes can stand, seconds.
    mutating func guardWrote(at time: Seconds, coasting: Seconds) { standsBy = standsBy ?? time + coasting }

    /// Advances the time. `moving` is the last set-point on the wire. Returns what is wrong, or nil.
    mutating func passed(to time: Seconds, moving: PanTilt?, speed: Double) -> String? {
        guard let held else { return nil }
        guard time < held.until else {
            self.held = nil
            return nil
        }
        let silence = Int(1000 * (time - held.from))
        if moving != nil, time > held.from + GuardPulse.timeout + Self.slack {
            return
                "the loop has been held for \(silence) ms while the dock was moving, and the guard has not sent a stop"
        }
        if let standsBy, time > standsBy, speed > .degrees(0.6) {
            return
                "turns at \(speed.inDegrees) deg/s \(silence) ms after the loop was held, although the guard sent a stop"
        }
        return nil
    }
}
