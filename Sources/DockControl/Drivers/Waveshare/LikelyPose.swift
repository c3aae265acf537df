internal import Geometry

/// Decides which poses to accept from a line without a checksum: one wrong digit turns 45 degrees into 95, and goals
/// are calculated from the pose.
struct LikelyPose: Sendable, Equatable {
    private var believed: (time: Seconds, pose: PanTilt)?
    private var doubtful: (time: Seconds, pose: PanTilt)?
    /// The highest possible speed, in rad/s.
    private let fastest: Double

    /// The tolerance in addition to the possible motion since the earlier pose, in radians, because times are those of
    /// arrival.
    static let slack = Double.degrees(3)
    /// The age after which an earlier pose is no longer considered, in seconds.
    static let maxAge: Seconds = 0.5

    static func == (a: Self, b: Self) -> Bool {
        a.believed?.time == b.believed?.time && a.believed?.pose == b.believed?.pose
            && a.doubtful?.time == b.doubtful?.time && a.doubtful?.pose == b.doubtful?.pose && a.fastest == b.fastest
    }

    /// Creates a filter for motors that turn at this speed (rad/s). A hand may be twice as fast.
    init(fastest: Double) { self.fastest = 2 * fastest }

    mutating func forget() { (believed, doubtful) = (nil, nil) }

    /// Returns whether to accept the pose (rad): it must continue the last accepted pose, or the last rejected one.
    mutating func isLikely(_ pose: PanTilt, at time: Seconds) -> Bool {
        let continues = [believed, doubtful].contains { earlier in
            guard let earlier, time - earlier.time <= Self.maxAge else { return false }
            return (pose - earlier.pose).magnitude <= Self.slack + fastest * max(0, time - earlier.time)
        }
        if continues { (believed, doubtful) = ((time, pose), nil) } else { doubtful = (time, pose) }
        return continues
    }
}
