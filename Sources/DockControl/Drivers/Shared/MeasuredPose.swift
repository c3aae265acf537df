internal import Geometry

/// The newest pose of a device that reports positions only, and the rate that follows from it.
struct MeasuredPose: Sendable, Equatable {
    /// The pose in radians, or nil if none has arrived since the device was greeted.
    private(set) var pose: PanTilt?
    /// The rate, in rad/s.
    private(set) var rate = PanTilt.zero
    /// When the last pose arrived, even if it has been forgotten since.
    private(set) var arrivedAt: Seconds = 0
    private var slope = PoseRate()

    /// Records a pose (rad) that arrived at `now` and was measured at `time`, which may be in the device's own time.
    mutating func record(_ pose: PanTilt, measuredAt time: Seconds, now: Seconds) {
        rate = slope.record(pose, at: time)
        (self.pose, arrivedAt) = (pose, now)
    }

    /// Returns the time since the last pose arrived, in seconds.
    func age(now: Seconds) -> Seconds { now - arrivedAt }

    /// Forgets the pose and the earlier poses from which the rate follows.
    mutating func forget() {
        pose = nil
        slope.forget()
    }
}
