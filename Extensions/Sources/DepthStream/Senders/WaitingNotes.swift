public import Geometry

/// The lines with which a camera's program says that it waits (docs/DETECTORS.md), as a pure value: one each time the
/// pictures end, and one for each other reason, at most one a second. For some seconds after the pictures have ended the
/// line is repeated: a picture that a slow machine reads only then ends the daemon's wait.
public struct WaitingNotes: Sendable {
    /// The time between two lines, in seconds.
    public static let pause: Seconds = 1
    /// The time between two repetitions, which is shorter than the daemon's limit of 3 s.
    static let repetition: Seconds = 2
    /// How long the line is repeated, in seconds.
    static let repeats: Seconds = 10

    private var said: String?
    private var time: Seconds = -.infinity
    private var hasPictures = false
    /// When the pictures have ended, or nil if there were none.
    private var ended: Seconds?

    /// Creates a value before the first picture.
    public init() {}

    /// Returns the line to write now, or nil. `reason`: why there are no pictures, or nil if they arrive.
    public mutating func line(_ reason: String?, now: Seconds) -> String? {
        guard let reason else {
            (said, hasPictures) = (nil, true)
            return nil
        }
        if hasPictures { (ended, hasPictures) = (now, false) }
        let isRepeated = ended.map { now - $0 <= Self.repeats } ?? false
        let isDue = reason != said ? now - time >= Self.pause : isRepeated && now - time >= Self.repetition
        guard isDue else { return nil }
        (said, time) = (reason, now)
        return "waiting: \(reason)"
    }
}
