internal import Geometry

/// What speaks for each story, of one axis.
struct SignEvidence: Sendable, Equatable {
    /// Three looks, in order: bearing and pose (rad), times.
    struct Triple {
        var bearing: (Double, Double, Double)
        var pose: (Double, Double, Double)
        var times: (Seconds, Seconds, Seconds)
        /// Standard deviation of a bearing as a face of that width may have it, and as it was measured, radians.
        var noise: Double, measured = 0.0
        /// The looks are nearer to each other than usual: the subject has just come.
        var isNear = false

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
    static let most = 4.0
    /// All near looks at one subject count for no more than this against a right rig: who turns round just then is one
    /// chance, the same again with the next is another.
    static let mostNear = 2.0
    /// The dock must have done this much for a triple to tell anything, radians.
    static let leastBend = Double.degrees(1)
    /// Less than this is standing still, radians; and no bearing trembles less than this, radians.
    static let standing = Double.degrees(0.4), leastNoise = Double.degrees(0.5)
    /// An accusation takes more: somebody who sways looks like a head that turned less, rad.
    static let leastAccused = Double.degrees(5)
    /// What convicts, and what is too little beside the other story.
    static let enough = 8.0, lead = 1.5, enoughHeld = 6.0
    /// More trust than this is not kept.
    static let mostTrust = 12.0
    /// A hold speaks against the camera's mount with so much, and so many of them must.
    static let enoughOfOne = 1.5, holdsNeeded = 2
    /// A camera that is not on the head lets the dock turn on and on: less than this says nothing, radians.
    static let leastTravel = Double.degrees(12)
    /// A proof takes more turning than this, radians: what moves less in the reports may be their noise.
    static let leastProof = Double.degrees(3)
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
    /// This hold has accused, and it was told.
    private var hasTold = false
    private var recentBend = 0.0
    /// What near looks at this subject have counted for.
    private var near = (reversed: 0.0, fixed: 0.0)
    /// From where to where the dock has turned in the looks that counted, radians.
    private var poses: ClosedRange<Double>?
    /// How much a bearing trembles while the dock stands: sum of squared bends, and their number.
    private var rest = (squares: 0.0, count: 0.0)

    /// It was seen to look right, and nothing has spoken against it since; enough to turn fast.
    ///
    /// What is once proven stays so: a face that is followed perfectly stands still in the picture, as one before a camera beside the
    /// rig does, and would take the proof back.
    private(set) var isProven = false
    private var looksRight: Bool { reversed < -3 && fixed < -1.5 && hasTurned }
    private var isDoubtful: Bool { reversed > 1 || holds.accusing > 0 || held >= Self.enoughOfOne }
    /// Too much speaks against it for a proof that came quickly: more than chance brings about when somebody turns round just then.
    /// That the picture stands is no such thing, where nobody held the head still: so it does while somebody is followed perfectly.
    var deniesProof: Bool { reversed > 3 || holds.accusing >= Self.holdsNeeded }
    private var hasTurned: Bool { poses.map { $0.upperBound - $0.lowerBound > Self.leastProof } ?? false }
    /// It was seen to be right.
    var isTrusted: Bool { reversed < -6 && fixed < -4 }

    mutating func hold(from: Seconds, until: Seconds) {
        if holding != nil { forgetHold() }
        holding = (from, until)
        hasTold = false
        held = 0
        nextHold = until + Self.again
    }

    /// A hold has begun to accuse; true once for each. A head that stood, and a face that went on standing in the picture: what was
    /// proven has to be proven anew.
    mutating func beginsToAccuse() -> Bool {
        guard holding != nil, !hasTold, held >= Self.enoughOfOne else { return false }
        hasTold = true
        return true
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
        let pose = triple.pose
        poses = min(poses?.lowerBound ?? pose.0, pose.0, pose.2)...max(poses?.upperBound ?? pose.0, pose.0, pose.2)
        let span = triple.times.2 - triple.times.0, step = triple.times.2 - triple.times.1
        let people = (isHeld ? Self.humanByChance : Self.human) * step * span / 2
        let r = triple.ratio
        let spread = (1 + (1 + r) * (1 + r) + r * r).squareRoot()
        var noise = triple.noise * spread
        // Where it was seen to tremble less than a face of that width may, that counts.
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

    /// Another subject, or the same after a gap.
    mutating func beginSubject() {
        forgetHold()
        near = (0, 0)
    }

    /// So much of it may be counted.
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

    /// What is wrong beyond doubt; nil: nothing. `travel`: how far the dock has turned after this subject, radians.
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
