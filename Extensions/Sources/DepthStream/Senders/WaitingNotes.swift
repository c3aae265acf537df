public import Geometry

/// The lines with which a camera's program says that it waits (docs/DETECTORS.md), as a pure value: one each time the
/// pictures end, and one for each other reason, at most one a second.
public struct WaitingNotes: Sendable {
    /// The time between two lines, in seconds.
    public static let pause: Seconds = 1

    private var said: String?
    private var time: Seconds = -.infinity

    /// Creates a value before the first picture.
    public init() {}

    /// Returns the line to write now, or nil. `lack`: why there are no pictures, or nil if they arrive.
    public mutating func line(_ lack: String?, now: Seconds) -> String? {
        guard let lack else {
            said = nil
            return nil
        }
        guard lack != said, now - time >= Self.pause else { return nil }
        (said, time) = (lack, now)
        return "waiting: \(lack)"
    }
}
