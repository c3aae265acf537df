public import Geometry

/// Does the head swing about its goal, from one side to the other and back?
///
/// It does where a profile has camera or rig slower or quicker than they are, until that is known better (`LatencyWatch`). Followed
/// more softly it calms down; somebody who dances before it is followed more softly for a while, too.
public struct SwingWatch: Sendable, Equatable {
    private struct Course: Sendable, Equatable {
        /// On which side of the goal it was last.
        var side = 0.0
        /// When it came over to the other side, the newest last.
        var turns = SIMD8<Seconds>(repeating: -.infinity)
        var calmUntil: Seconds = -.infinity
    }

    private var pan = Course()
    private var tilt = Course()

    /// Nearer to the goal is no swing, rad.
    static let least = Double.degrees(4)
    /// Eight changes of side within so long (seconds) are swinging: half a turn to and fro a second, which people can do, makes three.
    /// Sooner it would keep `LatencyWatch` from learning what is wrong: nothing tells it more than a head that swings.
    static let window: Seconds = 3.2
    /// It is followed softly for so long, seconds.
    static let rest: Seconds = 4

    /// Has seen nothing.
    public init() {}

    /// Another goal: what was before does not count.
    public mutating func reset() { self = SwingWatch() }

    /// How far the goal is ahead, rad. Whether an axis has begun to swing just now.
    @discardableResult
    public mutating func look(_ error: PanTilt, now: Seconds) -> Bool {
        let wasCalm = isCalm(.pan, now: now) || isCalm(.tilt, now: now)
        Self.look(error.pan, &pan, now)
        Self.look(error.tilt, &tilt, now)
        return !wasCalm && (isCalm(.pan, now: now) || isCalm(.tilt, now: now))
    }

    /// It is to be followed softly.
    public func isCalm(_ axis: Axis, now: Seconds) -> Bool { now < (axis == .pan ? pan : tilt).calmUntil }

    /// How softly `ServoController` is to follow, 0...1; `least` where nothing swings.
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
