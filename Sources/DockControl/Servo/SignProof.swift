internal import Geometry
internal import Glibc

/// The quick part of the sign guard, for one axis: whether the image has been seen to move against the dock.
///
/// Each `SignStory` has its own filter. It tracks where the face would be in the room if the hypothesis were true, and
/// how it would move there: whether it stays, continues, or turns and stops as people do. When the dock turns, the
/// wrong hypotheses make the face jump at that moment. The likelihoods of all looks add up. A noisy look counts for
/// little, so noise alone neither clears nor accuses a rig.
struct SignProof: Sendable, Equatable {
    private var stories: [MotionModels] = []
    private var last: SignLook?
    /// The noise of every look, and of those that were evaluated.
    var tremble = Tremble()
    private var thinned = Tremble()
    /// The range that the dock has covered, this axis and the other one, in radians.
    private var turned: (own: ClosedRange<Double>, other: ClosedRange<Double>)?
    /// What the nod to the first face has shown.
    private(set) var nod = NodLooks()
    /// The time between looks, in seconds, and the fraction of the frames in which the face was seen.
    private var period: Seconds = 0.05, coverage = 1.0
    /// The recent speed of the dock, in rad/s, and its recent position, for this axis and the other one, in radians.
    private var usualRate = 0.0, usualPose = (own: 0.0, other: 0.0)
    /// When each axis was last away from its usual pose, in seconds.
    private var movedAt = (own: -Double.infinity, other: -Double.infinity)
    /// When the face last ran, in seconds.
    private var ranAt = -Double.infinity
    /// Evidence against each hypothesis relative to the correct one, as logarithms of likelihoods; 0 for the correct
    /// one.
    private var against = SIMD8<Double>.zero
    /// The recent evidence against a camera that does not turn with the head.
    private var lately = 0.0

    /// The error of a pose's time, in seconds; the error of a pose from play and encoder noise, in radians; and the
    /// factor by which rectangles may be noisier than expected for a face of their width.
    static let timing: Seconds = 0.01, pose = Double.degrees(0.25), tremble = 1.2
    /// The time between looks, in seconds, below which they share their errors and therefore count for less. This time
    /// doubles at a noise of `calm` (rad) and becomes five times as long at twice that noise.
    static let independent: Seconds = 0.02, calm = Double.degrees(0.8)
    /// The upper bound of the evidence of one look, because a false face is one look.
    static let most = 3.0
    /// The lower bound of how well a look fits (logarithm of a likelihood per radian), because it may be a false face
    /// anywhere in the frame.
    static let leastFit = log(0.05 / Double.degrees(60))
    /// The condition for looks that reveal nothing: a tracking head follows noise if its error is below `clear` times
    /// the noise of the looks beyond `quiet` (rad).
    static let clear = 3.0, quiet = Double.degrees(0.5)
    /// The conditions under which a look counts: an axis is this far (rad) from its recent position (time constant,
    /// seconds), or was within this time. A dock at rest reveals nothing, and the noise of its encoder would add up.
    static let leastMotion = Double.degrees(1.2), motionTime: Seconds = 0.3
    /// The upper bound of the accusation from motion that tracking did not cause.
    static let mostUntracked = 7.0
    /// A face with an error below this (rad) may be one that is followed perfectly. The same applies to any face while
    /// the dock turns evenly, within this difference (rad/s) from its recent rate (time constant, seconds). Neither
    /// produces an accusation.
    static let near = Double.degrees(4), even = Double.degrees(2), evenTime: Seconds = 0.3
    /// The speed across the image (rad/s) above which a face does not show that the image is stationary.
    static let walking = Double.degrees(30)
    /// The weight of an accusation by a face that was as fast in the room, whether the axis is reversed or not, and for
    /// how long after that (seconds). People who run turn round within this time.
    static let running = (weight: 0.5, time: Seconds(0.5))
    /// The fraction of the frames in which the face must be seen. Below it they reveal nothing, because a tracker
    /// passes on what it expected, and it assumes a correct rig.
    static let leastCoverage = 0.45
    /// The evidence that clears a rig, and the turning that it needs, in radians. Rough frames need `trusting` times as
    /// much extra evidence before the proof is trusted. `agreed` is enough if the slow part agrees and the roughness is
    /// below `good`.
    static let enough = 5.0, trusting = 1.2, agreed = 0.6, good = 0.5, leastTurn = Double.degrees(3)
    /// The multiple of `enough` that is beyond doubt, and the upper bound of the evidence that is kept.
    static let sure = 2.0, mostKept = 5.0
    /// The evidence that convicts a rig that was not cleared, the turning that it needs, and how much more it needs with
    /// noisy frames, in radians. In a few degrees of motion, noise alone may look like a wrong sign for a second.
    static let convicting = 11.0, leastConvicting = Double.degrees(5), farther = Double.degrees(15)
    /// The evidence of the quick part that is needed before a fault from the slow part counts. Chance accusations do
    /// not have it.
    static let leastForFault = 1.0
    /// A wrong mount affects both axes. If the evidence of one axis against it exceeds `refuting`, it refutes the
    /// finding of the other axis. If the evidence for it exceeds `doubting`, it denies the other axis its proof.
    static let refuting = 3.0, doubting = 2.0
    /// The noise (rad) at which looks need twice the evidence to clear a rig, and the extra fraction that they need to
    /// convict one. The same applies if a person who dances at `dance` (rad/s²) gets this far between two looks.
    static let rough = Double.degrees(1.2), roughAccuser = 0.3, dance = Double.degrees(40)
    /// The hypotheses in which an axis does not move the image along its own direction. A person who is followed
    /// perfectly looks like this.
    private static let still = SIMDMask<SIMD8<Int64>>([false, false, true, true, true, false, false, false])
    /// The recent evidence: its time constant (seconds), the angle that a head turns in it (radians), the least
    /// evidence that counts as recent, and the upper bound of what is kept.
    static let fresh = (time: Seconds(1), way: Double.degrees(40), least: 1.0, most: 10.0)
    /// The fraction of the evidence that remains with another face.
    static let keptShare = 0.9

