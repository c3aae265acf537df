internal import Geometry
internal import Glibc

/// The reliability of the frames while tracking moves the dock.
///
/// Two effects make bad frames look like proof. First, a tracker passes on what it expected, and it assumes a correct
/// rig. Second, a head that follows noise turns before the noise ends, and the image then returns as if the head had
/// moved it.
struct PursuitQuality: Sendable, Equatable {
    /// The fraction of the recent frames in which the face was seen.
    private(set) var coverage = 1.0
    private var pictured: Seconds?
    /// The recent distance that the dock had to turn, in radians.
    private var usualError = PanTilt.zero
    private var trackedAt: Seconds = -.infinity
    private var noddedAt: Seconds = -.infinity

    /// The time constant with which `coverage` forgets, in seconds.
    static let coverageTime: Seconds = 1
    /// The time constant with which the error is averaged, in seconds.
    static let errorTime: Seconds = 0.2
    /// The time after which motion that tracking started has ended, in seconds.
    static let ramp: Seconds = 0.5

    /// Returns what moved an axis at an exposure.
    func cause(_ axis: Axis, at now: Seconds, exposure: Seconds) -> MotionCause {
        if isNod(at: exposure) { return .greetingNod }
        return now - trackedAt < Self.ramp ? .tracking(error: usualError[axis]) : .other
    }

    /// Returns whether the head was nodding to a face at an exposure.
    func isNod(at exposure: Seconds) -> Bool { exposure <= noddedAt }

    /// Records a frame with the face, or without it.
    mutating func pictured(seen: Bool, at now: Seconds) {
        let elapsed = pictured.map { (now - $0).clamped(to: 0...0.3) } ?? 0
        pictured = now
        coverage += ((seen ? 1 : 0) - coverage) * (1 - exp(-elapsed / Self.coverageTime))
    }

    /// Records how far the dock has to turn, in radians, `elapsed` seconds after the previous record. `elapsed` is nil
    /// if there was none.
    mutating func misses(by error: PanTilt, after elapsed: Seconds?) {
        usualError = usualError + (error - usualError) * (elapsed.map { 1 - exp(-$0 / Self.errorTime) } ?? 1)
    }

    /// Records that the head nods to a face, or has just done so.
    mutating func nods(at now: Seconds) { noddedAt = now }

    /// Records whether tracking turns the dock, or something else.
    mutating func turns(tracked: Bool, at now: Seconds) { if tracked { trackedAt = now } }
}
