public import Geometry

/// Converts sightings to a goal in angles, and decides what happens when they end. *Lost*: frames arrive without the
/// subject. *Stale*: no frames arrive. The head searches only for a lost subject.
public struct Pursuit: Sendable {
    /// The permitted behaviour of the head when the subject is lost.
    public struct Policy: Sendable, Equatable {
        /// Whether to look toward the side where it left.
        public var searches = true
        /// Whether to go home if it stays away.
        public var goesHome = true
        /// Whether to nod to the first face, which proves the signs of both axes.
        public var greets = true
        /// How long the head stays at rest before anything else, in seconds.
        public var holdTime: Seconds = 0.6
        /// The duration of the search, in seconds.
        public var searchTime: Seconds = 2
        /// Upper limit of the search speed, in rad/s. The search for a person who left slowly is slow, because the head
        /// would otherwise overtake them.
        public var searchSpeed = Double.degrees(20)
        /// The speed of the motion home, in rad/s.
        public var homeSpeed = Double.degrees(30)
        /// The speed of the motion toward a person who is expected, in rad/s.
        public var expectSpeed = Double.degrees(20)

        /// Creates the default policy: greet the first face, hold for 0.6 s, search for 2 s at up to 20 deg/s, and go
        /// home at up to 30 deg/s.
        public init() {}
    }

    /// Where the subject should be in the image.
    public var framing = Framing()
    /// The camera that sees it, and its lens.
    var lens: Lens
    /// The policy when it is lost.
    public var policy = Policy()
    /// The estimate of its position in the world.
    public private(set) var estimator = TargetEstimator()
    /// The phase of tracking.
    public private(set) var phase = TrackingPhase.idle
    /// The check that the image moves against the dock. It is used only if the camera turns with the dock.
    public var signs: SignGuard
    /// The measurement of how much later frames were taken than their stated times.
    public internal(set) var latency = LatencyWatch()
    /// Whether the dock measures its pose. If it only estimates the pose, the lag of frames reveals more than their
    /// time error.
    var isMeasured = true
    /// The followed face as it was last seen.
    private var face = FollowedFace()
    /// The rhythm in which frames arrive.
    private var rhythm = FrameRhythm()
    /// The direction in which the subject was going.
    private var exit = SubjectExit()
    /// Where a person is expected, or nil if no person is.
    private var expectation: Expectation?
    /// The rig: its home, and the maximum acceleration of the faster axis, in rad/s².
    private let rig: (home: PanTilt, acceleration: Double)
    private var lostSince: Seconds?
    /// The number of consecutive looks at a person who is not above the head. Pan waits for several of them, because
    /// one may be noise.
    private var looksBelow = Self.looksToRelease
    /// The number of such looks that release pan again.
    private static let looksToRelease = 3

    /// The multiple of their speed at which the head searches for a person who was seen to leave, and the minimum speed
    /// of that search in rad/s.
    static let searchShare = 1.5, leastSearch = Double.degrees(8)
    /// The elevation above which the pan angle has no meaning, because the subject is close to the vertical axis, in
    /// radians.
    static let pole = Double.degrees(82)
    /// Creates a pursuit for a rig.
    public init(profile: RigProfile) {
        lens = Lens(of: CameraModel(camera: profile.camera))
        signs = SignGuard(fastest: max(profile.pan.maxSpeed, profile.tilt.maxSpeed))
        rig = (profile.home, max(profile.pan.maxAcceleration, profile.tilt.maxAcceleration))
    }

    /// Discards the subject, because of another mode, source or dock.
    public mutating func reset() {
        estimator.reset()
        signs.pause()
        phase = .idle
        face.lost()
        lostSince = nil
        rhythm.reset()
        exit.reset()
        expectation = nil
        looksBelow = Self.looksToRelease
    }

    /// Looks in a direction while no subject is in the frames. A newer expectation replaces an older one.
    mutating func expect(_ expectation: Expectation) { self.expectation = expectation }

    /// Ends what a program expects, because it has lost its lease.
    mutating func forgetExpectation(of program: ProgramID) {
        if expectation?.program == program { expectation = nil }
    }

    /// The camera that sees the subject, at the magnification of the last frame.
    public var camera: CameraModel {
        get { lens.camera }
        set { lens.camera = newValue }
    }

