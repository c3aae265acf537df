public import Geometry

/// Checks that the axes do what was commanded: it receives commands and measured motion, and returns a verdict.
///
/// The motion that a command should cause is known only roughly. Latency, lag, acceleration and top speed of a rig
/// differ from its profile, set-points get lost, and reports arrive late. An axis is therefore judged against an
/// envelope. It may be anywhere between the smallest and the largest velocity that was commanded within the time during
/// which a command may still have an effect. Positions are compared with that envelope, not velocities: the noise of a
/// position does not grow with time.
public struct FollowingErrorDetector: Sendable, Equatable {
    /// A failure of an axis.
    public struct Verdict: Sendable, Equatable {
        /// The kind of failure.
        public enum Kind: String, Sendable {
            /// The axis is commanded to turn, but does not.
            case stall
            /// The axis turns much less than commanded, because of a load or a hand.
            case behind
            /// The axis turns without a command, against it or beyond it.
            case uncommanded
            /// The axis was commanded to turn, perhaps in many short commands or for a long time, and was never seen to
            /// move. It is blocked, or its encoder is dead.
            case unseen
            /// The axis is commanded to turn more slowly than some motors can, for a long time, and does not move. This
            /// is not a fault, but its motion cannot be observed.
            case creep
        }

        /// The axis.
        public var axis: Axis
        /// The kind of failure.
        public var kind: Kind
        /// The direction of the command for `stall`, `behind`, `unseen` and `creep`, of the motion for `uncommanded`; -1
        /// or +1.
        public var direction: Double
        /// Whether the axis was commanded in that direction a moment ago, and presses against what blocks it.
        public var presses = true

        /// Creates a verdict from the axis, the kind of failure and its direction (-1 or +1).
        public init(axis: Axis, kind: Kind, direction: Double, presses: Bool = true) {
            self.axis = axis
            self.kind = kind
            self.direction = direction
            self.presses = presses
        }

        /// The fault to which the verdict leads.
        public var fault: DockFault { kind == .stall || kind == .unseen ? .stall : .followingError }
        /// Whether a small motion back can free the axis from the obstacle. An axis that moves on its own ignores
        /// commands and is only stopped.
        public var mayRetreat: Bool { presses && (kind == .stall || kind == .behind || kind == .unseen) }
        /// Returns the text for the log: what happened, and what to check. Names the link as a possible cause if the
        /// rig may be deaf (`DriverAbilities.showsDeafness`).
        public func text(mayBeDeaf: Bool) -> String {
            switch kind {
            case .stall where mayBeDeaf:
                "\(axis.rawValue) does not turn although commanded to: something blocks it, or the rig receives no commands; "
                    + "free it, check its cable, then type `dockface clear`"
            case .stall:
                "\(axis.rawValue) does not turn although commanded to: something blocks it; free it, then type `dockface clear`"
            case .unseen:
                "\(axis.rawValue) should have turned \(Int(UnseenWatch.path.inDegrees.rounded())) degrees and has not been seen to move: "
                    + "something blocks it, its encoder is dead"
                    + (mayBeDeaf ? ", or the rig receives no commands" : "")
                    + "; free it, check its wiring, then type `dockface clear`"
            case .behind:
                "\(axis.rawValue) turns much less than commanded: a load or a hand holds it; free it, then type `dockface clear`"
            case .uncommanded:
                "\(axis.rawValue) turns without a command: stopped; check its motor and wiring, then type `dockface clear`"
            case .creep:
                "\(axis.rawValue) should have turned \(Int(UnseenWatch.creepPath.inDegrees.rounded())) degrees slowly and has not been "
                    + "seen to move: stopped; try a faster motion to find out whether its motor and its encoder work"
            }
        }
    }

    /// The commanded speed below which `PressWatch` detects a stall by the commanded path, and not at once, in rad/s.
    static let stallSpeed = Double.degrees(10)
    /// The time that a stall must last, in seconds. It is shorter than the half second after which our own dock latches
    /// by itself.
    static let stallTime: Seconds = 0.4
    /// The fraction of the commanded motion below which an axis counts as stalled.
    static let stallShare = 0.1
    /// The fraction of the commanded motion above which an axis is slow and not held, for example because of batteries,
    /// cold grease or a wrong profile.
    static let slowShare = 0.4
    /// The speed below which commands reveal nothing about a load because of stiction and play, in rad/s.
    static let slowSpeed = Double.degrees(6)
    /// The factor and the speed (rad/s) by which an axis may exceed the envelope before it counts as moving on its own.
    static let excessShare = 1.15
    static let excessSpeed = Double.degrees(3)
    /// The distance from the envelope that counts as a fault, in radians: sixteen times the noise of a cheap encoder.
    static let tolerance = Double.degrees(4)
    /// The silence of the dock after which the sums start again, in seconds.
    static let longestGap: Seconds = 0.5
    /// The time for which a dock keeps the previous command if one is lost, in seconds: until its deadman stops it.
    static let deadman: Seconds = 0.25
    /// The time after its last command for which an axis still counts as pressing against an obstacle, in seconds.
    /// After that, its motion becomes known too late.
    static let pressing: Seconds = 0.8

