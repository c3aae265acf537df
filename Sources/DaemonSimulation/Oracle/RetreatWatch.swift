internal import Geometry

/// Checks that an axis backs off correctly: against the blocked motion, slowly, a little, and once until a clear.
struct RetreatWatch {
    private var since: Seconds?
    private var from = PanTilt.zero
    /// How far the axis would have coasted at the start, rad. An axis that turned against its commands must be braked
    /// first.
    private var coasts = PanTilt.zero
    private var axis = Axis.pan
    private var last: Seconds = -1
    private var hasRetreated = false
    /// When each axis was last commanded to turn up or down. It presses in a direction that was commanded shortly
    /// before.
    private var wanted: [Axis: (up: Seconds, down: Seconds)] = [:]
    static let pressTime: Seconds = 1.2

    /// Highest speed, rad/s.
    static let speed = Double.degrees(10.1)
    /// Longest time with set-points, seconds.
    static let longest: Seconds = 1.1
    /// The retreat aims at 3 degrees. The rest covers delay, noise and a late pose, rad.
    static let distance = Double.degrees(6.5)

    /// A set-point of a request or of the tracking.
    mutating func wants(_ velocity: PanTilt, at time: Seconds) {
        since = nil
        for axis in Axis.allCases where abs(velocity[axis]) > .degrees(0.5) {
            let before = wanted[axis] ?? (-.infinity, -.infinity)
            wanted[axis] = velocity[axis] > 0 ? (time, before.down) : (before.up, time)
        }
    }

    /// The latch was cleared, so another retreat may follow.
    mutating func cleared() {
        hasRetreated = false
        since = nil
    }

    /// Takes a set-point of a retreat. Returns what is wrong with it, or nil.
    /// - Parameters:
    ///   - coasts: how far each axis turns on if it is stopped now, rad.
    ///   - isBlind: an encoder was wrong. A retreat without a usable position ends by time.
    ///   - isDeaf: the dock does not receive, and executes an earlier command.
    mutating func retreats(
        _ velocity: PanTilt, pose: PanTilt, coasts: PanTilt, isBlind: Bool, isDeaf: Bool, at time: Seconds
    ) -> String? {
        // A line that takes only parts of messages, or a loop that is held, interrupts a retreat.
        if since.map({ time - last > 0.3 && time - $0 > Self.longest }) ?? true {
            if hasRetreated { return "backs off again without a clear" }
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
        if abs(velocity[axis]) > Self.speed { return "backs off at \(velocity[axis].inDegrees) deg/s" }
        if time - (since ?? time) > Self.longest { return "backs off for too long" }
        // The retreat ended as soon as it began, because the motor does not do what was commanded.
        guard velocity[axis] != 0 else { return nil }
        let before = wanted[axis].map { velocity[axis] > 0 ? $0.down : $0.up } ?? -.infinity
        if (since ?? time) - before > Self.pressTime { return "backs off into what blocks it" }
        // Motion against its command does not count.
        let gone = (pose[axis] - from[axis]) * (velocity[axis] < 0 ? -1 : 1)
        let rest = max(0, self.coasts[axis] * (velocity[axis] < 0 ? -1 : 1))
        if gone > Self.distance * (isBlind ? 2 : 1) + rest {
            return "backs off by \(gone.inDegrees) deg"
        }
        return nil
    }
}
