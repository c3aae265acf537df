internal import Geometry

/// Leaves out reports of a head that turns: a search needs to know that it turns, and where it stands when it does not.
/// The first and the last report of a move always pass.
public struct PoseSieve: Sendable {
    private var last: HeadPose?

    /// While the head turns, a report passes after this time, in seconds: as often as the screen is drawn.
    static let period: Seconds = 0.1

    /// Creates a sieve that has passed nothing.
    public init() {}

    /// Returns whether a report passes.
    public mutating func passes(_ report: HeadPose) -> Bool {
        if let last, PoseTrail.isMoving(last), PoseTrail.isMoving(report), report.time >= last.time,
            report.time - last.time < Self.period
        {
            return false
        }
        last = report
        return true
    }
}