    private let axes: [AxisWatch.Figures]
    private var pan = AxisWatch()
    private var tilt = AxisWatch()
    private var commands = Recent<PanTilt>(capacity: 160)
    private var path = CommandedPath()
    private var panUnseen = UnseenWatch(), tiltUnseen = UnseenWatch()
    private var raw = Recent<PanTilt>(capacity: 3)
    private var poses = Recent<PanTilt>(capacity: 80)

    /// Creates a watch for a rig.
    public init(profile: RigProfile) {
        axes = Axis.allCases.map { axis in
            let own = profile[axis]
            let settle = profile.commandLatency + 2 * own.lag
            return AxisWatch.Figures(
                settle: settle,
                effectTime: settle + own.lag + own.maxSpeed / (0.5 * own.maxAcceleration) + Self.deadman + 0.05)
        }
    }

    /// Starts again after the dock stopped by itself or disappeared, or a clock jumped. Commanded motion that has not
    /// yet been seen remains counted.
    public mutating func reset() {
        commands.removeAll()
        resetMotion()
    }

    /// Discards the measured motion, but not the commands: the dock may still be slowing down.
    public mutating func resetMotion() {
        raw.removeAll()
        poses.removeAll()
        pan = AxisWatch()
        tilt = AxisWatch()
        refused()
    }

    /// Records that the dock rejected something. Commands that it did not accept do not count against its axes.
    public mutating func refused() {
        panUnseen.interrupt()
        tiltUnseen.interrupt()
    }

    /// Starts again after a person has checked the axes or released them. It also discards commanded motion that was
    /// never seen.
    public mutating func resetAll() {
        resetMotion()
        panUnseen.forget()
        tiltUnseen.forget()
    }

    /// Records a set-point that was written, in rad/s; a stop is zero.
    public mutating func commanded(_ velocity: PanTilt, at now: Seconds) {
        commands.append(velocity, at: now)
        path.commanded(velocity, at: now)
        pan.commanded(velocity.pan, at: now)
        tilt.commanded(velocity.tilt, at: now)
    }

    /// Records a reported pose.
    /// - Parameters:
    ///   - sample: the pose and its time.
    ///   - deadmanTripped: the dock reports that its deadman stopped it, or that it receives nothing. The line is at
    ///     fault, not an axis.
    ///   - now: CLOCK_MONOTONIC. If nil, the time of the sample is used.
    /// - Returns: the verdict, or nil if nothing is wrong.
    public mutating func measured(
        _ sample: MotionSample, deadmanTripped: Bool = false, now: Seconds? = nil
    ) -> Verdict? {
        guard !deadmanTripped else {
            reset()
            return nil
        }
        if let last = raw.newest, sample.time - last.time > Self.longestGap || sample.time <= last.time {
            guard sample.time > last.time else { return nil }
            raw.removeAll()
            poses.removeAll()
            pan.forgetSums()
            tilt.forgetSums()
        }
        raw.append(sample.pose, at: sample.time)
        guard raw.count == 3 else { return nil }
        // The median of three: a single outlier is not motion.
        let (a, b, c) = (raw[0], raw[1], raw[2])
        let pose = PanTilt(
            pan: Self.middle(a.value.pan, b.value.pan, c.value.pan),
            tilt: Self.middle(a.value.tilt, b.value.tilt, c.value.tilt))
        let before = poses.newest
        poses.append(pose, at: b.time)
        guard let before else { return nil }
        for (index, axis) in Axis.allCases.enumerated() {
            let figures = axes[index]
            let inForce = commands.bounds(axis, from: before.time - figures.effectTime, to: b.time + 0.02)
            var sums = axis == .pan ? pan : tilt
            let exact = commands.bounds(axis, from: before.time - figures.settle, to: b.time - figures.settle)
            let elapsed = b.time - before.time
            let unseen = noteUnseen(axis, at: pose[axis], time: b.time, elapsed: elapsed, settle: figures.settle)
            let finding =
                sums.moved(pose[axis] - before.value[axis], in: elapsed, commanded: inForce)
                ?? sums.stalled(axis, figures, poses: poses, now: b.time)
                ?? sums.pressed(at: pose[axis], in: elapsed, commanded: exact)
                ?? sums.pushed(at: pose[axis], in: elapsed, commanded: exact)
                ?? unseen
            if axis == .pan { pan = sums } else { tilt = sums }
            if let finding {
                let now = now ?? sample.time, recent = commands.bounds(axis, from: now - Self.pressing, to: now)
                let presses = finding.direction > 0 ? recent.upperBound > 0 : recent.lowerBound < 0
                if finding.kind != .creep { reset() }
                return Verdict(axis: axis, kind: finding.kind, direction: finding.direction, presses: presses)
            }
        }
        return nil
    }

