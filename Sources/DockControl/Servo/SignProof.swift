internal import Geometry
internal import Glibc

/// The quick half of the sign guard, for one axis: has the image been seen to move against the dock?
///
/// Each `SignStory` has its own filter. It tracks where the face would be in the room if the hypothesis were true, and
/// how it would move there: stand, go on, or turn and stop as people do. When the dock turns, the wrong hypotheses make
/// the face jump at that moment. The likelihoods of all looks add up. A noisy look counts for little, so noise alone
/// neither clears nor accuses a rig.
struct SignProof: Sendable, Equatable {
    private var stories: [MotionModels] = []
    private var last: SignLook?
    /// Noise of every look, and of those that were judged.
    var tremble = Tremble()
    private var thinned = Tremble()
    /// Range that the dock has covered, this axis and the other one, radians.
    private var turned: (own: ClosedRange<Double>, other: ClosedRange<Double>)?
    /// Time between looks, seconds; and the fraction of the frames in which the face was seen.
    private var period: Seconds = 0.05, coverage = 1.0
    /// How fast the dock has turned lately, rad/s; and where it was, this axis and the other one, radians.
    private var usualRate = 0.0, usualPose = (own: 0.0, other: 0.0)
    /// When each axis was last away from its usual pose, seconds.
    private var movedAt = (own: -Double.infinity, other: -Double.infinity)
    /// Evidence against each hypothesis relative to the correct one, as logarithms of likelihoods; 0 for the correct
    /// one.
    private var against = SIMD8<Double>.zero
    /// The same for a camera that does not turn with the head, in the last moment.
    private var lately = 0.0

    /// Error of a pose's time, seconds; error of a pose from play and encoder noise, radians; and the factor by which
    /// rectangles may be noisier than expected for a face of their width.
    static let timing: Seconds = 0.01, pose = Double.degrees(0.25), tremble = 1.2
    /// Looks closer together than this share their errors, so they count for less, seconds. This time doubles at a
    /// noise of `calm` (rad) and becomes five times as long at twice that noise.
    static let independent: Seconds = 0.02, calm = Double.degrees(0.8)
    /// Upper bound of what one look counts for: a false face is one look.
    static let most = 3.0
    /// Lower bound of how well a look fits (logarithm of a likelihood per radian): it may be a false face, anywhere in
    /// the frame.
    static let leastFit = log(0.05 / Double.degrees(60))
    /// A head that tracks follows noise if its error is below `clear` times the noise of the looks beyond `quiet`
    /// (rad): such looks reveal nothing.
    static let clear = 3.0, quiet = Double.degrees(0.5)
    /// A dock that stands reveals nothing, and the noise of its encoder would add up. A look counts only if an axis is
    /// this far (rad) from its recent place (time constant, seconds), and for this time afterwards.
    static let leastMotion = Double.degrees(1.2), motionTime: Seconds = 0.3
    /// Upper bound of the accusation from motion that tracking did not cause.
    static let mostUntracked = 7.0
    /// A face with an error below this (rad) may be one that is followed perfectly. So may any face while the dock
    /// turns evenly, within this difference (rad/s) from its recent rate (time constant, seconds). Neither accuses.
    static let near = Double.degrees(4), even = Double.degrees(2), evenTime: Seconds = 0.3
    /// A face that moves faster than this across the image (rad/s) does not show that the image stands still.
    static let walking = Double.degrees(30)
    /// A tracker passes what it expected, and it assumes a correct rig. If the face is seen in a smaller fraction of
    /// the frames, they reveal nothing.
    static let leastCoverage = 0.45
    /// Evidence that clears a rig, and the turning that it needs, radians. Rough frames need `trusting` times as much
    /// extra evidence before the proof is trusted. `agreed` is enough if the slow half agrees and the roughness is below
    /// `good`.
    static let enough = 5.0, trusting = 1.2, agreed = 0.6, good = 0.5, leastTurn = Double.degrees(3)
    /// Multiple of `enough` that is beyond doubt, and the upper bound of what is kept.
    static let sure = 2.0, mostKept = 5.0
    /// Evidence that convicts a rig that was not cleared, and the turning that it needs, radians.
    static let convicting = 11.0, leastConvicting = Double.degrees(5)
    /// Evidence that the quick half needs before a fault from the slow half counts: chance accusations do not have it.
    static let leastForFault = 1.0
    /// A wrong mount affects both axes. Evidence of one axis against it above `refuting` refutes what the other axis
    /// shows; evidence for it above `doubting` denies the other axis its proof.
    static let refuting = 3.0, doubting = 2.0
    /// Noise at which looks need twice the evidence to clear a rig, rad, and the extra fraction that they need to
    /// convict one. The same applies if a person who dances at `dance` (rad/s²) gets this far between two looks.
    static let rough = Double.degrees(1.2), roughAccuser = 0.3, dance = Double.degrees(40)
    /// The hypotheses in which an axis does not move its own direction of the image: a person who is followed perfectly
    /// looks like this.
    private static let still = SIMDMask<SIMD8<Int64>>([false, false, true, true, true, false, false, false])
    /// The last moment: its time constant (seconds) and the angle a head turns in it (radians), the least evidence that
    /// counts as seen in it, and the upper bound of what is kept.
    static let fresh = (time: Seconds(1), way: Double.degrees(40), least: 1.0, most: 10.0)
    /// Fraction of the evidence that remains with another face.
    static let anew = 0.9

