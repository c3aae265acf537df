internal import Geometry

/// The rig as this session may use it: its profile, narrowed by the session's limits and by a cap on the speed.
struct SessionRig: Sendable {
    /// The rig as its profile describes it.
    let profile: RigProfile
    /// The limits of this session.
    var limits = SessionLimits() { didSet { narrow() } }
    /// The speed limit of both axes, in rad/s. Infinity means as fast as the rig can turn.
    var speedCap = Double.infinity { didSet { narrow() } }
    /// The rig with all limits applied.
    private(set) var narrowed: RigProfile

    init(_ profile: RigProfile) {
        self.profile = profile
        narrowed = profile
    }

    /// The range and speed of each axis: the soft range and the speed with all limits applied.
    var effectiveLimits: SessionLimits {
        SessionLimits(
            pan: AxisLimit(range: narrowed.pan.softRange, maxSpeed: narrowed.pan.maxSpeed),
            tilt: AxisLimit(range: narrowed.tilt.softRange, maxSpeed: narrowed.tilt.maxSpeed))
    }

    private mutating func narrow() {
        narrowed = profile.limited(by: limits)
        narrowed.pan.maxSpeed = min(narrowed.pan.maxSpeed, speedCap)
        narrowed.tilt.maxSpeed = min(narrowed.tilt.maxSpeed, speedCap)
    }
}
