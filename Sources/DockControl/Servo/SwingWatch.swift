public import Geometry

/// Detects a head that oscillates about its goal, from one side to the other and back.
///
/// It does so if the profile assumes camera or rig slower or quicker than they are, until `LatencyWatch` knows better.
/// Softer following damps the oscillation. A person who dances in front of the head is also followed more softly for a
/// while.
public struct SwingWatch: Sendable, Equatable {
    private struct Course: Sendable, Equatable {
        /// The side of the goal on which it was last.
        var side = 0.0
        /// When it crossed to the other side, the newest last.
        var turns = SIMD8<Seconds>(repeating: -.infinity)
        var calmUntil: Seconds = -.infinity
    }

    private var pan = Course()
    private var tilt = Course()

    /// Distances below this are no swing, rad.
    static let least = Double.degrees(4)
    /// Eight changes of side within this time (seconds) count as oscillation. Half a turn back and forth a second,
    /// which people can do, makes three. An earlier reaction would keep `LatencyWatch` from learning what is wrong:
    /// nothing shows it more than a head that oscillates.
    static let window: Seconds = 3.2
    /// How long it is followed softly, seconds.
    static let rest: Seconds = 4

    /// Creates a watch that has seen nothing.
    public init() {}

    /// Another goal: earlier changes do not count.
    public mutating func reset() { self = SwingWatch() }

    /// Records the distance to the goal, rad. Returns whether an axis has just begun to oscillate.
    @discardableResult
    public mutating func look(_ error: PanTilt, now: Seconds) -> Bool {
        let wasCalm = isCalm(.pan, now: now) || isCalm(.tilt, now: now)
        Self.look(error.pan, &pan, now)
        Self.look(error.tilt, &tilt, now)
        return !wasCalm && (isCalm(.pan, now: now) || isCalm(.tilt, now: now))
    }

    /// Whether an axis is to be followed softly.
    public func isCalm(_ axis: Axis, now: Seconds) -> Bool { now < (axis == .pan ? pan : tilt).calmUntil }

    /// How softly `ServoController` should follow, 0...1; `least` if nothing oscillates.
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
