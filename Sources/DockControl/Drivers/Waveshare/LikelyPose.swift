internal import Geometry

/// Which poses to believe, of a line without a checksum: one wrong digit turns 45 degrees into 95, and a goal is counted from
/// the pose.
struct LikelyPose: Sendable, Equatable {
    private var believed: (time: Seconds, pose: PanTilt)?
    private var doubtful: (time: Seconds, pose: PanTilt)?
    /// rad/s: nothing turns faster.
    private let fastest: Double

    /// So much more than the way of the time since, rad: times are those of arrival.
    static let slack = Double.degrees(3)
    /// What was believed longer ago than this says nothing, seconds.
    static let memory: Seconds = 0.5

    static func == (a: Self, b: Self) -> Bool {
        a.believed?.time == b.believed?.time && a.believed?.pose == b.believed?.pose
            && a.doubtful?.time == b.doubtful?.time && a.doubtful?.pose == b.doubtful?.pose && a.fastest == b.fastest
    }

    /// For motors that turn so fast (rad/s); a hand may be twice as fast.
    init(fastest: Double) { self.fastest = 2 * fastest }

    mutating func forget() { (believed, doubtful) = (nil, nil) }

    /// Whether to believe the pose (rad): it continues the last one that was believed, or the last one that was not.
    mutating func isLikely(_ pose: PanTilt, at time: Seconds) -> Bool {
        let continues = [believed, doubtful].contains { earlier in
            guard let earlier, time - earlier.time <= Self.memory else { return false }
            return (pose - earlier.pose).magnitude <= Self.slack + fastest * max(0, time - earlier.time)
        }
        if continues { (believed, doubtful) = ((time, pose), nil) } else { doubtful = (time, pose) }
        return continues
    }
}
