public import Geometry

/// Makes sure that the picture moves against the dock: a camera on the head that turns right sees the world go left.
///
/// Several stories are told about the same sightings (`SignStory`): the picture moves against the dock (as it should), with it (an
/// axis or the picture is the wrong way round), not at all (the camera is not on the head), or along the other axis (the picture lies
/// on its side). Each story makes another path of the person in the room out of bearing and pose, and people do not move by jerks: the
/// story whose path is the smoothest gains, the others lose. What a person does at a constant speed speaks for none of them, so that
/// somebody who walks and is followed perfectly accuses nobody.
///
/// "Not at all" and "follows perfectly" look alike. So where the dock turns toward a face that comes no nearer, it is held
/// still for a moment: a face that then goes on standing in the picture is accused, one that goes on walking is not.
///
/// Evidence is about the rig, so it outlives whatever happens to the subject: other numbers, other people, a detector's hello. It is
/// gathered over time, not by the picture, and it is weighed by how much the pictures are seen to tremble. Whatever moves the dock, a
/// person, a gesture or tracking, may prove a sign. Where the pictures are too bad to tell, an unproven axis stays slow, and near
/// where it was (`UnprovenReach`).
public struct SignGuard: Sendable, Equatable {
    /// One look at the subject: where it lay in the picture, where the dock was, and how far off its place it was; radians.
    struct Look: Sendable, Equatable {
        var outline: FaceOutline
        var pose: PanTilt
        var error: PanTilt
    }

    /// What was found; latched until `reset`.
    public private(set) var verdict: Verdict?
    /// Until when each axis is to stand still so that the picture can tell; CLOCK_MONOTONIC, 0: never.
    public internal(set) var holdUntil = PanTilt.zero

    private let fastest: Double
    var looks = Recent<Look>(capacity: 48)
    /// The looks since the last one that was judged, as one.
    private var thinned = ThinnedLook()
    /// The last look of all, along both axes.
    private var latest: SignLooks?
    /// Looks before this exposure do not count: the reported pose has jumped.
    private var blindUntil: Seconds = 0
    private var subject: Int?
    /// Where the dock was when it began to look at this subject, radians.
    private var start: PanTilt?
    /// Where it last stood still to ask, or began, radians.
    var asked: PanTilt?
    private var pan = AxisSigns()
    private var tilt = AxisSigns()
    private var pursuit = PursuitQuality()
    /// The burst under way, or the last one, and how far pictures are apart.
    private var burst: Burst?
    private var period: Seconds = 0.05

    /// Tracking turns no faster until the picture has been seen to move against the dock, rad/s.
    ///
    /// And only in bursts: a head that turns steadily after somebody who walks to and fro moves as they do, only less, and then
    /// the story that the picture is the wrong way round is as good as the true one. Nobody moves by bursts.
    public static let unprovenSpeed = Double.degrees(60)
    /// Where nothing has been seen for long, rad/s.
    static let blindSpeed = Double.degrees(10)
    /// Three looks are compared that are at least so far apart, seconds: shorter, and noise covers what the dock did.
    static let spacing: Seconds = 0.15
    /// The same for a subject that has just come, seconds.
    static let leastSpacing: Seconds = 0.075
    /// A face with another number is the same where it is no farther from the last one, radians.
    static let stride = Double.degrees(4)
    /// ... but after a gap longer than this it may be another one all the same: one jump is one look, seconds.
    static let doubtfulGap: Seconds = 0.15
    /// ... or than so many times what its bearing trembles by.
    static let surprise = 4.5
    /// Both axes have to turn farther than this, radians: then one does after the other.
    static let aslant = Double.degrees(2)
    /// A gap longer than this begins anew, seconds.
    static let longestGap: Seconds = 0.7
    /// A pose that is farther from the last one than a motor can have turned it, by this factor and by so much (rad), has jumped; what is
    /// known of it after that is worth nothing for so long, seconds.
    static let jump = (factor: 1.5, more: Double.degrees(3), memory: Seconds(0.5))
    /// Knows nothing of a rig that turns no faster than `fastest`, rad/s.
    public init(fastest: Double = .infinity) { self.fastest = fastest }

