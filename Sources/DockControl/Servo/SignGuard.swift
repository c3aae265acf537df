public import Geometry

/// Checks that the image moves against the dock: when a camera on the head turns right, the world moves left in its
/// image.
///
/// Several hypotheses about the same sightings compete (`SignStory`):
/// - the image moves against the dock, as it should;
/// - it moves with the dock: an axis or the image is reversed;
/// - it does not move: the camera is not on the head;
/// - it moves along the other axis: the camera lies on its side.
///
/// Each hypothesis derives a different path of the person in the room from bearing and pose. People do not move
/// jerkily, so the hypothesis with the smoothest path gains likelihood and the others lose it. Motion at a constant
/// speed supports no hypothesis, so a person who walks and is followed perfectly causes no accusation.
///
/// "Does not move" and "is followed perfectly" look alike. If the dock turns toward a face without getting closer to
/// it, the dock is therefore held still for a moment. If the face then stays fixed in the image, that counts against
/// the camera. If the face keeps moving, it does not.
///
/// The evidence concerns the rig, so it outlives any change of subject: other numbers, other people, a detector's
/// hello. It accumulates over time, not per frame, and its weight depends on the measured noise of the bearings. Any
/// motion of the dock, by a person, a gesture or tracking, may prove a sign. If the frames are too poor to decide, an
/// unproven axis stays slow and near its place (`UnprovenReach`).
public struct SignGuard: Sendable, Equatable {
    /// One look at the subject: its outline in the image, the pose of the dock, and the distance from its set-point;
    /// radians.
    struct Look: Sendable, Equatable {
        var outline: FaceOutline
        var pose: PanTilt
        var error: PanTilt
    }

    /// The verdict; latched until `reset`.
    public private(set) var verdict: Verdict?
    /// The time until which each axis must stay at rest so that the camera can provide a decision. CLOCK_MONOTONIC; 0
    /// means never.
    public internal(set) var holdUntil = PanTilt.zero

    private let fastest: Double
    var looks = Recent<Look>(capacity: 48)
    /// The looks since the last one that was evaluated, merged into one.
    private var thinned = LookMerger()
    /// The most recent look, along both axes.
    private(set) var latest: SignLooks?
    /// The exposure before which looks do not count, because the reported pose has jumped.
    private var blindUntil: Seconds = 0
    private var subject: Int?
    /// The pose of the dock when it began to look at this subject, in radians.
    private var start: PanTilt?
    /// The pose of the dock at its last hold, or at the beginning, in radians.
    var asked: PanTilt?
    private(set) var pan = AxisSigns()
    private(set) var tilt = AxisSigns()
    private var pursuit = PursuitQuality()
    private var bursts = BurstSequence()

    /// The speed limit of tracking until the proof of the sign is beyond doubt, in rad/s.
    ///
    /// Tracking then also moves only in bursts. A head that steadily follows a person who walks back and forth moves as
    /// the person does, only less. A reversed image would then explain the frames equally well. People do not move in
    /// bursts.
    public static let unprovenSpeed = Double.degrees(60)
    /// The speed limit if the last burst ended more than `longestGap` ago, in rad/s.
    static let blindSpeed = Double.degrees(10)
    /// The minimum distance between the three looks that are compared, in seconds. With a shorter one, noise hides the
    /// motion of the dock.
    static let spacing: Seconds = 0.15
    /// The same distance for a subject that has just appeared, in seconds.
    static let leastSpacing: Seconds = 0.075
    /// The distance from the last face within which a face with another number counts as the same, in radians.
    static let stride = Double.degrees(4)
    /// The gap after which it may still be another face, in seconds, because one jump is one look.
    static let doubtfulGap: Seconds = 0.15
    /// The multiple of the noise of its bearing within which a face also counts as the same.
    static let surprise = 4.5
    /// The distance on both axes above which the axes turn one after another, in radians.
    static let aslant = Double.degrees(2)
    /// The gap after which the subject starts again, in seconds.
    static let longestGap: Seconds = 0.7
    /// The definition of a jump: a pose that is farther from the last one than a motor can turn, by this factor and
    /// this margin (rad). Looks in the next `blindTime` seconds are then ignored.
    static let jump = (factor: 1.5, more: Double.degrees(3), blindTime: Seconds(0.5))
    /// Creates a guard without evidence, for a rig that turns at most `fastest`, in rad/s.
    public init(fastest: Double = .infinity) { self.fastest = fastest }

