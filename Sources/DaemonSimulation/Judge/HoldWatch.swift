internal import DockControl
internal import Geometry

/// What the guard owes while the loop gets no time: the stop, 250 ms after the last beat of its heart.
struct HoldWatch {
    private var held: (from: Seconds, until: Seconds)?
    /// When the axes stand after the guard's first stop.
    private var standsBy: Seconds?

    /// Beats of a moving loop are no further apart than its turns: its last turn was the last beat. A step of the world, seconds.
    static let slack: Seconds = 0.02

    /// The loop gets no time.
    mutating func held(from: Seconds, until: Seconds) { (held, standsBy) = ((from, until), nil) }

    /// The port, the line or the guard is gone: nobody can ask for anything.
    mutating func forgive() { held = nil }

    /// The guard has written its stop; `coasting`: until the axes can stand, seconds.
    mutating func guardWrote(at time: Seconds, coasting: Seconds) { standsBy = standsBy ?? time + coasting }

    /// Time has passed; `moving`: the last set-point on the wire. What is wrong, nil: nothing.
    mutating func passed(to time: Seconds, moving: PanTilt?, speed: Double) -> String? {
        guard let held else { return nil }
        guard time < held.until else {
            self.held = nil
            return nil
        }
        let silence = Int(1000 * (time - held.from))
        if moving != nil, time > held.from + GuardPulse.timeout + Self.slack {
            return
                "the loop has been held for \(silence) ms while the dock was turned, and the guard has written no stop"
        }
        if let standsBy, time > standsBy, speed > .degrees(0.6) {
            return
                "turns at \(speed.inDegrees) deg/s \(silence) ms after the loop was held, and the guard has stopped it"
        }
        return nil
    }
}