    /// Whether the wrong hypotheses were ruled out once. This persists, because a person who is followed perfectly is
    /// stationary in the image.
    private(set) var isProven = false
    /// Whether the proof is strong enough to turn at full speed.
    private(set) var isTrusted = false
    /// Whether the proof is far beyond `enough`, so that holds become rare.
    var isSure: Bool { isProven && share > Self.sure }
    /// Whether the proof is recent. A head that turns continuously reveals nothing any more, and a camera may have come
    /// loose.
    var isFresh: Bool { isProven && lately > Self.fresh.least }
    /// Records that the slow part agrees. Less evidence is then enough if the frames are good.
    mutating func agrees() {
        guard hasTurned else { return }
        guard tremble.isKnown, roughness < Self.good else { return }
        isProven = isProven || share > Self.agreed * (1 + roughness)
    }
    /// Records that other evidence contradicts the axis, so that it must be proven again.
    mutating func doubt() {
        (isProven, isTrusted) = (false, false)
        against.replace(with: Self.enough / 2, where: against .> Self.enough / 2)
    }
    /// Records that a face stayed fixed in the image while the head was held. It is then undecided again whether the
    /// camera is on the head.
    mutating func doubtMount() { against[SignStory.fixed.rawValue] = min(against(.fixed), 0) }
    /// Returns whether the evidence of this part supports the fault.
    func allows(_ fault: DockFault) -> Bool {
        against(fault == .signSuspect ? .reversed : .fixed) <= -Self.leastForFault
    }

    /// Whether the axis has turned far enough for a proof.
    private var hasTurned: Bool {
        let way = turned.map { $0.own.upperBound - $0.own.lowerBound } ?? 0
        return max(way, nod.way.own) > Self.leastTurn
    }
    private func against(_ story: SignStory) -> Double { against[story.rawValue] }
    /// Returns whether the face moves fast in the room if a hypothesis is true.
    private func goes(_ story: SignStory) -> Bool { abs(stories[story.rawValue].velocity) > Self.walking }
    /// The evidence against the most likely of the wrong hypotheses, as a fraction of `enough`.
    var share: Double {
        var least = Double.infinity
        for story in SignStory.allCases where story != .right { least = min(least, against(story)) }
        return least / Self.enough
    }
    /// The evidence for a camera that is not on the head, or lies on its side: either would affect both axes.
    var mountDoubt: Double { min(against(.fixed), against(.crossed), against(.counterCrossed)) }
    /// Returns whether a fault that the other axis shows would be visible here, and was not seen.
    func refutes(_ story: SignStory) -> Bool {
        switch story {
        case .right, .reversed: false
        case .fixed: against(.fixed) > Self.refuting
        case .crossed, .counterCrossed: min(against(.crossed), against(.counterCrossed)) > Self.refuting
        }
    }