    /// How fast tracking may turn an axis at `now`, rad/s: not at all while the picture is asked; in bursts until it has
    /// answered once; no faster than in bursts until it has answered beyond doubt.
    public func most(_ axis: Axis, toward velocity: Double = 0, now: Seconds) -> Double {
        if now < holdUntil[axis] { return 0 }
        if SafetyMutant.unprovenFast.isOn { return .infinity }
        if isProven(axis) { return self[axis].proof.isTrusted ? .infinity : Self.unprovenSpeed }
        // Somebody has turned it to where nothing can be told, and now it is on its way back.
        guard let burst, now < burst.end + Self.longestGap else { return Self.blindSpeed }
        return now < burst.end && burst.axis ?? axis == axis && hasRoom(axis, toward: velocity) ? burst.speed : 0
    }

    /// The axis was seen to be right, and nothing has spoken against it since.
    package func isProven(_ axis: Axis) -> Bool {
        self[axis].proof.isProven && self[axis.other].proof.mountDoubt > -SignProof.doubting
    }

    /// The dock stands there, and tracking turns it, or something else does.
    public mutating func stands(at pose: PanTilt, tracked: Bool, now: Seconds) {
        pursuit.turns(tracked: tracked, at: now)
        for axis in Axis.allCases {
            if isProven(axis) {
                change(axis) { $0.reach = UnprovenReach() }
            } else {
                change(axis) { $0.reach.stands(at: pose[axis], tracked: tracked, now: now) }
            }
        }
    }

    /// An axis may turn that way (the sign counts): it was seen to be right, or has not gone far.
    func hasRoom(_ axis: Axis, toward way: Double) -> Bool { self[axis].reach.allows(way) }

    /// The subject may be another from now on: a detector says hello, a motion ends, a mode changes. What was learnt of the rig stays,
    /// and so does the face, where the next look continues it.
    public mutating func pause() {
        subject = nil
        if SafetyMutant.helloForgets.isOn { self = SignGuard(fastest: fastest) }
    }

    /// Another face, or the same after a gap.
    private mutating func beginSubject() {
        looks.removeAll()
        thinned = ThinnedLook()
        latest = nil
        start = nil
        asked = nil
        holdUntil = .zero
        for axis in Axis.allCases { change(axis) { $0.beginSubject() } }
    }

    /// Forgets everything: another dock, another camera, a fault that was cleared.
    public mutating func reset() { self = SignGuard(fastest: fastest) }

