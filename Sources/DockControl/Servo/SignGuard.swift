public import Geometry

/// Makes sure that the picture moves against the dock: a camera on the head that turns right sees the world go left.
///
/// Three stories are told about the same sightings: the picture moves against the dock (as it should), with it (an axis or
/// the picture is the wrong way round), or not at all (the camera is not on the head). Each story makes another path of the
/// person in the room out of bearing and pose, and people do not move by jerks: the story whose path is the smoothest gains,
/// the others lose. What a person does at a constant speed speaks for none of them, so that somebody who walks and is
/// followed perfectly accuses nobody.
///
/// "Not at all" and "follows perfectly" look alike. So where the dock turns toward a face that comes no nearer, it is held
/// still for a moment: a face that then goes on standing in the picture is accused, one that goes on walking is not.
public struct SignGuard: Sendable, Equatable {
    /// What was found.
    public struct Verdict: Sendable, Equatable {
        /// Which axis.
        public var axis: Axis
        /// `signSuspect` or `pictureDoesNotFollow`.
        public var fault: DockFault

        /// An axis and its fault.
        public init(axis: Axis, fault: DockFault) {
            self.axis = axis
            self.fault = fault
        }

        /// The line of the profile that is wrong, the likeliest first.
        public var lines: [String] { Self.lines(fault, axis) }

        static func lines(_ fault: DockFault, _ axis: Axis) -> [String] {
            guard fault == .signSuspect else { return ["camera.mount"] }
            return axis == .pan ? ["pan.invert", "camera.mirror"] : ["tilt.invert", "camera.rotate"]
        }

        /// What to mend, as an imperative; where the axis is not known, for both.
        static func advice(_ fault: DockFault, _ axis: Axis? = nil) -> String {
            func lines(_ axis: Axis) -> String { Self.lines(fault, axis).map { "`\($0)`" }.joined(separator: " or ") }
            let which =
                if let axis { lines(axis) } else if fault == .signSuspect {
                    "\(lines(.pan)) where pan is wrong, \(lines(.tilt)) where tilt is,"
                } else { lines(.pan) }
            return "mend \(which) in the profile (see `dockface check`)"
        }

        /// For the log: what happened and what to mend.
        public var text: String {
            let what =
                fault == .signSuspect
                ? "the picture moves with \(axis.rawValue) instead of against it"
                : "the picture does not move although \(axis.rawValue) turns"
            return "\(what): stopped; \(Self.advice(fault, axis)), then type `clear`"
        }
    }

    /// One look at the subject: where it lay in the picture, where the dock was, and how far off its place it was; radians.
    struct Look: Sendable, Equatable {
        var outline: FaceOutline
        var pose: PanTilt
        var error: PanTilt
    }

    /// On which side of the head the face has stayed (-1, +1; 0: about where it should be), and where the head was when that began.
    private struct Side: Sendable, Equatable {
        var side: Double
        var pose: Double
    }

    /// What was found; latched until `reset`.
    public private(set) var verdict: Verdict?
    /// Until when each axis is to stand still so that the picture can tell; CLOCK_MONOTONIC, 0: never.
    public private(set) var holdUntil = PanTilt.zero

    private let fastest: Double
    private var looks = Recent<Look>(capacity: 48)
    private var subject: Int?
    /// Where the dock was when it began to look at this subject, radians.
    private var start: PanTilt?
    /// Where it last stood still to ask, or began, radians.
    private var asked: PanTilt?
    private var pan = SignEvidence()
    private var tilt = SignEvidence()
    private var quickPan = SignProof()
    private var quickTilt = SignProof()
    private var panSide = Side(side: 0, pose: 0)
    private var tiltSide = Side(side: 0, pose: 0)
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
    /// A gap longer than this begins anew, seconds.
    static let longestGap: Seconds = 0.7
    /// A dock that has proven nothing is asked anew after turning so far, radians.
    static let longestUnasked = Double.degrees(15)
    /// ... and after so far, however little the last answers said, unless they spoke for a right rig, radians.
    static let farUnasked = Double.degrees(45)
    /// A dock that has proven its signs, but not lately, is asked when it has turned so far after a face that stays on one side of it,
    /// however slowly, radians.
    static let farOneSided = Double.degrees(60)