    /// The additional evidence that is needed if frames are noisy or far apart (people may dance meanwhile), or if a
    /// tracker has chosen the ones that suit it.
    private var roughness: Double {
        let dance = Self.dance * period * period
        return noisiness + dance * dance / (Self.rough * Self.rough)
    }
    private var noisiness: Double {
        let deviation = max(tremble.deviation, thinned.deviation) / max(coverage, Self.leastCoverage)
        return deviation * deviation / (Self.rough * Self.rough)
    }

    /// The hypothesis that is true beyond doubt for a rig that was never cleared. It is nil if there is none or it is
    /// the correct one.
    ///
    /// `otherNodCrossed`: during the nod, the other axis also looked like that of a camera that lies on its side.
    /// Late frames make one axis look like that, but not both.
    func convicted(otherNodCrossed: Bool) -> SignStory? {
        guard !isProven else { return nil }
        var worst: SignStory?
        for story in SignStory.allCases where story != .right {
            let least = -Self.convicting * (1 + roughness.squareRoot() * Self.roughAccuser)
            if against(story) < (worst.map(against) ?? least) { worst = story }
        }
        guard let worst else { return nil }
        if nod.convicts(worst), !worst.isCrossed || otherNodCrossed { return worst }
        guard let turned else { return nil }
        let way = worst.isCrossed ? turned.other : turned.own
        let least = Self.leastConvicting + Self.farther * min(noisiness, 0.5)
        return way.upperBound - way.lowerBound > least ? worst : nil
    }

    /// Starts with another face or after a gap, when the face may be anywhere. The evidence about the rig is kept,
    /// slightly reduced.
    mutating func beginSubject() {
        tremble.breakOff()
        if last != nil { against *= Self.keptShare }
        breakOff()
        lately = 0
    }

    /// Starts with another point of a face, to which no path leads.
    mutating func breakOff() {
        last = nil
        thinned.breakOff()
        nod = NodLooks()
    }