    /// The subject was seen.
    /// - Parameters:
    ///   - new: its number; another one is another face, unless it is where the last one was.
    ///   - outline: where it lies in the picture.
    ///   - pose: where the dock was at the exposure, radians.
    ///   - error: how far the dock had still to turn then, radians.
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
                blindUntil = exposure + Self.jump.memory
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
            period += 0.2 * (gap.clamped(to: 0.02...0.25) - period)
        }
        latest = raw
        pan.proof.tremble.look(raw.pan)
        tilt.proof.tremble.look(raw.tilt)
        subject = new
        start = start ?? pose
        asked = asked ?? pose
        if burst.map({ now >= $0.next }) ?? true { beginBurst(error, now: now) }
        guard let (look, time) = thinned.add(Look(outline: outline, pose: pose, error: error), at: exposure) else {
            return
        }
        judge(look, at: time, now: now)
    }

    /// A picture without the subject arrived.
    public mutating func missed(now: Seconds) {
        if let latest, now - latest.pan.time < Self.longestGap { pursuit.pictured(seen: false, at: now) }
    }

    /// One look more, no closer to the one before than `ThinnedLook.interval`.
    private mutating func judge(_ look: Look, at exposure: Seconds, now: Seconds) {
        let before = looks.newest?.time, pose = look.pose, outline = look.outline
        looks.append(look, at: exposure)
        pursuit.misses(by: look.error, after: before.map { exposure - $0 })
        seeQuickly(look, at: exposure, now: now)
        for axis in Axis.allCases {
            guard let story = self[axis].proof.convicted, let fault = story.fault,
                !self[axis.other].proof.refutes(story)
            else { continue }
            verdict = Verdict(axis: axis, fault: fault, isCrossed: story.isCrossed)
            return
        }
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
            // What turns as quickly as a motor outweighs what people may do by chance; not what a head saw that stood.
            if isHeldAgainst || isDenied && !self[axis].proof.isSure { change(axis) { $0.proof.doubt() } }
            if isHeldAgainst {
                pan.proof.doubtMount()
                tilt.proof.doubtMount()
            }
            // What is accused by chance has an alibi from moment to moment; what is wrong has none.
            if let fault, self[axis].proof.allows(fault) {
                verdict = Verdict(axis: axis, fault: fault)
                return
            }
            holdIfSuspicious(axis, period: exposure - before, now: now)
        }
    }

    /// Where the face is now it may have come to from where it was, whatever is true of the rig.
    private func continues(_ raw: SignLooks) -> Bool {
        guard let latest else { return false }
        let free = Self.unprovenSpeed * (raw.pan.time - latest.pan.time)
        func isNear(_ a: SignLook, _ b: SignLook, _ deviation: Double) -> Bool {
            let steps = b.places - a.places
            return pointwiseMax(steps, -steps).min() < max(Self.stride, Self.surprise * deviation) + free
        }
        return isNear(latest.pan, raw.pan, pan.proof.tremble.deviation)
            && isNear(latest.tilt, raw.tilt, tilt.proof.tremble.deviation)
    }

    private mutating func beginBurst(_ error: PanTilt, now: Seconds) {
        // One axis after the other, where both have far to go: a picture that lies on its side looks upright to a head that
        // turns aslant.
        let isAslant = !isProven(.pan) && !isProven(.tilt) && min(abs(error.pan), abs(error.tilt)) > Self.aslant
        let axis: Axis? = isAslant ? (burst?.axis == .pan ? .tilt : .pan) : nil
        burst = Burst(from: now, period: period, fastest: fastest, axis: axis)
    }

    private mutating func seeQuickly(_ look: Look, at exposure: Seconds, now: Seconds) {
        for axis in Axis.allCases {
            // The middle of what the edge cuts off moves otherwise than the face.
            guard let (part, bearing) = look.outline.whole(axis) else { continue }
            let seen = SignLook(
                time: exposure, bearing: bearing, own: look.pose[axis], other: look.pose[axis.other])
            let noise = look.outline.noise(axis), error = pursuit.error(axis, at: now), coverage = pursuit.coverage
            change(axis) {
                if part != $0.part { $0.proof.breakOff() }
                $0.part = part
                $0.proof.look(seen, noise: noise, coverage: coverage, error: error)
            }
        }
    }

    /// The two earlier looks with which the one at `exposure` is compared. A subject that has just come has none that are
    /// far enough apart: a head that turns the wrong way loses it before, so nearer ones must do.
    private func compared(
        _ exposure: Seconds
    ) -> (first: (time: Seconds, value: Look), last: (time: Seconds, value: Look))? {
        compared(exposure, spacing: Self.spacing) ?? compared(exposure, spacing: Self.leastSpacing)
    }

    private func compared(
        _ exposure: Seconds, spacing: Seconds
    ) -> (first: (time: Seconds, value: Look), last: (time: Seconds, value: Look))? {
        guard let last = looks.last(notAfter: exposure - spacing), let first = looks.last(notAfter: last.time - spacing)
        else { return nil }
        return (first, last)
    }

    subscript(axis: Axis) -> AxisSigns { axis == .pan ? pan : tilt }

    @discardableResult
    mutating func change<Result>(_ axis: Axis, _ use: (inout AxisSigns) -> Result) -> Result {
        axis == .pan ? use(&pan) : use(&tilt)
    }
}

extension Axis {
    fileprivate var other: Axis { self == .pan ? .tilt : .pan }
}
