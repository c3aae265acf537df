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
        public var lines: [String] {
            guard fault == .signSuspect else { return ["camera.mount"] }
            return axis == .pan ? ["pan.invert", "camera.mirror"] : ["tilt.invert", "camera.rotate"]
        }
        /// For the log: what happened and what to mend.
        public var text: String {
            let what =
                fault == .signSuspect
                ? "the picture moves with \(axis.rawValue) instead of against it"
                : "the picture does not move although \(axis.rawValue) turns"
            let mend = lines.map { "`\($0)`" }.joined(separator: " or ")
            return "\(what): stopped; mend \(mend) in the profile (see `dockface check`), then type `clear`"
        }
    }

    /// One look at the subject: its bearing in the camera, where the dock was, and how far off its place it was; radians.
    struct Look: Sendable, Equatable {
        var bearing: PanTilt
        var pose: PanTilt
        var error: PanTilt
    }

    /// What was found; latched until `reset`.
    public private(set) var verdict: Verdict?
    /// Until when each axis is to stand still so that the picture can tell; CLOCK_MONOTONIC, 0: never.
    public private(set) var holdUntil = PanTilt.zero

    private var looks = Recent<Look>(capacity: 48)
    private var subject: Int?
    /// Where the dock was when it began to look at this subject, radians.
    private var start: PanTilt?
    /// Where it last stood still to ask, or began, radians.
    private var asked: PanTilt?
    private var pan = SignEvidence()
    private var tilt = SignEvidence()

    /// Tracking turns no faster until the picture has been seen to move against the dock, rad/s.
    public static let unprovenSpeed = Double.degrees(30)
    /// Three looks are compared that are at least so far apart, seconds: shorter, and noise covers what the dock did.
    static let spacing: Seconds = 0.15
    /// A gap longer than this begins anew, seconds.
    static let longestGap: Seconds = 0.7
    /// A dock that has proven nothing is asked anew after turning so far, radians.
    static let longestUnasked = Double.degrees(15)

    /// Knows nothing.
    public init() {}

    /// How fast tracking may turn an axis at `now`, rad/s: not at all while the picture is asked, slowly until it has
    /// answered once.
    public func most(_ axis: Axis, now: Seconds) -> Double {
        if now < holdUntil[axis] { return 0 }
        return (axis == .pan ? pan : tilt).isProven ? .infinity : Self.unprovenSpeed
    }

    /// Forgets what it has seen of the subject, not what it has learnt of the rig.
    public mutating func pause() {
        looks.removeAll()
        subject = nil
        start = nil
        asked = nil
        holdUntil = .zero
        pan.forgetHold()
        tilt.forgetHold()
    }

    /// Forgets everything: another dock, another camera, a fault that was cleared.
    public mutating func reset() { self = SignGuard() }

    /// The subject was seen.
    /// - Parameters:
    ///   - subject: its number; another one begins anew.
    ///   - bearing: its direction in the camera, radians.
    ///   - pose: where the dock was at the exposure, radians.
    ///   - error: how far the dock had still to turn then, radians.
    ///   - width: angular width of the face, radians: its rectangle trembles in proportion.
    ///   - exposure: CLOCK_MONOTONIC.
    ///   - now: CLOCK_MONOTONIC.
    public mutating func sighted(
        subject new: Int, bearing: PanTilt, pose: PanTilt, error: PanTilt, width: Double, exposure: Seconds,
        now: Seconds
    ) {
        guard verdict == nil else { return }
        if subject != new || (looks.newest.map { exposure - $0.time > Self.longestGap } ?? false) { pause() }
        subject = new
        start = start ?? pose
        asked = asked ?? pose
        guard looks.newest.map({ exposure > $0.time }) ?? true else { return }
        let before = looks.newest?.time
        looks.append(Look(bearing: bearing, pose: pose, error: error), at: exposure)
        guard let before, let last = looks.last(notAfter: exposure - Self.spacing),
            let first = looks.last(notAfter: last.time - Self.spacing)
        else { return }
        let share = ((exposure - before) / (exposure - last.time)).clamped(to: 0...1)
        for axis in Axis.allCases {
            let triple = SignEvidence.Triple(
                bearing: (first.value.bearing[axis], last.value.bearing[axis], bearing[axis]),
                pose: (first.value.pose[axis], last.value.pose[axis], pose[axis]),
                times: (first.time, last.time, exposure), noise: max(.degrees(0.4), 0.04 * width))
            let travel = abs(pose[axis] - (start?[axis] ?? pose[axis]))
            let fault = evidence(axis) {
                $0.add(triple, share: share)
                return $0.fault(travel: travel)
            }
            if let fault {
                verdict = Verdict(axis: axis, fault: fault)
                return
            }
            holdIfSuspicious(axis, period: exposure - before, now: now)
        }
    }

    /// Where it turned toward the face and came no nearer: hold still.
    private mutating func holdIfSuspicious(_ axis: Axis, period: Seconds, now: Seconds) {
        guard let newest = looks.newest, newest.time >= evidence(axis, { $0.nextHold }) else { return }
        let error = newest.value.error[axis], side = error < 0 ? -1.0 : 1
        let isTrusted = evidence(axis) { $0.isTrusted }
        let far = (abs(error) >= .degrees(4) ? Double.degrees(4) : .degrees(8)) * (isTrusted ? 6 : 1)
        let anchor = asked?[axis] ?? newest.value.pose[axis]
        if !evidence(axis, { $0.isProven }), abs(newest.value.pose[axis] - anchor) >= Self.longestUnasked {
            return hold(axis, period: period, now: now)
        }
        guard abs(error) >= .degrees(1) else { return }
        for back in 2...max(2, looks.count) where back <= looks.count {
            let old = looks[looks.count - back]
            // Only as long as it was on that side all the time.
            guard old.value.error[axis] * side > 0 else { return }
            let travel = (newest.value.pose[axis] - old.value.pose[axis]) * side
            guard travel >= far else { continue }
            guard abs(error) >= 0.7 * abs(old.value.error[axis]) else { return }
            return hold(axis, period: period, now: now)
        }
    }

    private mutating func hold(_ axis: Axis, period: Seconds, now: Seconds) {
        guard let newest = looks.newest else { return }
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

/// What speaks for each story, of one axis.
struct SignEvidence: Sendable, Equatable {
    /// Three looks, in order: bearing and pose (rad), times.
    struct Triple {
        var bearing: (Double, Double, Double)
        var pose: (Double, Double, Double)
        var times: (Seconds, Seconds, Seconds)
        /// Standard deviation of a bearing, radians.
        var noise: Double

        /// How far the third is from where the first two led.
        func bend(_ values: (Double, Double, Double)) -> Double {
            values.2 - values.1 - (values.1 - values.0) * ratio
        }
        var ratio: Double { (times.2 - times.1) / max(times.1 - times.0, 1e-3) }
    }

    /// How hard people accelerate as a camera sees it, rad/s²; by chance at the very moment of a hold, less.
    static let human = Double.degrees(100), humanByChance = Double.degrees(40)
    /// A pose may belong to another moment by so much: share of a bend of the dock's path.
    static let timing = 0.35
    /// No three looks count for more than this.
    static let most = 6.0
    /// The dock must have done this much for a triple to tell anything, radians.
    static let leastBend = Double.degrees(1)
    /// Less than this is standing still, radians; and no bearing trembles less than this, radians.
    static let standing = Double.degrees(0.4), leastNoise = Double.degrees(0.5)
    /// What convicts, and what is too little beside the other story.
    static let enough = 8.0, lead = 1.5, enoughHeld = 6.0
    /// More trust than this is not kept.
    static let mostTrust = 12.0
    /// A hold speaks against the camera's mount with so much, and so many of them must.
    static let enoughOfOne = 1.5, holdsNeeded = 2
    /// A camera that is not on the head lets the dock turn on and on: less than this says nothing, radians.
    static let leastTravel = Double.degrees(12)
    /// After a hold that cleared the rig, or the fifth that said nothing, the next one comes no sooner, seconds; after
    /// another one.
    static let calm: Seconds = 60, again: Seconds = 0.6, fruitless = 5

    /// Logarithms of likelihoods against the story of a right rig: the picture turns with the dock; it does not move.
    private(set) var reversed = 0.0, fixed = 0.0
    /// The same of what was seen around the last hold, and around all of them.
    private(set) var held = 0.0, heldInAll = 0.0
    private var holds = (accusing: 0, fruitless: 0)
    /// How badly each story fits, on average.
    private var misfit = (reversed: 0.0, fixed: 0.0)
    private(set) var nextHold: Seconds = 0
    private var holding: (from: Seconds, until: Seconds)?
    private var recentBend = 0.0
    /// How much a bearing trembles while the dock stands: sum of squared bends, and their number.
    private var rest = (squares: 0.0, count: 0.0)

    /// It looks right; enough to turn fast.
    var isProven: Bool { reversed < -3 && fixed < -1.5 }
    /// It was seen to be right.
    var isTrusted: Bool { reversed < -6 && fixed < -4 }

    mutating func hold(from: Seconds, until: Seconds) {
        if holding != nil { forgetHold() }
        holding = (from, until)
        held = 0
        nextHold = until + Self.again
    }

    /// The hold is over, or the subject gone: what it said is counted.
    mutating func forgetHold() {
        guard holding != nil else { return }
        holding = nil
        if held >= Self.enoughOfOne { holds.accusing += 1 } else { holds.fruitless += 1 }
        if held < 0 { holds.accusing = 0 }
        if held < 0 || (holds.fruitless >= Self.fruitless && fixed < 2) { nextHold += Self.calm }
        held = 0
    }

    mutating func add(_ triple: Triple, share: Double) {
        let turned = triple.bend(triple.pose), seen = triple.bend(triple.bearing)
        recentBend = max(abs(turned), recentBend * (1 - 0.5 * share))
        var isHeld = false
        if let holding {
            isHeld = triple.times.2 > holding.from && triple.times.1 < holding.until + 0.3
            if triple.times.1 >= holding.until + 0.3 { forgetHold() }
        }
        guard abs(turned) > Self.leastBend else {
            if abs(turned) < Self.standing {
                rest = (rest.squares * 0.95 + share * seen * seen, rest.count * 0.95 + share)
            }
            return
        }
        let span = triple.times.2 - triple.times.0, step = triple.times.2 - triple.times.1
        let people = (isHeld ? Self.humanByChance : Self.human) * step * span / 2
        let r = triple.ratio
        var noise = triple.noise * (1 + (1 + r) * (1 + r) + r * r).squareRoot()
        // Where it was seen to tremble less than a face of that width may, that counts.
        if rest.count > 1 { noise = min(noise, max(Self.leastNoise, (2 * rest.squares / rest.count).squareRoot())) }
        let timing = Self.timing * max(recentBend, abs(turned))
        let variance = noise * noise + people * people + timing * timing
        func misfit(_ residual: Double) -> Double { min(Self.most, residual * residual / (2 * variance)) }
        let right = misfit(seen + turned), withDock = misfit(seen - turned), still = misfit(seen)
        let fade = 1 - 0.04 * share
        reversed = max(-Self.mostTrust, reversed * fade + share * (right - withDock))
        fixed = max(-Self.mostTrust, fixed * fade + share * (right - still))
        self.misfit.reversed += 0.2 * share * (withDock - self.misfit.reversed)
        self.misfit.fixed += 0.2 * share * (still - self.misfit.fixed)
        if isHeld {
            held += share * (right - still)
            heldInAll = max(-Self.mostTrust, heldInAll * fade + share * (right - still))
        }
    }

    /// What is wrong beyond doubt; nil: nothing. `travel`: how far the dock has turned after this subject, radians.
    func fault(travel: Double) -> DockFault? {
        if reversed > Self.enough, reversed > fixed + Self.lead, misfit.reversed < 1.2 { return .signSuspect }
        let accusing = holds.accusing + (held >= Self.enoughOfOne ? 1 : 0)
        if accusing >= Self.holdsNeeded, travel > Self.leastTravel, heldInAll > Self.enoughHeld,
            fixed > Self.enoughHeld, fixed > reversed, misfit.fixed < 0.4
        {
            return .pictureDoesNotFollow
        }
        return nil
    }

    static func == (a: SignEvidence, b: SignEvidence) -> Bool {
        a.reversed == b.reversed && a.fixed == b.fixed && a.heldInAll == b.heldInAll && a.nextHold == b.nextHold
    }
}
