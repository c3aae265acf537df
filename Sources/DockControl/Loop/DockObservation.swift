internal import Geometry

/// The dock's reports, a check that they continue, and a check that its motion is what was commanded.
struct DockObservation: Sendable {
    /// The age above which a pose is not used, in seconds. A dock that normally reports must stop when it has been
    /// silent for this long. Its deadman timer would stop it no later. Two reports of a dock at rest may be lost before
    /// that.
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

    /// Whether the reported rates do not match the reported poses, so that they are computed from the poses.
    var hasWrongRates: Bool { rates.isContradicted }

    /// Returns a reported sample with a rate that can be trusted. `keep` stores the result.
    mutating func corrected(_ reported: MotionSample) -> MotionSample { rates.believed(reported) }

    /// Stores a sample as the newest.
    mutating func keep(_ sample: MotionSample) { poses.append(sample) }

    /// Discards everything about its motion, because it is outdated.
    mutating func forget() {
        poses.removeAll()
        rates.reset()
        following.reset()
    }

    /// Returns where the dock is now: the extrapolated last report, with the time of the report. The result is nil if
    /// the report is too old.
    ///
    /// It is extrapolated for as long as it is used. A pose that was not extrapolated would drive a moving head faster
    /// and faster.
    func motion(at now: Seconds) -> MotionSample? {
        guard let latest = poses.latest, now - latest.time < Self.poseLifetime || SafetyMutant.believesOldPoses.isOn,
            let pose = poses.pose(at: now, horizon: Self.poseLifetime)
        else { return nil }
        return MotionSample(time: latest.time, pose: pose, rate: latest.rate)
    }
}
