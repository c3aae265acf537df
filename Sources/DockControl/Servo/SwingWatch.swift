public import Geometry

/// Detects a head that oscillates around its goal, from one side to the other and back.
///
/// This happens if the profile assumes that the camera or the rig is slower or quicker than it is, until `LatencyWatch`
/// has determined the error. Softer following damps the oscillation. A person who dances in front of the head is also
/// followed more softly for a while.
public struct SwingWatch: Sendable, Equatable {
    private struct Course: Sendable, Equatable {
        /// The side of the goal on which the head was last.
        var side = 0.0
        /// The times when it crossed to the other side, the newest last.
        var turns = SIMD8<Seconds>(repeating: -.infinity)
        var calmUntil: Seconds = -.infinity
    }

    private var pan = Course()
    private var tilt = Course()

    /// The distance below which nothing counts as an oscillation, in radians.
    static let least = Double.degrees(4)
    /// The time (seconds) within which eight changes of side count as oscillation. Half a turn back and forth per
    /// second, which people can do, causes three changes. An earlier reaction would prevent `LatencyWatch` from
    /// determining the error, because nothing shows it better than an oscillating head.
    static let window: Seconds = 3.2
    /// The time for which the head then follows softly, in seconds.
    static let rest: Seconds = 4

    /// Creates a watch that has seen nothing.
    public init() {}

    /// Discards earlier changes, because there is another goal.
    public mutating func reset() { self = SwingWatch() }

    /// Records the distance to the goal, in radians. Returns whether an axis has just begun to oscillate.
    @discardableResult
    public mutating func look(_ error: PanTilt, now: Seconds) -> Bool {
        let wasCalm = isCalm(.pan, now: now) || isCalm(.tilt, now: now)
        Self.look(error.pan, &pan, now)
        Self.look(error.tilt, &tilt, now)
        return !wasCalm && (isCalm(.pan, now: now) || isCalm(.tilt, now: now))
    }

    /// Returns whether an axis must follow softly.
    public func isCalm(_ axis: Axis, now: Seconds) -> Bool { now < (axis == .pan ? pan : tilt).calmUntil }

    /// Returns how softly `ServoController` should follow, 0...1. It is `least` if nothing oscillates.
    public func softness(now: Seconds, least: Double = 0) -> PanTilt {
        PanTilt(pan: isCalm(.pan, now: now) ? 1 : least, tilt: isCalm(.tilt, now: now) ? 1 : least)
    }

    private static func look(_ error: Double, _ course: inout Course, _ now: Seconds) {
        guard abs(error) > least, error * course.side <= 0 else { return }
        course.side = error < 0 ? -1 : 1
        for index in 0..<7 { course.turns[index] = course.turns[index + 1] }
        course.turns[7] = now
        if now - course.turns[0] < window { course.calmUntil = now + rest }
    }
}
