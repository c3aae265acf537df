internal import Geometry

/// Remembers how far an axis was told to turn since it was last seen to move, across pauses, stops and changes of mode.
///
/// The other watches judge what happens within a second or two. Short taps with pauses between them, or a motion that is too slow
/// for them, can turn a motor for ever while its encoder is dead. Here the paths of the commands add up with their signs: how far
/// the axis may be from where its encoder says, whatever is tapped. Only motion that was measured takes them back, or `forget()`.
struct UnseenWatch: Sendable, Equatable {
    /// Told to go so far from where it was last seen to move, an axis is stalled, or its encoder is dead; radians.
    static let path = Double.degrees(12)
    /// So far it may be told to creep; then the motion ends, radians. Who has been told of it and goes on gets no further than `again`.
    static let creepPath = Double.degrees(15), again = Double.degrees(2)
    /// It moved if the places where it was seen are further apart than this, radians; fourteen times the smoothed noise of a cheap
    /// encoder.
    static let motion = Double.degrees(1.5)
    /// Time constant that smooths the poses, seconds.
    static let smoothing: Seconds = 0.2
    /// A command counts when it is so much older than its effect, seconds: by then a dock that did not hear it has told that its
    /// deadman stopped it, or has fallen silent.
    static let patience: Seconds = 0.4
    /// Between two reports further apart than this nobody knows what the dock heard, seconds.
    static let longestGap: Seconds = 0.25

    /// A signed path, and the range that it has covered, radians.
    private struct Way: Sendable, Equatable {
        var now = 0.0, low = 0.0, high = 0.0

        mutating func go(_ angle: Double) {
            now += angle
            (low, high) = (min(low, now), max(high, now))
        }

        /// It may go on by so much, either way, and then leads further than `most` again.
        mutating func allow(_ rest: Double, beyond most: Double) {
            (low, high) = (now + rest - most, now - rest + most)
        }

        /// -1 or +1: it leads further than `most` in this direction; nil: it does not.
        func direction(beyond most: Double) -> Double? { now - low > most ? 1 : high - now > most ? -1 : nil }
    }

    private var turning = Way(), creeping = Way()
    private var smoothed: Double?
    /// Where it was since it was last seen to move, radians.
    private var lowest = 0.0, highest = 0.0
    /// Commands before this time have been counted, or do not count.
    private var countedTo: Seconds = -.infinity
    private var isInterrupted = true

    /// What the dock heard of the last commands is not known: they do not count. What was counted before stays.
    mutating func interrupt() { isInterrupted = true }

    /// A person has seen to the axis: everything begins again.
    mutating func forget() { self = UnseenWatch() }

    /// The axis was at `position` (rad) at `time`, `elapsed` seconds after the report before.
    /// - Parameter settle: from a command until it shows, seconds.
    mutating func moved(
        to position: Double, at time: Seconds, elapsed: Seconds, settle: Seconds, path: CommandedPath, axis: Axis
    ) -> AxisWatch.Finding? {
        guard !isInterrupted, elapsed <= Self.longestGap, let last = smoothed else {
            // Where it got to meanwhile was not seen to be motion: a dock that has restarted may count from another zero.
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
            // Where an emergency stop takes the place of the latch, its release is no proof that the axis turns.
            turning.allow(Self.again, beyond: Self.path)
            return (.unseen, direction)
        }
        guard let direction = creeping.direction(beyond: Self.creepPath) else { return nil }
        creeping.allow(Self.again, beyond: Self.creepPath)
        return (.creep, direction)
    }
}
