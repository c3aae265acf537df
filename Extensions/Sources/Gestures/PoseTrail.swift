public import Geometry

/// Where the dock has pointed in the last moments. A frame is older than the news of the pose, so the pose at its exposure
/// counts.
public struct PoseTrail: Sendable, Equatable {
    private var poses: [(time: Seconds, pose: PanTilt)] = []

    /// For how long poses are kept, and how much older than the first one a frame may be, in seconds.
    static let span: Seconds = 2, patience: Seconds = 1
    /// The most poses that are kept.
    static let most = 64

    /// Creates a trail without poses.
    public init() {}

    /// Whether both have the same poses.
    public static func == (a: PoseTrail, b: PoseTrail) -> Bool {
        a.poses.elementsEqual(b.poses) { $0.time == $1.time && $0.pose == $1.pose }
    }

    /// Records a pose; nil: it is unknown from now on.
    public mutating func update(_ pose: PanTilt?, at time: Seconds) {
        guard let pose, pose.pan.isFinite, pose.tilt.isFinite, time.isFinite else {
            poses = []
            return
        }
        if let last = poses.last, time <= last.time { poses.removeAll { $0.time >= time } }
        poses.append((time, pose))
        poses.removeAll { $0.time < time - Self.span }
        if poses.count > Self.most { poses.removeFirst(poses.count - Self.most) }
    }

    /// Returns the pose at a time, or nil if it is unknown. The last pose counts until another comes.
    public func pose(at time: Seconds) -> PanTilt? {
        guard let last = poses.last, let first = poses.first, time.isFinite else { return nil }
        if time >= last.time { return last.pose }
        guard time >= first.time else { return first.time - time <= Self.patience ? first.pose : nil }
        guard let next = poses.firstIndex(where: { $0.time > time }), next > 0 else { return last.pose }
        let (a, b) = (poses[next - 1], poses[next])
        return a.pose + (b.pose - a.pose) * ((time - a.time) / (b.time - a.time))
    }
}