    private mutating func noteUnseen(
        _ axis: Axis, at position: Double, time: Seconds, elapsed: Seconds, settle: Seconds
    ) -> AxisWatch.Finding? {
        var unseen = axis == .pan ? panUnseen : tiltUnseen
        let finding = unseen.moved(
            to: position, at: time, elapsed: elapsed, settle: settle, path: path, axis: axis)
        if axis == .pan { panUnseen = unseen } else { tiltUnseen = unseen }
        return finding
    }

    private static func middle(_ a: Double, _ b: Double, _ c: Double) -> Double { max(min(a, b), min(max(a, b), c)) }
}

/// The sums of one axis.
struct AxisWatch: Sendable, Equatable {
    /// Values that follow from the profile.
    struct Figures: Sendable, Equatable {
        /// The delay from a command until its effect is visible, in seconds.
        var settle: Seconds
        /// The time for which a command may still have an effect, in seconds.
        var effectTime: Seconds
    }

    typealias Finding = (kind: FollowingErrorDetector.Verdict.Kind, direction: Double)

    /// The excess over the envelope upward and downward, and the shortfall behind it, in radians, >= 0.
    private var above = 0.0, below = 0.0, behind = 0.0
    private var steadySign = 0.0
    private var steadySince: Seconds = 0

    private var press = PressWatch(), push = PushWatch()

    mutating func forgetSums() {
        (above, below, behind) = (0, 0, 0)
        (press, push) = (PressWatch(), PushWatch())
    }

    mutating func commanded(_ velocity: Double, at now: Seconds) {
        let sign = abs(velocity) > FollowingErrorDetector.stallSpeed ? (velocity < 0 ? -1.0 : 1) : 0
        guard sign != steadySign else { return }
        steadySign = sign
        steadySince = now
    }

    /// Adds a motion by `angle` during `time`, while velocities within `commanded` were in force.
    mutating func moved(_ angle: Double, in time: Seconds, commanded: ClosedRange<Double>) -> Finding? {
        typealias Detector = FollowingErrorDetector
        let highest = max(commanded.upperBound, 0) * Detector.excessShare + Detector.excessSpeed
        let lowest = min(commanded.lowerBound, 0) * Detector.excessShare - Detector.excessSpeed
        above = max(0, above + angle - highest * time)
        below = max(0, below - angle + lowest * time)
        let tolerance = SafetyMutant.reportsFalseFault.isOn ? .degrees(0.2) : Detector.tolerance
        if above > tolerance { return (.uncommanded, 1) }
        if below > tolerance { return (.uncommanded, -1) }
        let slowest = commanded.lowerBound > Detector.slowSpeed ? commanded.lowerBound : -commanded.upperBound
        guard slowest > Detector.slowSpeed else {
            behind = 0
            return nil
        }
        let sign = commanded.lowerBound > 0 ? 1.0 : -1
        behind = max(0, behind + Detector.slowShare * slowest * time - sign * angle)
        return behind > Detector.tolerance ? (.behind, sign) : nil
    }

    /// Checks for an axis that was commanded slowly for a long time and did not move; `commanded`: the velocities that
    /// should have become visible meanwhile.
    mutating func pressed(at position: Double, in time: Seconds, commanded: ClosedRange<Double>) -> Finding? {
        press.moved(to: position, in: time, commanded: commanded).map { (.stall, $0) }
    }

    /// Checks for an axis that was commanded in repeated short pushes and did not move; `commanded` as above.
    mutating func pushed(at position: Double, in time: Seconds, commanded: ClosedRange<Double>) -> Finding? {
        push.moved(to: position, in: time, commanded: commanded).map { (.stall, $0) }
    }

    /// Checks for an axis that was commanded to turn the whole time and is not where it should be.
    func stalled(_ axis: Axis, _ figures: Figures, poses: Recent<PanTilt>, now: Seconds) -> Finding? {
        let from = now - FollowingErrorDetector.stallTime
        guard steadySign != 0, from >= steadySince + figures.settle else { return nil }
        guard let old = poses.last(notAfter: from), old.time >= steadySince + figures.settle else { return nil }
        guard let newest = poses.newest else { return nil }
        let progress = (newest.value[axis] - old.value[axis]) * steadySign
        let least = FollowingErrorDetector.stallSpeed * (now - old.time)
        return progress < FollowingErrorDetector.stallShare * least ? (.stall, steadySign) : nil
    }
}