    /// The usual time between frames, in seconds.
    var framePeriod: Seconds { rhythm.period }

    /// The last sighting, for the face's gaze.
    public var sighting: Sighting? { face.sighting }

    /// Whether a program's observations control the head.
    var isImpatient: Bool {
        get { rhythm.isImpatient }
        set { rhythm.isImpatient = newValue }
    }

    /// The value that must be added to the times of frames to get their exposures, as far as is known, in seconds.
    public var lag: Seconds { camera.mount == .head ? latency.correction : 0 }

    /// Discards the lag and the correction of the field of view, because another stream has other times and another
    /// camera.
    mutating func forgetStream() {
        latency.reset()
        lens.forgetCorrection()
        signs.forgetGain()
    }

    /// Follows what a frame shows.
    mutating func follow(_ frame: SteeringFrame, poses: borrowing PoseHistory, arrival: Seconds) {
        camera = frame.camera
        guard case .seen(let sighting, let pose) = frame.subject else { return absent(arrival: arrival) }
        // The times of a program's own observations are used unchanged.
        if frame.source == .detector {
            learnLatency(from: sighting.rect, of: sighting.subject, at: frame.time, poses: poses)
        }
        let error = poses.uncertainty(at: sighting.exposure, acceleration: rig.acceleration)
        let isPoseKnown = error < Self.vague || SafetyMutant.judgesLostPoses.isOn
        sighted(sighting, pose: pose, isPoseKnown: isPoseKnown, arrival: arrival)
        if frame.source == .detector { correctView(now: arrival) }
    }

    /// Corrects the field of view if the picture moves otherwise than it says when the head turns. A wrong one makes
    /// every person seem to move with the head, which then chases them.
    private mutating func correctView(now: Seconds) {
        guard camera.mount == .head, let gain = signs.pictureGain(now: now), !SafetyMutant.signsIgnored.isOn else {
            return
        }
        guard lens.correct(by: gain) else { return signs.forgetGain() }
        signs.correctedView()
        // The path so far is that of another lens.
        estimator.reset()
    }

    /// Records that the subject was seen in a frame with the time `time`. The time error is estimated from it, even
    /// while something other than tracking moves the dock.
    mutating func learnLatency(from rect: Rect, of subject: Int, at time: Seconds, poses: borrowing PoseHistory) {
        guard camera.mount == .head, isMeasured else { return }
        let inside = 0.01...0.99
        // The middle of a rectangle that the image's edge cuts off is not the middle of the face.
        if inside.contains(rect.x), inside.contains(rect.maxX), inside.contains(rect.y), inside.contains(rect.maxY) {
            latency.saw(
                rect.center, of: subject, width: rect.width / camera.focal.x, at: time,
                stands: signs.isNod(at: time - LatencyWatch.most))
        }
        latency.settle(poses, camera: camera)
    }

    /// Records a frame with the subject; `pose` is the dock's at the exposure. `isPoseKnown`: reports support it.
    mutating func sighted(_ seen: Sighting, pose: PanTilt, isPoseKnown: Bool = true, arrival: Seconds) {
        rhythm.arrived(at: arrival)
        let world = camera.world(of: Framing.aimPoint(of: seen.rect), from: pose)
        face.saw(seen, camera: camera)
        estimator.measure(world, at: seen.exposure, subject: seen.subject, width: face.width)
        let isAbove = estimator.predict(at: arrival).map { abs($0.position.tilt) > Self.pole } ?? false
        looksBelow = isAbove ? 0 : looksBelow + 1
        if camera.mount == .head, isPoseKnown, abs(pose.tilt) < Self.steep {
            signs.sighted(
                subject: seen.subject, outline: FaceOutline(of: seen.rect, camera: camera, from: pose), pose: pose,
                error: camera.pose(toSee: world, at: framing.setPoint(yaw: face.yaw)) - pose,
                exposure: seen.exposure, now: arrival)
        }
        exit.saw(seen.rect, panRate: estimator.velocity.pan)
        lostSince = nil
        phase = .following
    }

    /// Records a frame without the subject.
    mutating func absent(arrival: Seconds) {
        let wasStale = phase == .detectorStale
        rhythm.arrived(at: arrival)
        signs.missed(now: arrival)
        if let lostSince, arrival - lostSince > 2 * rhythm.period { exit.missed() }
        guard phase != .idle, estimator.time != nil || phase == .homing || wasStale else { return }
        if lostSince == nil || wasStale { lostSince = arrival }
        // Predictions from before the silence no longer guide the head.
        if wasStale { estimator.reset() }
        if wasStale { phase = .coasting }
    }