    /// Knows nothing of a rig that turns no faster than `fastest`, rad/s.
    public init(fastest: Double = .infinity) { self.fastest = fastest }

    /// How fast tracking may turn an axis at `now`, rad/s: not at all while the picture is asked; in bursts until it has
    /// answered once.
    public func most(_ axis: Axis, now: Seconds) -> Double {
        if now < holdUntil[axis] { return 0 }
        if isProven(axis) || SafetyMutant.unprovenFast.isOn { return .infinity }
        // Somebody has turned it to where nothing can be told, and now it is on its way back.
        guard let burst, now < burst.end + Self.longestGap else { return Self.blindSpeed }
        return now < burst.end ? burst.speed : 0
    }

    /// The axis was seen to be right, and nothing has spoken against it since.
    func isProven(_ axis: Axis) -> Bool {
        (axis == .pan ? pan : tilt).isProven || (axis == .pan ? quickPan : quickTilt).isProven
    }

    private func isSure(_ axis: Axis) -> Bool { (axis == .pan ? quickPan : quickTilt).isSure }

    /// Forgets what it has seen of the subject, not what it has learnt of the rig.
    public mutating func pause() {
        looks.removeAll()
        subject = nil
        start = nil
        asked = nil
        holdUntil = .zero
        pan.beginSubject()
        tilt.beginSubject()
        quickPan.beginSubject()
        quickTilt.beginSubject()
        (panSide, tiltSide) = (Side(side: 0, pose: 0), Side(side: 0, pose: 0))
    }

    /// Forgets everything: another dock, another camera, a fault that was cleared.
    public mutating func reset() { self = SignGuard(fastest: fastest) }

    /// The subject was seen.
    /// - Parameters:
    ///   - new: its number; another one begins anew.
    ///   - outline: where it lies in the picture.
    ///   - pose: where the dock was at the exposure, radians.
    ///   - error: how far the dock had still to turn then, radians.
    ///   - exposure: CLOCK_MONOTONIC.
    ///   - now: CLOCK_MONOTONIC.
    public mutating func sighted(
        subject new: Int, outline: FaceOutline, pose: PanTilt, error: PanTilt, exposure: Seconds, now: Seconds
    ) {
        guard verdict == nil else { return }
        if subject != new || (looks.newest.map { exposure - $0.time > Self.longestGap } ?? false) { pause() }
        subject = new
        start = start ?? pose
        asked = asked ?? pose
        guard looks.newest.map({ exposure > $0.time }) ?? true else { return }
        let before = looks.newest?.time
        if let before { period += 0.2 * ((exposure - before).clamped(to: 0.02...0.25) - period) }
        if burst.map({ now >= $0.next }) ?? true { burst = Burst(from: now, period: period, fastest: fastest) }
        looks.append(Look(outline: outline, pose: pose, error: error), at: exposure)
        seeQuickly(outline, from: pose, at: exposure)
        guard let before, let (first, last) = compared(exposure) else { return }
        let share = ((exposure - before) / (exposure - last.time)).clamped(to: 0...1)
        for axis in Axis.allCases {
            let travel = abs(pose[axis] - (start?[axis] ?? pose[axis]))
            let seen = FaceOutline.bearings(first.value.outline, last.value.outline, outline, axis)
            let triple = seen.map {
                SignEvidence.Triple(
                    bearing: $0, pose: (first.value.pose[axis], last.value.pose[axis], pose[axis]),
                    times: (first.time, last.time, exposure), noise: outline.noise(axis),
                    isNear: last.time > exposure - Self.spacing || first.time > last.time - Self.spacing)
            }
            let (fault, isDenied, isHeldAgainst) = evidence(axis) {
                if let triple { $0.add(triple, share: share) }
                return ($0.fault(travel: travel), $0.deniesProof, $0.beginsToAccuse())
            }
            // What turns as quickly as a motor outweighs what people may do by chance; not what a head saw that stood.
            if isHeldAgainst || isDenied && !isSure(axis) { doubtProof(axis) }
            // What is accused by chance has an alibi from moment to moment; what is wrong has none.
            if let fault, (axis == .pan ? quickPan : quickTilt).allows(fault) {
                verdict = Verdict(axis: axis, fault: fault)
                return
            }
            holdIfSuspicious(axis, period: exposure - before, now: now)
        }
    }

