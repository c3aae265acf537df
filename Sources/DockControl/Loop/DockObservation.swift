internal import Geometry

/// What the dock reports, whether it still does, and whether its motion is what was commanded.
struct DockObservation: Sendable {
    /// A pose older than this is not used, seconds: a dock that reports and has been silent for this long must stand. Its deadman
    /// timer would stop it no later, and two reports of a dock at rest may be lost before.
    static let poseLifetime: Seconds = 0.25

    /// The reported poses.
    private(set) var poses = PoseHistory()
    /// Checks whether the reported rates match the reported poses.
    private var rates: RateWatch
    /// Checks whether the axes do what they are commanded.
    var following: FollowingErrorDetector
    /// Detects a dock that no longer sends or no longer receives.
    var silence = SilenceWatch()
    /// The batteries.
    var supply = BatteryPolicy()

    /// Creates an observation without reports, for a rig.
    init(profile: RigProfile) {
        rates = RateWatch(profile: profile)
        following = FollowingErrorDetector(profile: profile)
    }

    /// The reported rates do not match the reported poses, and are computed from these.
    var hasWrongRates: Bool { rates.isLie }

    /// Returns a reported sample with a rate that can be trusted. `keep` stores it.
    mutating func corrected(_ reported: MotionSample) -> MotionSample { rates.believed(reported) }

    /// Stores a sample as the newest.
    mutating func keep(_ sample: MotionSample) { poses.append(sample) }

    /// Discards everything about its motion: what was known is old.
    mutating func forget() {
        poses.removeAll()
        rates.reset()
        following.reset()
    }

    /// Where the dock is now: the last report extrapolated, with the report's time. Nil if the report is too old.
    ///
    /// It is extrapolated for as long as it is used. A pose that stood still would drive a moving head faster and faster.
    func motion(at now: Seconds) -> MotionSample? {
        guard let latest = poses.latest, now - latest.time < Self.poseLifetime || SafetyMutant.believesOldPoses.isOn,
            let pose = poses.pose(at: now, horizon: Self.poseLifetime)
        else { return nil }
        return MotionSample(time: latest.time, pose: pose, rate: latest.rate)
    }
}
