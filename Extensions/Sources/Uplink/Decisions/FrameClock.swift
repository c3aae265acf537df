public import Geometry

/// Picks pictures so that a number of them a second remains, whatever the camera's rate and jitter are.
///
/// It counts on along a grid. A test of the time since the last picture would take 19 of 30 pictures a second with
/// jitter, and 23 of 60.
public struct FrameClock: Sendable, Equatable {
    private var due: Seconds?

    /// Creates a clock before the first picture.
    public init() {}

    /// Whether a picture of this time is wanted. `advance` must follow if it is used.
    public func wants(_ time: Seconds, rate: Double) -> Bool {
        guard let due else { return true }
        // A quarter of a period covers the jitter of cameras.
        return time >= due - 0.25 / rate
    }

    /// Counts on along the grid, because a picture was used.
    public mutating func advance(past time: Seconds, rate: Double) {
        let period = 1 / rate
        let next = (due ?? time) + period
        // After a gap the grid begins again.
        due = next < time ? time + period : next
    }
}
