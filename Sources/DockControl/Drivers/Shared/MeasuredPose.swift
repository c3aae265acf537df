internal import Geometry

/// The newest pose of a device that reports positions only, and the rate that follows from it.
struct MeasuredPose: Sendable, Equatable {
    /// Rad; nil: none since the device was greeted.
    private(set) var pose: PanTilt?
    /// rad/s.
    private(set) var rate = PanTilt.zero
    /// When the last pose arrived, even if it has been forgotten since.
    private(set) var arrivedAt: Seconds = 0
    private var slope = PoseRate()

    /// Records a pose (rad) that arrived `now` and was measured at `time`, which may be of the device's own clock.
    mutating func record(_ pose: PanTilt, measuredAt time: Seconds, now: Seconds) {
        rate = slope.record(pose, at: time)
        (self.pose, arrivedAt) = (pose, now)
    }

    /// Time since the last pose arrived, seconds.
    func age(now: Seconds) -> Seconds { now - arrivedAt }

    /// Forgets the pose and the course of the earlier ones.
    mutating func forget() {
        pose = nil
        slope.forget()
    }
}