    /// The silence after which the detector counts as stale, seconds since the last arrival.
    public var staleAfter: Seconds { rhythm.staleAfter }

    /// The latest time for the next call of `step` if nothing arrives, or nil if there is no such time.
    public var deadline: Seconds? {
        phase != .idle && phase != .detectorStale ? rhythm.deadline : nil
    }

    /// Returns what to do at `now` with a dock at `pose`. A goal is a position `ahead` seconds later, when a command
    /// acts.
    public mutating func step(now: Seconds, pose: PanTilt, ahead: Seconds = 0) -> Pursue {
        if phase != .idle, rhythm.isStale(at: now) { (phase, expectation) = (.detectorStale, nil) }
        if let glide = glideToExpected(now: now) { return glide }
        switch phase {
        case .idle, .detectorStale: return .still
        case .following, .coasting, .searching, .homing, .expecting: break
        }
        guard let lostSince else { return follow(now: now + ahead, pose: pose) }
        let gone = now - lostSince
        // If the person was lost in the middle of the image, the head waits there.
        let searchTime = policy.searches ? policy.searchTime : 0
        if gone < policy.holdTime || SafetyMutant.coastsOn.isOn {
            phase = .coasting
            return follow(now: now + ahead, pose: pose)
        }
        if gone < policy.holdTime + searchTime, signs.hasRoom(.pan, toward: exit.side) || camera.mount != .head {
            phase = .searching
            // The speed ramps up and down for a quarter of a second, so that it has no steps.
            let ramp = min(1, 4 * min(gone - policy.holdTime, policy.holdTime + searchTime - gone))
            // A head that turns the wrong way mistakes its own motion for the person's.
            let isKnown = exit.speed > 0 && signs.isProven(.pan)
            let known = isKnown ? max(Self.leastSearch, Self.searchShare * exit.speed) : .infinity
            let speed = min(policy.searchSpeed, known) * (SafetyMutant.searchesFast.isOn ? 2 : 1)
            return .turn(PanTilt(pan: exit.side * speed * ramp, tilt: 0))
        }
        guard policy.goesHome else {
            phase = .coasting
            return .still
        }
        estimator.reset()
        face.lost()
        if (pose - rig.home).magnitude < .degrees(0.5) {
            phase = .idle
            return .still
        }
        phase = .homing
        return .glide(to: rig.home, speed: policy.homeSpeed)
    }

    /// Returns the motion toward a person who is expected, or nil if no person is, or if the frames decide: they show the
    /// subject or have just lost it, or none arrive.
    private mutating func glideToExpected(now: Seconds) -> Pursue? {
        guard let expectation, expectation.isInForce(at: now), rhythm.isAlive(at: now) else { return nil }
        switch phase {
        case .following, .detectorStale: return nil
        case .coasting: guard let lostSince, now - lostSince >= policy.holdTime else { return nil }
        case .idle, .searching, .homing, .expecting: break
        }
        if phase != .expecting {
            estimator.reset()
            face.lost()
            exit.reset()
        }
        phase = .expecting
        // If no person comes, the head goes home without a search.
        lostSince = -.infinity
        return .glide(
            to: camera.pose(toSee: expectation.direction, at: framing.setPoint(yaw: nil)), speed: policy.expectSpeed)
    }

    private func follow(now: Seconds, pose: PanTilt) -> Pursue {
        guard let target = estimator.predict(at: now) else { return .still }
        let setPoint = framing.setPoint(yaw: face.yaw)
        var goal = camera.pose(toSee: target.position, at: setPoint)
        var rate = target.velocity, acceleration = target.acceleration
        let isNearPole = abs(target.position.tilt) > Self.pole || looksBelow < Self.looksToRelease
        let holdsPan = isNearPole && !SafetyMutant.chasesOverheadFace.isOn
        if holdsPan {
            goal.pan = pose.pan
            (rate.pan, acceleration.pan) = (0, 0)
        }
        return .follow(goal: goal, rate: rate, acceleration: acceleration, width: face.width, holdsPan: holdsPan)
    }
}
