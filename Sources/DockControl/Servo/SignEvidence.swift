internal import Geometry

/// The evidence for each hypothesis about one axis.
struct SignEvidence: Sendable, Equatable {
    /// Three looks in order: bearing and pose (rad), and times.
    struct Triple {
        var bearing: (Double, Double, Double)
        var pose: (Double, Double, Double)
        var times: (Seconds, Seconds, Seconds)
        /// The standard deviation of a bearing, in radians: as expected for a face of this width, and as measured.
        var noise: Double, measured = 0.0
        /// Whether the looks are closer together than usual, because the subject has just appeared.
        var isNear = false

        /// Returns the distance of the third value from the extrapolation of the first two.
        func bend(_ values: (Double, Double, Double)) -> Double {
            values.2 - values.1 - (values.1 - values.0) * ratio
        }
        var ratio: Double { (times.2 - times.1) / max(times.1 - times.0, 1e-3) }
    }

    /// The acceleration of people as a camera sees it, in rad/s², and the acceleration that coincides with a hold only
    /// by chance.
    static let human = Double.degrees(100), humanByChance = Double.degrees(40)
    /// The possible error of a pose because it belongs to another moment, as a fraction of a bend of the dock's path.
    static let timing = 0.35
    /// The upper bound of the evidence of three looks.
    static let most = 4.0
    /// The upper bound of the evidence of all near looks at one subject against a correct rig. A person may turn round
    /// at that moment by chance. It is an independent chance that the next person does the same.
    static let mostNear = 2.0
    /// The motion of the dock that a triple needs to reveal anything, in radians.
    static let leastBend = Double.degrees(1)
    /// The motion below which the dock counts as stationary, in radians, and the least noise that is assumed for a
    /// bearing, in radians.
    static let standing = Double.degrees(0.4), leastNoise = Double.degrees(0.5)
    /// The motion that an accusation needs, in radians. With less, a person who sways looks like a head that turned.
    static let leastAccused = Double.degrees(5)
    /// The evidence that convicts, the necessary lead over the other hypothesis, and the necessary evidence from holds.
    static let enough = 8.0, lead = 1.5, enoughHeld = 6.0
    /// The upper bound of the accumulated trust.
    static let mostTrust = 12.0
    /// The evidence from one hold that counts against the camera's mount, and the number of such holds that are needed.
    static let enoughOfOne = 1.5, holdsNeeded = 2
    /// The travel below which nothing is revealed, in radians: if the camera is not on the head, the dock turns
    /// continuously.
    static let leastTravel = Double.degrees(12)
    /// The motion that a proof needs, in radians. Less than this may be noise of the reports.
    static let leastProof = Double.degrees(3)
    /// `calm`: least time to the next hold after one that cleared the rig, or after `fruitless` holds that revealed
    /// nothing, in seconds. `again`: least time after any other hold, in seconds.
    static let calm: Seconds = 60, again: Seconds = 0.6, fruitless = 5

    /// Logarithms of likelihoods relative to the hypothesis of a correct rig: the image moves with the dock; it does
    /// not move.
    private(set) var reversed = 0.0, fixed = 0.0
    /// The same from the looks around the last hold, and around all holds.
    private(set) var held = 0.0, heldInAll = 0.0
    private var holds = (accusing: 0, fruitless: 0)
    /// How badly each hypothesis fits, on average.
    private var misfit = (reversed: 0.0, fixed: 0.0)
    private(set) var nextHold: Seconds = 0
    private var holding: (from: Seconds, until: Seconds)?
    /// Whether this hold has produced an accusation that was reported.
    private var hasTold = false
    private var recentBend = 0.0
    /// The evidence of near looks at this subject so far.
    private var near = (reversed: 0.0, fixed: 0.0)
    /// The range that the dock has covered in the looks that counted, in radians.
    private var poses: ClosedRange<Double>?
    /// The noise of a bearing while the dock is at rest: the sum of squared bends, and their number.
    private var rest = (squares: 0.0, count: 0.0)

