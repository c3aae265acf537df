public import Geometry

/// Watches that the axes do what they are told: commands and measured motion in, a verdict out.
///
/// What the commands should have brought about is known only roughly: latency, lag, acceleration and top speed of a rig
/// differ from its profile, set-points get lost, reports come late. So an axis is judged against an envelope: it may be
/// anywhere between the smallest and the largest velocity that was commanded within the time a rig may remember. Against
/// that envelope, positions are summed up, not velocities: noise of a position does not grow with time.
public struct FollowingWatch: Sendable, Equatable {
    /// What is wrong with an axis.
    public struct Verdict: Sendable, Equatable {
        /// How it fails.
        public enum Kind: String, Sendable {
            /// It is told to turn and does not.
            case stall
            /// It turns much less than it is told: a load, a hand.
            case behind
            /// It turns without a command, against it or beyond it.
            case astray
            /// It was told to turn, again and again perhaps, or for long, and was never seen to: blocked, or its encoder is dead.
            case unseen
            /// It is told to turn more slowly than some motors can, for long, and does not: no fault, but nobody sees what it does.
            case creep
        }

        /// Which axis.
        public var axis: Axis
        /// How.
        public var kind: Kind
        /// Which way: of the command for `stall`, `behind`, `unseen` and `creep`, of the motion for `astray`; -1 or +1.
        public var direction: Double
        /// It was told to turn that way a moment ago, and presses against what blocks it.
        public var presses = true

        /// An axis, how it fails, and which way (-1 or +1).
        public init(axis: Axis, kind: Kind, direction: Double, presses: Bool = true) {
            self.axis = axis
            self.kind = kind
            self.direction = direction
            self.presses = presses
        }

        /// The fault that it is.
        public var fault: DockFault { kind == .stall || kind == .unseen ? .stall : .followingError }
        /// Whether going back a little can free what is in the way. An axis astray obeys nobody: it is only stopped.
        public var mayRetreat: Bool { presses && (kind == .stall || kind == .behind || kind == .unseen) }
        /// For the log: what happened and what to look after; of a rig that may be deaf (`DriverAbilities.showsDeafness`) that, too.
        public func text(mayBeDeaf: Bool) -> String {
            switch kind {
            case .stall where mayBeDeaf:
                "\(axis.rawValue) does not turn although it is told to: something blocks it, or the rig does not hear; free it, "
                    + "look after its cable, then type `clear`"
            case .stall:
                "\(axis.rawValue) does not turn although it is told to: something blocks it; free it, then type `clear`"
            case .unseen:
                "\(axis.rawValue) was told to turn \(Int(UnseenWatch.path.inDegrees.rounded())) degrees and has not been seen to move: "
                    + "something blocks it, its encoder is dead" + (mayBeDeaf ? ", or the rig does not hear" : "")
                    + "; free it, check its wiring, then type `clear`"
            case .behind:
                "\(axis.rawValue) turns much less than it is told: a load or a hand holds it; free it, then type `clear`"
            case .astray:
                "\(axis.rawValue) turns as nobody told it: stopped; look after motor and wiring, then type `clear`"
            case .creep:
                "\(axis.rawValue) was told to turn \(Int(UnseenWatch.creepPath.inDegrees.rounded())) degrees slowly and has not been "
                    + "seen to move: stopped; try a faster motion, which shows whether its motor and its encoder work"
            }
        }
    }

