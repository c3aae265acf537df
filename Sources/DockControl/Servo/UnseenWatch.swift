internal import Geometry

/// Remembers how far an axis was commanded since it was last seen to move, across pauses, stops and changes of mode.
///
/// The other watches judge what happens within a second or two. Short taps with pauses, or a motion that is too slow
/// for them, could turn a motor without end while its encoder is dead. Here the paths of the commands add up with their
/// signs. The sum is how far the axis may be from where its encoder says. Only measured motion or `forget()` resets it.
struct UnseenWatch: Sendable, Equatable {
    /// Commanded path without visible motion after which the axis is stalled or its encoder is dead; radians.
    static let path = Double.degrees(12)
    /// Commanded path below the creeping speed after which the motion ends, radians. If the motion is commanded again
    /// after the message, it ends after `again`.
    static let creepPath = Double.degrees(15), again = Double.degrees(2)
    /// The axis has moved if the positions where it was seen are farther apart than this, radians; fourteen times the
    /// smoothed noise of a cheap encoder.
    static let motion = Double.degrees(1.5)
    /// Time constant that smooths the poses, seconds.
    static let smoothing: Seconds = 0.2
    /// Age beyond its expected effect at which a command counts, seconds. By then a dock that did not receive it has
    /// reported that its deadman stopped it, or has fallen silent.
    static let patience: Seconds = 0.4
    /// If two reports are farther apart than this, it is unknown what the dock received, seconds.
    static let longestGap: Seconds = 0.25

    /// A signed path, and the range that it has covered, radians.
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

        /// The direction in which the path exceeds `most`, -1 or +1; nil: it does not.
        func direction(beyond most: Double) -> Double? { now - low > most ? 1 : high - now > most ? -1 : nil }
    }

    private var turning = Way(), creeping = Way()
    private var smoothed: Double?
    /// Range of the axis since it was last seen to move, radians.
    private var lowest = 0.0, highest = 0.0
    /// Commands before this time have been counted, or do not count.
    private var countedTo: Seconds = -.infinity
    private var isInterrupted = true

    /// It is unknown which of the last commands the dock received: they do not count. What was counted before stays.
    mutating func interrupt() { isInterrupted = true }

    /// A person has checked the axis: everything starts again.
    mutating func forget() { self = UnseenWatch() }

    /// Records that the axis was at `position` (rad) at `time`, `elapsed` seconds after the previous report.
    /// - Parameter settle: from a command until it shows, seconds.
    mutating func moved(
        to position: Double, at time: Seconds, elapsed: Seconds, settle: Seconds, path: CommandedPath, axis: Axis
    ) -> AxisWatch.Finding? {
        guard !isInterrupted, elapsed <= Self.longestGap, let last = smoothed else {
            // A shift meanwhile was not observed as motion: a dock that has restarted may count from another zero.
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
