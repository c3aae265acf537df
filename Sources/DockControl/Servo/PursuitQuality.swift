internal import Geometry
internal import Glibc

/// How reliable the frames are while tracking moves the dock by them.
///
/// Two effects make bad frames look like proof. A tracker passes what it expected, and it assumes a correct rig. And a
/// head that follows noise turns before the noise ends: the image then returns as if the head had moved it.
struct PursuitQuality: Sendable, Equatable {
    /// Fraction of the frames in which the face was seen lately.
    private(set) var coverage = 1.0
    private var pictured: Seconds?
    /// How far the dock had to turn lately, radians.
    private var usualError = PanTilt.zero
    private var trackedAt: Seconds = -.infinity

    /// Time constant with which `coverage` forgets, seconds.
    static let memory: Seconds = 1
    /// Time constant with which the error is averaged, seconds.
    static let errorTime: Seconds = 0.2
    /// After this time, motion that tracking started has ended, seconds.
    static let ramp: Seconds = 0.5

    /// How far an axis had to turn lately while tracking moved it (rad); nil: something else moves it.
    func error(_ axis: Axis, at now: Seconds) -> Double? { now - trackedAt < Self.ramp ? usualError[axis] : nil }

    /// Records a frame with the face, or without it.
    mutating func pictured(seen: Bool, at now: Seconds) {
        let elapsed = pictured.map { (now - $0).clamped(to: 0...0.3) } ?? 0
        pictured = now
        coverage += ((seen ? 1 : 0) - coverage) * (1 - exp(-elapsed / Self.memory))
    }

    /// Records how far the dock has to turn, radians, `elapsed` after the previous record; nil: there was none.
    mutating func misses(by error: PanTilt, after elapsed: Seconds?) {
        usualError = usualError + (error - usualError) * (elapsed.map { 1 - exp(-$0 / Self.errorTime) } ?? 1)
    }

    /// Records whether tracking turns the dock, or something else.
    mutating func turns(tracked: Bool, at now: Seconds) { if tracked { trackedAt = now } }
}
