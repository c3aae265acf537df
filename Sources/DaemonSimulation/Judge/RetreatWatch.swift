internal import Geometry

/// Whether an axis backs off as it may: against the motion that was blocked, slowly, a little way, once until somebody clears.
struct RetreatWatch {
    private var since: Seconds?
    private var from = PanTilt.zero
    /// How far it would have turned on when it began, rad; an axis that turned against its commands has to be slowed down first.
    private var coasts = PanTilt.zero
    private var axis = Axis.pan
    private var last: Seconds = -1
    private var hasRetreated = false
    /// When each axis was last wanted to turn, either way: it presses where it was told to go a little before.
    private var wanted: [Axis: (up: Seconds, down: Seconds)] = [:]
    static let memory: Seconds = 1.2

    /// rad/s.
    static let speed = Double.degrees(10.1)
    /// Of the set-points, seconds.
    static let longest: Seconds = 1.1
    /// Where it was meant to end is 3 degrees away; the rest is what it cannot know: delay, noise, a pose that is late, rad.
    static let distance = Double.degrees(6.5)

    /// A set-point that somebody or the tracking wanted.
    mutating func wants(_ velocity: PanTilt, at time: Seconds) {
        since = nil
        for axis in Axis.allCases where abs(velocity[axis]) > .degrees(0.5) {
            let before = wanted[axis] ?? (-.infinity, -.infinity)
            wanted[axis] = velocity[axis] > 0 ? (time, before.down) : (before.up, time)
        }
    }

    /// Somebody cleared what latched: another retreat may follow.
    mutating func cleared() {
        hasRetreated = false
        since = nil
    }

    /// A set-point of a retreat; what is wrong with it, nil: nothing.
    /// - Parameters:
    ///   - coasts: how far each axis turns on if it is stopped now, rad.
    ///   - isBlind: an encoder has lied; who cannot see how far an axis went ends by the time.
    ///   - isDeaf: the dock does not hear, and goes where it was told to go before.
    mutating func retreats(
        _ velocity: PanTilt, pose: PanTilt, coasts: PanTilt, isBlind: Bool, isDeaf: Bool, at time: Seconds
    ) -> String? {
        if since == nil || time - last > 0.3 {
            if hasRetreated { return "backs off once more, and nobody has cleared it" }
            hasRetreated = true
            since = time
            from = pose
            self.coasts = coasts
            axis = abs(velocity.pan) > abs(velocity.tilt) ? .pan : .tilt
        }
        last = time
        if isDeaf { from = pose }
        let other: Axis = axis == .pan ? .tilt : .pan
        if velocity[other] != 0 { return "backs off, and turns \(other.rawValue)" }
        if abs(velocity[axis]) > Self.speed { return "backs off by \(velocity[axis].inDegrees) deg/s" }
        if time - (since ?? time) > Self.longest { return "backs off for too long" }
        // It is over as soon as it has begun: the motor does not do as it is told.
        guard velocity[axis] != 0 else { return nil }
        let before = wanted[axis].map { velocity[axis] > 0 ? $0.down : $0.up } ?? -.infinity
        if (since ?? time) - before > Self.memory { return "backs off into what blocks it" }
        // Where it went on against its command is another matter.
        let gone = (pose[axis] - from[axis]) * (velocity[axis] < 0 ? -1 : 1)
        let rest = max(0, self.coasts[axis] * (velocity[axis] < 0 ? -1 : 1))
        if gone > Self.distance * (isBlind ? 2 : 1) + rest {
            return "backs off by \(gone.inDegrees) deg"
        }
        return nil
    }
}