    /// Below this command a stall is not seen at once but by the path that was commanded: `PressWatch`; rad/s.
    static let stallSpeed = Double.degrees(10)
    /// A stall lasts so long, seconds; shorter than the half second after which our own dock latches by itself.
    static let stallTime: Seconds = 0.4
    /// Of what was commanded, a stalled axis does less than this share.
    static let stallShare = 0.1
    /// An axis that does this share of what it is told is slow, not held: batteries, cold grease, a wrong profile.
    static let slowShare = 0.4
    /// Commands below this tell nothing about a load: stiction, play, rad/s.
    static let slowSpeed = Double.degrees(6)
    /// Beyond the envelope by a share and by a speed is still no motion of its own, rad/s.
    static let excessShare = 1.15
    static let excessSpeed = Double.degrees(3)
    /// So far from the envelope is a fault, radians; sixteen times the noise of a cheap encoder.
    static let tolerance = Double.degrees(4)
    /// After a silence of the dock longer than this the sums begin anew, seconds.
    static let longestGap: Seconds = 0.5
    /// What a dock does with a command that got lost: it keeps the one before, up to its deadman, seconds.
    static let deadman: Seconds = 0.25
    /// An axis presses against what blocks it for so long after it was last told to, seconds: what it then does is known too late.
    static let pressing: Seconds = 0.8

    private let axes: [AxisWatch.Figures]
    private var pan = AxisWatch()
    private var tilt = AxisWatch()
    private var commands = Recent<PanTilt>(capacity: 160)
    private var path = CommandedPath()
    private var panUnseen = UnseenWatch(), tiltUnseen = UnseenWatch()
    private var raw = Recent<PanTilt>(capacity: 3)
    private var poses = Recent<PanTilt>(capacity: 80)

    /// For a rig.
    public init(profile: RigProfile) {
        axes = Axis.allCases.map { axis in
            let own = profile[axis]
            let settle = profile.commandLatency + 2 * own.lag
            return AxisWatch.Figures(
                settle: settle,
                memory: settle + own.lag + own.maxSpeed / (0.5 * own.maxAcceleration) + Self.deadman + 0.05)
        }
    }

    /// Begins again: a stop of the dock's own, no dock, a clock that jumped. What an axis was told and has not been seen to do
    /// before that is remembered.
    public mutating func reset() {
        commands.removeAll()
        forgive()
    }

    /// Forgets how the dock has followed, not what it was told: it may still be slowing down.
    public mutating func forgive() {
        raw.removeAll()
        poses.removeAll()
        pan = AxisWatch()
        tilt = AxisWatch()
        refused()
    }

    /// The dock has refused something: commands that it did not take are not held against its axes.
    public mutating func refused() {
        panUnseen.interrupt()
        tiltUnseen.interrupt()
    }

    /// A person has seen to the axes, or has let go of them: also forgets what they were told and have not been seen to do.
    public mutating func forget() {
        forgive()
        panUnseen.forget()
        tiltUnseen.forget()
    }

    /// A set-point was written; a stop is zero. rad/s.
    public mutating func commanded(_ velocity: PanTilt, at now: Seconds) {
        commands.append(velocity, at: now)
        path.commanded(velocity, at: now)
        pan.commanded(velocity.pan, at: now)
        tilt.commanded(velocity.tilt, at: now)
    }

