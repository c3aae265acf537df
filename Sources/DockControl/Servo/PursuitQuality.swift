internal import Geometry
internal import Glibc

/// How far the pictures can be believed while tracking moves the dock by them.
///
/// Two things make bad pictures look like proof. A tracker lets through what it expected, and it believes in the rig. And a head that
/// turns after noise turns before the noise ends: the picture comes back then as if the head had brought it there.
struct PursuitQuality: Sendable, Equatable {
    /// The share of the pictures in which the face was seen lately.
    private(set) var coverage = 1.0
    private var pictured: Seconds?
    /// How far the dock had to turn lately, radians.
    private var usualError = PanTilt.zero
    private var trackedAt: Seconds = -.infinity

    /// What was seen is forgotten in this time (time constant), seconds.
    static let memory: Seconds = 1
    /// The error is averaged over so long (time constant), seconds.
    static let errorTime: Seconds = 0.2
    /// What tracking had under way has ended after this, seconds.
    static let ramp: Seconds = 0.5

    /// How far an axis had to turn lately (rad), which way it did turn; nil: something else moves it.
    func error(_ axis: Axis, at now: Seconds) -> Double? { now - trackedAt < Self.ramp ? usualError[axis] : nil }

    /// A picture arrived with the face, or without it.
    mutating func pictured(seen: Bool, at now: Seconds) {
        let elapsed = pictured.map { (now - $0).clamped(to: 0...0.3) } ?? 0
        pictured = now
        coverage += ((seen ? 1 : 0) - coverage) * (1 - exp(-elapsed / Self.memory))
    }

    /// The dock has so far to turn, radians; `elapsed` after it was last said, nil: never.
    mutating func misses(by error: PanTilt, after elapsed: Seconds?) {
        usualError = usualError + (error - usualError) * (elapsed.map { 1 - exp(-$0 / Self.errorTime) } ?? 1)
    }

    /// Tracking turns the dock, or something else does.
    mutating func turns(tracked: Bool, at now: Seconds) { if tracked { trackedAt = now } }
}
