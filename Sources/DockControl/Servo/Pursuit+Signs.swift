internal import Geometry

/// What the pursuit tells the sign guard, and what the guard allows.
extension Pursuit {
    /// The possible error of a pose above which a sighting is no evidence about the signs, in radians. On a line that
    /// loses reports, the pose seems to stand still and then to jump, and the image does neither. At rest most docks
    /// report ten times a second. With 600 deg/s² and 15 ms of delay, that is enough for frames that are 34 ms old.
    static let vague = Double.degrees(2)
    /// The elevation above which the image rotates more than it moves and reveals nothing about signs, in radians.
    static let steep = Double.degrees(60)

    /// Returns how fast tracking may turn an axis (rad/s) at a pose, as the signs allow. Before the signs are proven,
    /// tracking also does not turn to positions where the image reveals nothing about them, because the guard would be
    /// blind from then on.
    func mayTurn(_ axis: Axis, by velocity: Double, from pose: PanTilt, now: Seconds) -> Double {
        let most = signs.most(axis, toward: velocity, now: now)
        guard most < .infinity else { return most }
        // A person may have turned it there by hand or with a command. In that case it may only turn back.
        if axis == .pan { return abs(pose.tilt) < Self.steep ? most : 0 }
        let isLevelling = velocity * pose.tilt < 0
        // Nothing can be proven up there, so the range does not limit the way back to where it can.
        if isLevelling, abs(pose.tilt) >= Self.steep, now >= signs.holdUntil.tilt {
            return max(most, SignGuard.blindSpeed)
        }
        return isLevelling || velocity == 0 || abs(pose.tilt) < Self.steep - .degrees(5) ? most : 0
    }

    /// Records that the clock stood still while the machine slept, so that times before and after it do not compare.
    mutating func timeJumped() {
        signs.timeJumped()
        latency.timeJumped()
    }

    /// Records the pose of the dock, and whether tracking or something else turns it.
    mutating func recordPose(_ pose: PanTilt, isTracked tracked: Bool, now: Seconds) {
        let isGuidedByPicture = phase != .homing && phase != .expecting
        signs.recordPose(pose, isTracked: tracked && isGuidedByPicture, now: now)
    }
}