    /// Processes a sighting of the face, later than the last one.
    /// - Parameters:
    ///   - deviation: the least noise of a bearing, in radians.
    ///   - coverage: the fraction of the frames in which the face was seen lately.
    ///   - cause: what moved the dock.
    mutating func look(_ look: SignLook, noise deviation: Double, coverage: Double, cause: MotionCause) {
        thinned.look(look)
        self.coverage = coverage
        nod.isCurrent = cause == .greetingNod
        if nod.isCurrent {
            nod.add(look)
        } else {
            let own = look.own...look.own, other = look.other...look.other
            turned = turned.map { ($0.own.with(look.own), $0.other.with(look.other)) } ?? (own, other)
        }
        let deviation = deviation * Self.tremble, places = look.places
        let seen = max(tremble.variance, thinned.variance)
        let noise = max(deviation * deviation, seen) + Self.pose * Self.pose
        guard let last else {
            self.last = look
            usualPose = (look.own, look.other)
            if stories.isEmpty {
                stories = SignStory.allCases.map { _ in MotionModels(at: 0, deviation: deviation) }
            }
            for story in SignStory.allCases {
                stories[story.rawValue].restart(at: places[story.rawValue], noise: noise)
            }
            return
        }
        self.last = look
        let elapsed = look.time - last.time, rate = (look.own - last.own) / max(elapsed, 0.001)
        let across = (look.other - last.other) / max(elapsed, 0.001)
        let blur = Self.timing * Self.timing * max(rate * rate, across * across)
        // A person who is followed perfectly is stationary in the image and would erode the evidence. Only a hold can
        // decide (`doubt`).
        let kept = against
        var fits = SIMD8<Double>.zero
        for story in SignStory.allCases {
            fits[story.rawValue] = max(
                Self.leastFit,
                stories[story.rawValue].measure(places[story.rawValue], after: elapsed, noise: noise + blur))
        }
        let weight = min(1, elapsed / (Self.independent * (1 + tremble.variance / (Self.calm * Self.calm))))
        var gains =
            weight
            * (SIMD8(repeating: fits[0]) - fits).clamped(
                lowerBound: SIMD8(repeating: -Self.most), upperBound: SIMD8(repeating: Self.most))
        let isEven = abs(rate - usualRate) < Self.even
        period += 0.2 * (min(elapsed, 0.3) - period)
        usualRate += (rate - usualRate) * (1 - exp(-elapsed / Self.evenTime))
        gains.replace(with: 0, where: .!moved(look, after: elapsed))
        if goes(.fixed) { gains[SignStory.fixed.rawValue] = max(gains[SignStory.fixed.rawValue], 0) }
        // A person who runs back and forth, whether the axis is reversed or not, may do so in step with it.
        if goes(.right), goes(.reversed) { ranAt = look.time }
        if look.time < ranAt + Self.running.time, gains[SignStory.reversed.rawValue] < 0 {
            gains[SignStory.reversed.rawValue] *= Self.running.weight
        }
        var error: Double?
        if case .tracking(let distance) = cause { error = distance }
        if isEven || error.map({ abs($0) < Self.near }) ?? false {
            gains.replace(with: pointwiseMax(gains, .zero), where: Self.still)
        }
        if let error, abs(error) < Self.clear * (tremble.deviation - Self.quiet) { gains = .zero }
        if coverage < Self.leastCoverage { gains = .zero }
        // A person may happen to walk exactly as a requested motion turns. Such a motion only goes where it was sent,
        // so the verdict can wait for the evidence from tracking.
        let least = SIMD8(repeating: cause == .other ? -Self.mostUntracked : -4 * Self.convicting)
        against = (against + gains).clamped(
            lowerBound: pointwiseMin(kept, least),
            upperBound: SIMD8(repeating: Self.mostKept * Self.enough))
        if nod.isCurrent {
            let most = pointwiseMax(against, SIMD8(repeating: -Self.mostUntracked))
            against.replace(with: most, where: .!nod.isCalm)
        }
        if isSure {
            let floor = pointwiseMin(kept, SIMD8(repeating: (Self.sure + 0.1) * Self.enough))
            against.replace(with: pointwiseMax(against, floor), where: Self.still)
        }
        let moments = elapsed / Self.fresh.time + abs(rate) * elapsed / Self.fresh.way
        lately = min(lately * exp(-moments) + gains[SignStory.fixed.rawValue], Self.fresh.most)
        guard hasTurned else { return }
        isProven = isProven || share > 1 + roughness
        isTrusted = isTrusted || isProven && share > 1 + Self.trusting * roughness
    }

    /// Returns which hypotheses differ from the correct one in view of the recent motion of the dock.
    private mutating func moved(_ look: SignLook, after elapsed: Seconds) -> SIMDMask<SIMD8<Int64>> {
        if abs(look.own - usualPose.own) > Self.leastMotion { movedAt.own = look.time }
        if abs(look.other - usualPose.other) > Self.leastMotion { movedAt.other = look.time }
        let own = look.time < movedAt.own + Self.motionTime
        let other = own || look.time < movedAt.other + Self.motionTime
        let part = 1 - exp(-elapsed / Self.motionTime)
        usualPose.own += (look.own - usualPose.own) * part
        usualPose.other += (look.other - usualPose.other) * part
        return SIMDMask([false, own, own, other, other, false, false, false])
    }

    static func == (a: SignProof, b: SignProof) -> Bool {
        a.against == b.against && a.isProven == b.isProven && a.lately == b.lately && a.last == b.last
            && a.tremble == b.tremble && a.stories == b.stories
    }
}

extension ClosedRange<Double> {
    /// Returns the smallest range that contains this one and a value.
    fileprivate func with(_ value: Double) -> Self { Swift.min(lowerBound, value)...Swift.max(upperBound, value) }
}