    private mutating func seeQuickly(_ outline: FaceOutline, from pose: PanTilt, at exposure: Seconds) {
        // The middle of what the edge cuts off moves otherwise than the face.
        if let bearing = outline.middle(.pan) {
            quickPan.look(bearing, from: pose.pan, at: exposure, noise: outline.noise(.pan))
        }
        if let bearing = outline.middle(.tilt) {
            quickTilt.look(bearing, from: pose.tilt, at: exposure, noise: outline.noise(.tilt))
        }
    }

    private mutating func doubtProof(_ axis: Axis) {
        if axis == .pan { quickPan.doubt() } else { quickTilt.doubt() }
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

    /// Where it turned toward the face and came no nearer: hold still.
    private mutating func holdIfSuspicious(_ axis: Axis, period: Seconds, now: Seconds) {
        guard let newest = looks.newest else { return }
        let isFresh = (axis == .pan ? quickPan : quickTilt).isFresh
        let sided = oneSided(axis, newest.value, isFresh: isFresh)
        let anchor = asked?[axis] ?? newest.value.pose[axis]
        let unasked = isProven(axis) ? 0 : abs(newest.value.pose[axis] - anchor)
        guard
            newest.time >= evidence(axis, { $0.nextHold })
                || (unasked >= Self.farUnasked && evidence(axis, { $0.fixed }) >= 0)
        else { return }
        let error = newest.value.error[axis], side = error < 0 ? -1.0 : 1
        // It was seen to be right a moment ago.
        guard !isFresh else { return }
        if sided >= Self.farOneSided { return hold(axis, period: period, now: now) }
        let isTrusted = evidence(axis) { $0.isTrusted } || isSure(axis)
        let far = (abs(error) >= .degrees(4) ? Double.degrees(4) : .degrees(8)) * (isTrusted ? 6 : 1)
        if unasked >= Self.longestUnasked { return hold(axis, period: period, now: now) }
        guard abs(error) >= .degrees(1) else { return }
        for back in 2...max(2, looks.count) where back <= looks.count {
            let old = looks[looks.count - back]
            // Only as long as it was on that side all the time.
            guard old.value.error[axis] * side > 0 else { return }
            let travel = (newest.value.pose[axis] - old.value.pose[axis]) * side
            guard travel >= far else { continue }
            // A face that stands comes nearer by as much as the head turns; half of it says that all is well, and so does a third
            // of the way.
            let before = abs(old.value.error[axis])
            guard abs(error) >= max(0.7 * before, before - 0.5 * travel) else { return }
            return hold(axis, period: period, now: now)
        }
    }

    /// How far an axis has turned toward a face that has stayed on that side of it all the time, and told nothing, radians.
    private mutating func oneSided(_ axis: Axis, _ look: Look, isFresh: Bool) -> Double {
        let error = look.error[axis], pose = look.pose[axis]
        let side = abs(error) < .degrees(1) || isFresh ? 0 : error < 0 ? -1.0 : 1
        var since = axis == .pan ? panSide : tiltSide
        if side == 0 || since.side != side { since = Side(side: side, pose: pose) }
        if axis == .pan { panSide = since } else { tiltSide = since }
        return (pose - since.pose) * side
    }

    private mutating func hold(_ axis: Axis, period: Seconds, now: Seconds) {
        guard let newest = looks.newest else { return }
        if axis == .pan { panSide.side = 0 } else { tiltSide.side = 0 }
        let until = now + 0.3 + 2.5 * period.clamped(to: 0.03...0.25)
        holdUntil[axis] = until
        asked?[axis] = newest.value.pose[axis]
        evidence(axis) { $0.hold(from: newest.time, until: until) }
    }

    @discardableResult
    private mutating func evidence<Result>(_ axis: Axis, _ use: (inout SignEvidence) -> Result) -> Result {
        axis == .pan ? use(&pan) : use(&tilt)
    }
}