    /// Whether the axis was seen to be correct and no evidence has contradicted this since, which is enough to turn
    /// fast.
    ///
    /// A proof persists. A face that is followed perfectly is stationary in the image, like a face in front of a camera
    /// beside the rig. It would otherwise revoke the proof.
    private(set) var isProven = false
    private var looksRight: Bool { reversed < -3 && fixed < -1.5 && hasTurned }
    private var isDoubtful: Bool { reversed > 1 || holds.accusing > 0 || held >= Self.enoughOfOne }
    /// Whether the evidence against a proof that came quickly is too strong: more than a person who turns round at that
    /// moment can cause by chance. A stationary image does not count unless the head was held, because it is also
    /// stationary while a person is followed perfectly.
    var deniesProof: Bool { reversed > 3 || holds.accusing >= Self.holdsNeeded }
    private var hasTurned: Bool { poses.map { $0.upperBound - $0.lowerBound > Self.leastProof } ?? false }
    /// Whether the axis was seen to be correct.
    var isTrusted: Bool { reversed < -6 && fixed < -4 }

    mutating func hold(from: Seconds, until: Seconds) {
        if holding != nil { forgetHold() }
        holding = (from, until)
        hasTold = false
        held = 0
        nextHold = until + Self.again
    }

    /// Returns whether a hold has begun to accuse, once per hold. The head was at rest and the face stayed fixed in the
    /// image, so any proof must be repeated.
    mutating func beginsToAccuse() -> Bool {
        guard holding != nil, !hasTold, held >= Self.enoughOfOne else { return false }
        hasTold = true
        return true
    }

    /// Ends a hold, because it is over or the subject is gone, and counts its result.
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
        let pose = triple.pose
        poses = min(poses?.lowerBound ?? pose.0, pose.0, pose.2)...max(poses?.upperBound ?? pose.0, pose.0, pose.2)
        let span = triple.times.2 - triple.times.0, step = triple.times.2 - triple.times.1
        let people = (isHeld ? Self.humanByChance : Self.human) * step * span / 2
        let r = triple.ratio
        let spread = (1 + (1 + r) * (1 + r) + r * r).squareRoot()
        var noise = triple.noise * spread
        // If the measured noise is lower than expected for a face of this width, the measured noise counts.
        if rest.count > 1 { noise = min(noise, max(Self.leastNoise, (2 * rest.squares / rest.count).squareRoot())) }
        noise = max(noise, triple.measured * spread)
        let timing = Self.timing * max(recentBend, abs(turned))
        let variance = noise * noise + people * people + timing * timing
        func misfit(_ residual: Double) -> Double { min(Self.most, residual * residual / (2 * variance)) }
        let right = misfit(seen + turned), withDock = misfit(seen - turned), still = misfit(seen)
        let fade = 1 - 0.04 * share
        let gain = allowed((share * (right - withDock), share * (right - still)), isNear: triple.isNear)
        reversed = max(-Self.mostTrust, reversed * fade + gain.reversed)
        fixed = max(-Self.mostTrust, fixed * fade + gain.fixed)
        if isDoubtful { isProven = false } else if looksRight { isProven = true }
        self.misfit.reversed += 0.2 * share * (withDock - self.misfit.reversed)
        self.misfit.fixed += 0.2 * share * (still - self.misfit.fixed)
        if isHeld {
            held += share * (right - still)
            heldInAll = max(-Self.mostTrust, heldInAll * fade + share * (right - still))
        }
    }

    /// Starts with another subject, or with the same one after a gap.
    mutating func beginSubject() {
        forgetHold()
        near = (0, 0)
    }

    /// Limits the evidence of near looks.
    private mutating func allowed(
        _ gain: (reversed: Double, fixed: Double), isNear: Bool
    ) -> (reversed: Double, fixed: Double) {
        guard isNear else { return gain }
        let cut = (
            reversed: min(gain.reversed, Self.mostNear - near.reversed),
            fixed: min(gain.fixed, Self.mostNear - near.fixed)
        )
        near = (near.reversed + max(0, cut.reversed), near.fixed + max(0, cut.fixed))
        return cut
    }

    /// Returns the fault that is beyond doubt, or nil if there is none. `travel`: how far the dock has turned to follow
    /// this subject, in radians.
    func fault(travel: Double) -> DockFault? {
        let way = poses.map { $0.upperBound - $0.lowerBound } ?? 0
        if reversed > Self.enough, reversed > fixed + Self.lead, misfit.reversed < 1.2, way > Self.leastAccused {
            return .signSuspect
        }
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
            && a.isProven == b.isProven && a.holds == b.holds
    }
}