    /// The wrong hypotheses were ruled out once. This stays: a person who is followed perfectly stands still in the
    /// image.
    private(set) var isProven = false
    /// The proof is strong enough to turn at full speed.
    private(set) var isTrusted = false
    /// The proof is far beyond `enough`, so holds become rare.
    var isSure: Bool { isProven && share > Self.sure }
    /// The proof is recent. A head that turns on and on reveals nothing any more, and a camera may have come loose.
    var isFresh: Bool { isProven && lately > Self.fresh.least }
    /// The slow half agrees: less evidence is then enough if the frames are good.
    mutating func agrees() {
        guard let turned, turned.own.upperBound - turned.own.lowerBound > Self.leastTurn else { return }
        guard tremble.isKnown, roughness < Self.good else { return }
        isProven = isProven || share > Self.agreed * (1 + roughness)
    }
    /// Other evidence speaks against the axis: it must be proven again.
    mutating func doubt() {
        (isProven, isTrusted) = (false, false)
        against.replace(with: Self.enough / 2, where: against .> Self.enough / 2)
    }
    /// A head that was held has seen a face that stayed fixed in the image: whether the camera is on the head is open
    /// again.
    mutating func doubtMount() { against[SignStory.fixed.rawValue] = min(against(.fixed), 0) }
    /// Whether the evidence of this half speaks for the fault.
    func allows(_ fault: DockFault) -> Bool {
        against(fault == .signSuspect ? .reversed : .fixed) <= -Self.leastForFault
    }

    private func against(_ story: SignStory) -> Double { against[story.rawValue] }
    /// Evidence against the likeliest of the wrong hypotheses, as a fraction of `enough`.
    var share: Double {
        var least = Double.infinity
        for story in SignStory.allCases where story != .right { least = min(least, against(story)) }
        return least / Self.enough
    }
    /// Evidence for a camera that is not on the head, or lies on its side: either would affect both axes.
    var mountDoubt: Double { min(against(.fixed), against(.crossed), against(.counterCrossed)) }
    /// Whether a fault that the other axis shows would be visible here, and was not seen.
    func refutes(_ story: SignStory) -> Bool {
        switch story {
        case .right, .reversed: false
        case .fixed: against(.fixed) > Self.refuting
        case .crossed, .counterCrossed: min(against(.crossed), against(.counterCrossed)) > Self.refuting
        }
    }

