internal import Geometry

/// Records how far an axis was commanded since it was last seen to move, across pauses, stops and changes of mode.
///
/// The other watches cover a second or two. Short taps with pauses, or a motion that is too slow for those watches,
/// could turn a motor indefinitely while its encoder is dead. Here the paths of the commands add up with their signs.
/// The sum is the possible distance between the axis and the position that its encoder reports. Only measured motion or
/// `forget()` resets it.
struct UnseenWatch: Sendable, Equatable {
    /// The commanded path without visible motion after which the axis is stalled or its encoder is dead, in radians.
    static let path = Double.degrees(12)
    /// The commanded path below the creeping speed after which the motion ends, in radians. If the motion is commanded
    /// again after the message, it ends after `again`.
    static let creepPath = Double.degrees(15), again = Double.degrees(2)
    /// The distance between observed positions above which the axis has moved, in radians: fourteen times the smoothed
    /// noise of a cheap encoder.
    static let motion = Double.degrees(1.5)
    /// The time constant that smooths the poses, in seconds.
    static let smoothing: Seconds = 0.2
    /// The age beyond its expected effect at which a command counts, in seconds. By then a dock that did not receive it
    /// has reported that its deadman stopped it, or has become silent.
    static let patience: Seconds = 0.4
    /// The time between two reports above which it is unknown what the dock received, in seconds.
    static let longestGap: Seconds = 0.25

    /// A signed path, and the range that it has covered, in radians.
    private struct Way: Sendable, Equatable {
        var now = 0.0, low = 0.0, high = 0.0

        mutating func go(_ angle: Double) {
            now += angle
            (low, high) = (min(low, now), max(high, now))
        }

        /// Allows another `rest` in either direction before the path exceeds `most` again.
        mutating func allow(_ rest: Double, beyond most: Double) {
            (low, high) = (now + rest - most, now - rest + most)
        }

        /// Returns the direction in which the path exceeds `most`, -1 or +1, or nil if it does not.
        func direction(beyond most: Double) -> Double? { now - low > most ? 1 : high - now > most ? -1 : nil }
    }

    private var turning = Way(), creeping = Way()
    private var smoothed: Double?
    /// The range of the axis since it was last seen to move, in radians.
    private var lowest = 0.0, highest = 0.0
    /// The time up to which commands have been counted, or do not count.
    private var countedTo: Seconds = -.infinity
    private var isInterrupted = true

    /// Records that it is unknown which of the last commands the dock received, so that they do not count. What was
    /// counted before is kept.
    mutating func interrupt() { isInterrupted = true }

    /// Starts everything again, because a person has checked the axis.
    mutating func forget() { self = UnseenWatch() }

    /// Records that the axis was at `position` (rad) at `time`, `elapsed` seconds after the previous report.
    /// - Parameter settle: the time from a command until its effect is visible, in seconds.
    mutating func moved(
        to position: Double, at time: Seconds, elapsed: Seconds, settle: Seconds, path: CommandedPath, axis: Axis
    ) -> AxisWatch.Finding? {
        guard !isInterrupted, elapsed <= Self.longestGap, let last = smoothed else {
            // A shift in the meantime was not observed as motion, because a dock that has restarted may count from
            // another zero.
            let shift = position - (smoothed ?? 0)
            (lowest, highest) = (lowest + shift, highest + shift)
            (smoothed, countedTo, isInterrupted) = (position, time, false)
            return nil
        }
        let now = last + (position - last) * elapsed / (Self.smoothing + elapsed)
        smoothed = now
        (lowest, highest) = (min(lowest, now), max(highest, now))
        guard highest - lowest <= Self.motion else {
            (turning, creeping, countedTo) = (Way(), Way(), time)
            (lowest, highest) = (now, now)
            return nil
        }
        let due = time - settle - Self.patience
        guard due > countedTo else { return nil }
        let before = path.sums(axis, at: countedTo), after = path.sums(axis, at: due)
        countedTo = due
        turning.go(after.turning - before.turning)
        creeping.go(after.creeping - before.creeping)
        if let direction = turning.direction(beyond: Self.path), !SafetyMutant.forgetsPushes.isOn {
            // If an emergency stop replaces the latch, its release does not prove that the axis turns.
            turning.allow(Self.again, beyond: Self.path)
            return (.unseen, direction)
        }
        guard let direction = creeping.direction(beyond: Self.creepPath) else { return nil }
        creeping.allow(Self.again, beyond: Self.creepPath)
        return (.creep, direction)
    }
}