    /// Returns how fast tracking may turn an axis at `now`, in rad/s: 0 during a hold and between bursts, the burst's
    /// speed during a burst, `blindSpeed` if no burst is recent, `unprovenSpeed` once the axis has proven its sign, and
    /// no limit when the proof is beyond doubt. Until then an axis also has a range (`UnprovenReach`).
    public func most(_ axis: Axis, toward velocity: Double = 0, now: Seconds) -> Double {
        if now < holdUntil[axis] { return 0 }
        if SafetyMutant.unprovenFast.isOn { return .infinity }
        if SafetyMutant.signsIgnored.isOn, verdict != nil { return Self.unprovenSpeed }
        if isTrusted(axis) { return .infinity }
        let hasRoom = hasRoom(axis, toward: velocity)
        if isProven(axis) { return hasRoom ? Self.unprovenSpeed : 0 }
        return bursts.most(axis, hasRoom: hasRoom, now: now)
    }

    /// Returns whether the axis has proven its sign and no evidence has contradicted it since.
    package func isProven(_ axis: Axis) -> Bool {
        self[axis].proof.isProven && self[axis.other].proof.mountDoubt > -SignProof.doubting
    }

    /// Returns whether the proof is strong enough to turn at full speed and without a range. With rough frames a wrong
    /// camera may be proven by chance, but rarely beyond that.
    private func isTrusted(_ axis: Axis) -> Bool { isProven(axis) && self[axis].proof.isTrusted }

    /// Records the pose of the dock, and whether tracking or something else turns it.
    public mutating func recordPose(_ pose: PanTilt, isTracked tracked: Bool, now: Seconds) {
        pursuit.turns(tracked: tracked, at: now)
        for axis in Axis.allCases {
            if isTrusted(axis) {
                change(axis) { $0.reach = UnprovenReach(at: pose[axis]) }
            } else {
                change(axis) { $0.reach.recordPose(pose[axis], isTracked: tracked, now: now) }
            }
        }
    }

    /// Whether the head nods to a face at an exposure, or has just done so.
    func isNod(at exposure: Seconds) -> Bool { pursuit.isNod(at: exposure) }

    /// Records that the head nods to a face, or has just done so.
    mutating func nods(at now: Seconds) { pursuit.nods(at: now) }

    /// Returns whether an axis may turn in the direction of `way` (only its sign matters), because its sign is beyond
    /// doubt or it has not gone far.
    func hasRoom(_ axis: Axis, toward way: Double) -> Bool { self[axis].reach.allows(way) }

    /// Records that from now on the subject may be a different one: a detector sends hello, a motion ends, or a mode
    /// changes. The evidence about the rig is kept, and so is the face if the next look continues it.
    public mutating func pause() {
        subject = nil
        if SafetyMutant.helloClearsState.isOn { self = SignGuard(fastest: fastest) }
    }

    /// Records that the clock stood still while the machine slept. What was seen before and after it are not one path:
    /// the head and the person seem to have jumped.
    mutating func timeJumped() {
        pause()
        beginSubject()
    }

    /// Starts with another face, or with the same face after a gap.
    private mutating func beginSubject() {
        forgetLooks()
        start = nil
        asked = nil
        holdUntil = .zero
        for axis in Axis.allCases { change(axis) { $0.beginSubject() } }
    }

    /// Forgets where the face was seen.
    mutating func forgetLooks() {
        looks.removeAll()
        thinned = LookMerger()
        latest = nil
    }

    /// Continues the motion of the head that another camera's guard has watched. Where the face was seen means nothing
    /// to this camera.
    mutating func follow(_ other: SignGuard) {
        pause()
        beginSubject()
        (bursts, pursuit, blindUntil) = (other.bursts, other.pursuit, other.blindUntil)
    }

    /// Discards everything, because of another dock, or a fault that was cleared.
    public mutating func reset() { self = SignGuard(fastest: fastest) }

    /// Records a sighting of the subject.
    /// - Parameters:
    ///   - new: the number of the subject. Another number is another face, unless the face is where the last one was.
    ///   - outline: the outline in the image.
    ///   - pose: the pose of the dock at the exposure, in radians.
    ///   - error: how far the dock still had to turn at that time, in radians.
    ///   - exposure: CLOCK_MONOTONIC.
    ///   - now: CLOCK_MONOTONIC.
    public mutating func sighted(
        subject new: Int, outline: FaceOutline, pose: PanTilt, error: PanTilt, exposure: Seconds, now: Seconds
    ) {
        pursuit.pictured(seen: true, at: now)
        guard verdict == nil, latest.map({ exposure > $0.pan.time }) ?? true else { return }
        let raw = SignLooks(
            pan: SignLook(time: exposure, bearing: outline.center(.pan), own: pose.pan, other: pose.tilt),
            tilt: SignLook(time: exposure, bearing: outline.center(.tilt), own: pose.tilt, other: pose.pan))
        if let latest {
            let gap = exposure - latest.pan.time
            let steps = PanTilt(pan: raw.pan.own - latest.pan.own, tilt: raw.tilt.own - latest.tilt.own)
            if max(abs(steps.pan), abs(steps.tilt)) > Self.jump.factor * fastest * gap + Self.jump.more {
                blindUntil = exposure + Self.jump.blindTime
            }
            guard exposure >= blindUntil else {
                beginSubject()
                self.latest = raw
                return
            }
            if gap > Self.longestGap || subject != new && !continues(raw) {
                beginSubject()
            } else if subject != nil, subject != new, gap > Self.doubtfulGap {
                looks.removeAll()
            }
            bursts.framed(after: gap)
        }
        latest = raw
        pan.proof.tremble.look(raw.pan)
        tilt.proof.tremble.look(raw.tilt)
        subject = new
        start = start ?? pose
        asked = asked ?? pose
        bursts.begin(needsBothAxes: needsBothAxes(error), fastest: fastest, now: now)
        guard let (look, time) = thinned.add(Look(outline: outline, pose: pose, error: error), at: exposure) else {
            return
        }
        judge(look, at: time, now: now)
    }