    /// How much more evidence is needed if frames are noisy or far apart (people dance meanwhile), or if a tracker has
    /// chosen the ones that suit it.
    private var roughness: Double {
        let deviation = max(tremble.deviation, thinned.deviation) / max(coverage, Self.leastCoverage)
        let dance = Self.dance * period * period
        return (deviation * deviation + dance * dance) / (Self.rough * Self.rough)
    }

    /// The hypothesis that is true beyond doubt of a rig that was never cleared; nil: none, or the correct one.
    var convicted: SignStory? {
        guard !isProven, let turned else { return nil }
        var worst: SignStory?
        for story in SignStory.allCases where story != .right {
            let least = -Self.convicting * (1 + roughness.squareRoot() * Self.roughAccuser)
            if against(story) < (worst.map(against) ?? least) { worst = story }
        }
        guard let worst else { return nil }
        let way = worst.isCrossed ? turned.other : turned.own
        return way.upperBound - way.lowerBound > Self.leastConvicting ? worst : nil
    }

    /// Starts with another face or after a gap: the face may be anywhere. The evidence about the rig stays, slightly
    /// reduced.
    mutating func beginSubject() {
        tremble.breakOff()
        if last != nil { against *= Self.anew }
        breakOff()
        lately = 0
    }

    /// Starts with another point of a face: no path leads to it.
    mutating func breakOff() {
        last = nil
        thinned.breakOff()
    }

    /// Takes a sighting of the face, later than the last one.
    /// - Parameters:
    ///   - deviation: the least noise of a bearing, radians.
    ///   - coverage: the fraction of the frames in which the face was seen lately.
    ///   - error: how far the dock has to turn while tracking moves it, rad; nil: something else moves it.
    mutating func look(_ look: SignLook, noise deviation: Double, coverage: Double, error: Double?) {
        thinned.look(look)
        self.coverage = coverage
        let own = look.own...look.own, other = look.other...look.other
        turned = turned.map { ($0.own.with(look.own), $0.other.with(look.other)) } ?? (own, other)
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
        // A person who is followed perfectly stands still in the image and would erode the evidence. Only a hold can
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
        let goes = abs(stories[SignStory.fixed.rawValue].velocity) > Self.walking
        if goes { gains[SignStory.fixed.rawValue] = max(gains[SignStory.fixed.rawValue], 0) }
        if isEven || error.map({ abs($0) < Self.near }) ?? false {
            gains.replace(with: pointwiseMax(gains, .zero), where: Self.still)
        }
        if let error, abs(error) < Self.clear * (tremble.deviation - Self.quiet) { gains = .zero }
        if coverage < Self.leastCoverage { gains = .zero }
        // A person may happen to walk exactly as a requested motion goes. Such a motion goes only where it was sent, so
        // the verdict can wait for what tracking shows.
        let least = SIMD8(repeating: error == nil ? -Self.mostUntracked : -4 * Self.convicting)
        against = (against + gains).clamped(
            lowerBound: pointwiseMin(kept, least),
            upperBound: SIMD8(repeating: Self.mostKept * Self.enough))
        if isSure {
            let floor = pointwiseMin(kept, SIMD8(repeating: (Self.sure + 0.1) * Self.enough))
            against.replace(with: pointwiseMax(against, floor), where: Self.still)
        }
        let moments = elapsed / Self.fresh.time + abs(rate) * elapsed / Self.fresh.way
        lately = min(lately * exp(-moments) + gains[SignStory.fixed.rawValue], Self.fresh.most)
        guard let turned, turned.own.upperBound - turned.own.lowerBound > Self.leastTurn else { return }
        isProven = isProven || share > 1 + roughness
        isTrusted = isTrusted || isProven && share > 1 + Self.trusting * roughness
    }

    /// Which hypotheses differ from the correct one by what the dock has done lately.
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
    /// The smallest range that contains this one and a value.
    fileprivate func with(_ value: Double) -> ClosedRange {
        Swift.min(lowerBound, value)...Swift.max(upperBound, value)
    }
}
