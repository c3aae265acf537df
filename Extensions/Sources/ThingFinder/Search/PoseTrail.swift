internal import Geometry

/// The last reports of the head, which say where it looked when a picture was taken.
struct PoseTrail: Sendable, Equatable {
    private var last: [HeadPose] = []

    private static let most = 96
    /// The head stands if it turns slower than this, in rad/s, for this time, in seconds.
    private static let rest = Double.degrees(1), settling: Seconds = 0.1

    /// Adds a report. One that is older than the last is dropped.
    mutating func add(_ report: HeadPose) {
        guard report.time.isFinite, report.pose.pan.isFinite, report.pose.tilt.isFinite, report.rate.isFinite,
            report.time >= last.last?.time ?? -.infinity
        else { return }
        last.append(report)
        if last.count > Self.most { last.removeFirst() }
    }

    /// The newest pose, or nil if there is none.
    var pose: PanTilt? { last.last?.pose }

    /// Whether the head stood at the last report.
    var isAtRest: Bool { last.last.map { !Self.isMoving($0) } ?? true }

    /// Whether a report says that the head turns.
    static func isMoving(_ report: HeadPose) -> Bool { abs(report.rate) >= rest }

    /// Returns the pose at a time if the head stood then, or nil if it moved, or the pose is unknown.
    func standing(at time: Seconds) -> PanTilt? {
        guard let before = last.lastIndex(where: { $0.time <= time }) else { return nil }
        var place = before
        while place >= 0 {
            guard !Self.isMoving(last[place]) else { return nil }
            // Reports come when something changes, so an old one still counts.
            if last[place].time <= time - Self.settling { break }
            place -= 1
        }
        return last[before].pose
    }
}