    /// Records a frame without the subject.
    public mutating func missed(now: Seconds) {
        if let latest, now - latest.pan.time < Self.longestGap { pursuit.pictured(seen: false, at: now) }
    }

    /// Evaluates one more look, at least `LookMerger.interval` after the previous one.
    private mutating func judge(_ look: Look, at exposure: Seconds, now: Seconds) {
        let before = looks.newest?.time, pose = look.pose, outline = look.outline
        looks.append(look, at: exposure)
        pursuit.misses(by: look.error, after: before.map { exposure - $0 })
        seeQuickly(look, at: exposure, now: now)
        for axis in Axis.allCases {
            let doubts = self[axis.other].proof.nod.isCrossed
            guard let story = self[axis].proof.convicted(otherNodCrossed: doubts), let fault = story.fault,
                !self[axis.other].proof.refutes(story)
            else { continue }
            verdict = Verdict(axis: axis, fault: fault, isCrossed: story.isCrossed)
            return
        }
        if let before { measureGain(outline, at: exposure, since: before) }
        guard let before, let (first, last) = compared(exposure) else { return }
        let share = ((exposure - before) / (exposure - last.time)).clamped(to: 0...1)
        for axis in Axis.allCases {
            let travel = abs(pose[axis] - (start?[axis] ?? pose[axis]))
            let seen = FaceOutline.bearings(first.value.outline, last.value.outline, outline, axis)
            let triple = seen.map {
                SignEvidence.Triple(
                    bearing: $0, pose: (first.value.pose[axis], last.value.pose[axis], pose[axis]),
                    times: (first.time, last.time, exposure), noise: outline.noise(axis),
                    measured: self[axis].proof.tremble.deviation,
                    isNear: last.time > exposure - Self.spacing || first.time > last.time - Self.spacing)
            }
            let (fault, isDenied, isHeldAgainst) = change(axis) {
                if let triple { $0.evidence.add(triple, share: share) }
                if $0.evidence.isProven { $0.proof.agrees() }
                return (
                    $0.evidence.fault(travel: travel), $0.evidence.deniesProof,
                    $0.evidence.beginsToAccuse() && !$0.proof.isFresh
                )
            }
            // Evidence from motion as quick as a motor outweighs random motion of people, but not the observations
            // during a hold.
            if isHeldAgainst || isDenied && !self[axis].proof.isSure { change(axis) { $0.proof.doubt() } }
            if isHeldAgainst {
                pan.proof.doubtMount()
                tilt.proof.doubtMount()
            }
            // The quick part contradicts a chance accusation, but not a real fault.
            if let fault, self[axis].proof.allows(fault) {
                verdict = Verdict(axis: axis, fault: fault)
                return
            }
            // A hold during a nod would not hold the head.
            if !pursuit.isNod(at: exposure) { holdIfSuspicious(axis, period: exposure - before, now: now) }
        }
    }

    private mutating func seeQuickly(_ look: Look, at exposure: Seconds, now: Seconds) {
        for axis in Axis.allCases {
            // The middle of a face that the image's edge cuts off moves differently from the face.
            guard let (part, bearing) = look.outline.whole(axis) else { continue }
            let seen = SignLook(
                time: exposure, bearing: bearing, own: look.pose[axis], other: look.pose[axis.other])
            let noise = look.outline.noise(axis), coverage = pursuit.coverage
            let cause = pursuit.cause(axis, at: now, exposure: exposure)
            change(axis) {
                if part != $0.part { $0.proof.breakOff() }
                $0.part = part
                $0.proof.look(seen, noise: noise, coverage: coverage, cause: cause)
            }
        }
    }

    subscript(axis: Axis) -> AxisSigns { axis == .pan ? pan : tilt }

    @discardableResult
    mutating func change<Result>(_ axis: Axis, _ use: (inout AxisSigns) -> Result) -> Result {
        axis == .pan ? use(&pan) : use(&tilt)
    }
}

extension Axis { fileprivate var other: Axis { self == .pan ? .tilt : .pan } }