    /// The dock said where it is.
    /// - Parameters:
    ///   - sample: where it is, and since when.
    ///   - deadmanTripped: it has stopped by itself since it heard nothing, or has heard nothing: the line is at fault, not an axis.
    ///   - now: CLOCK_MONOTONIC; nil: when it was there.
    /// - Returns: what is wrong; nil: nothing.
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
        // The middle of three: one wild reading is no motion.
        let (a, b, c) = (raw[0], raw[1], raw[2])
        let pose = PanTilt(
            pan: Self.middle(a.value.pan, b.value.pan, c.value.pan),
            tilt: Self.middle(a.value.tilt, b.value.tilt, c.value.tilt))
        let before = poses.newest
        poses.append(pose, at: b.time)
        guard let before else { return nil }
        for (index, axis) in Axis.allCases.enumerated() {
            let figures = axes[index]
            let told = commands.bounds(axis, from: before.time - figures.memory, to: b.time + 0.02)
            var sums = axis == .pan ? pan : tilt
            let exact = commands.bounds(axis, from: before.time - figures.settle, to: b.time - figures.settle)
            let elapsed = b.time - before.time
            let unseen = noteUnseen(axis, at: pose[axis], time: b.time, elapsed: elapsed, settle: figures.settle)
            let finding =
                sums.moved(pose[axis] - before.value[axis], in: elapsed, told: told)
                ?? sums.stalled(axis, figures, poses: poses, now: b.time)
                ?? sums.pressed(at: pose[axis], in: elapsed, told: exact)
                ?? sums.pushed(at: pose[axis], in: elapsed, told: exact)
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
    /// What follows from the profile.
    struct Figures: Sendable, Equatable {
        /// From a command until it shows, seconds.
        var settle: Seconds
        /// How long a command may still show, seconds.
        var memory: Seconds
    }

    typealias Finding = (kind: FollowingWatch.Verdict.Kind, direction: Double)

    /// Beyond the envelope upward and downward, and behind it; radians, >= 0.
    private var above = 0.0, below = 0.0, behind = 0.0
    private var steadySign = 0.0
    private var steadySince: Seconds = 0

    private var press = PressWatch(), push = PushWatch()

    mutating func forgetSums() {
        (above, below, behind) = (0, 0, 0)
        (press, push) = (PressWatch(), PushWatch())
    }

    mutating func commanded(_ velocity: Double, at now: Seconds) {
        let sign = abs(velocity) > FollowingWatch.stallSpeed ? (velocity < 0 ? -1.0 : 1) : 0
        guard sign != steadySign else { return }
        steadySign = sign
        steadySince = now
    }

    /// It moved by an angle in a time, while velocities within `told` were in force.
    mutating func moved(_ angle: Double, in time: Seconds, told: ClosedRange<Double>) -> Finding? {
        typealias Watch = FollowingWatch
        above = max(0, above + angle - (max(told.upperBound, 0) * Watch.excessShare + Watch.excessSpeed) * time)
        below = max(0, below - angle + (min(told.lowerBound, 0) * Watch.excessShare - Watch.excessSpeed) * time)
        let tolerance = SafetyMutant.accusesRashly.isOn ? .degrees(0.2) : Watch.tolerance
        if above > tolerance { return (.astray, 1) }
        if below > tolerance { return (.astray, -1) }
        let slowest = told.lowerBound > Watch.slowSpeed ? told.lowerBound : -told.upperBound
        guard slowest > Watch.slowSpeed else {
            behind = 0
            return nil
        }
        let sign = told.lowerBound > 0 ? 1.0 : -1
        behind = max(0, behind + Watch.slowShare * slowest * time - sign * angle)
        return behind > Watch.tolerance ? (.behind, sign) : nil
    }

    /// Told to turn slowly for long, and not moved at all; `told`: what should have shown meanwhile.
    mutating func pressed(at position: Double, in time: Seconds, told: ClosedRange<Double>) -> Finding? {
        press.moved(to: position, in: time, told: told).map { (.stall, $0) }
    }

    /// Told to turn again and again, shortly each time, and not moved at all; `told` as above.
    mutating func pushed(at position: Double, in time: Seconds, told: ClosedRange<Double>) -> Finding? {
        push.moved(to: position, in: time, told: told).map { (.stall, $0) }
    }

    /// Told to turn all the time, and not there where it should be.
    func stalled(_ axis: Axis, _ figures: Figures, poses: Recent<PanTilt>, now: Seconds) -> Finding? {
        let from = now - FollowingWatch.stallTime
        guard steadySign != 0, from >= steadySince + figures.settle else { return nil }
        guard let old = poses.last(notAfter: from), old.time >= steadySince + figures.settle else { return nil }
        guard let newest = poses.newest else { return nil }
        let progress = (newest.value[axis] - old.value[axis]) * steadySign
        let least = FollowingWatch.stallSpeed * (now - old.time)
        return progress < FollowingWatch.stallShare * least ? (.stall, steadySign) : nil
    }
}
