internal import Geometry
internal import Glibc

/// The quick half of the sign guard, for one axis: has the picture been seen to move against the dock?
///
/// Every `SignStory` has a filter of its own: where the face would be in the room if the story were true, and how it would move there:
/// stand, go on, or turn and stop as people do. When the dock turns, the wrong stories make the face jump just then. What each look
/// says is added up as likelihoods, and a look that trembles says little: noise alone neither clears nor accuses a rig.
struct SignProof: Sendable, Equatable {
    private var stories: [MotionModels] = []
    private var last: SignLook?
    /// Of every look, and of those that were judged.
    var tremble = Tremble()
    private var thinned = Tremble()
    /// From where to where the dock has turned, this axis and the other one, radians.
    private var turned: (own: ClosedRange<Double>, other: ClosedRange<Double>)?
    /// How far looks are apart, seconds; and the share of the pictures in which the face was seen.
    private var period: Seconds = 0.05, coverage = 1.0
    /// How fast the dock has turned lately, rad/s; and where it was, this axis and the other one, radians.
    private var usualRate = 0.0, usualPose = (own: 0.0, other: 0.0)
    /// When each was last somewhere else, seconds.
    private var movedAt = (own: -Double.infinity, other: -Double.infinity)
    /// What has been seen against each story and for the right one: logarithms of likelihoods; of the right one nothing.
    private var against = SIMD8<Double>.zero
    /// The same of a camera that does not turn with the head, in the last moment.
    private var lately = 0.0

    /// A pose may belong to another moment by so much, seconds; be wrong by so much (play, and noise of the encoder), radians; and
    /// rectangles may tremble so many times more than a face of their width does.
    static let timing: Seconds = 0.01, pose = Double.degrees(0.25), tremble = 1.2
    /// Looks closer to each other than this share what they are off by, so they say less, seconds; twice that where they tremble by `calm`
    /// (rad), five times where they tremble twice as much.
    static let independent: Seconds = 0.02, calm = Double.degrees(0.8)
    /// No look says more than this: a false face is one look.
    static let most = 3.0
    /// A look fits no worse than this (logarithm of a likelihood per radian): it may be a false face, anywhere in the picture.
    static let leastFit = log(0.05 / Double.degrees(60))
    /// A head that tracks turns after noise where it has no farther to turn than `clear` times what the looks tremble by beyond `quiet`
    /// (rad): such looks say nothing.
    static let clear = 3.0, quiet = Double.degrees(0.5)
    /// A dock that stands tells nothing, and the noise of its encoder would be added up: a look counts where an axis is so far (rad) from
    /// where it was of late (time constant, seconds), and for so long after.
    static let leastMotion = Double.degrees(1.2), motionTime: Seconds = 0.3
    /// Motion that tracking did not make accuses by no more than this.
    static let mostUntracked = 7.0
    /// A face nearer than this (rad) may be one that is followed perfectly, and so may any while the dock turns as evenly as that (rad/s
    /// beside its rate of late; time constant, seconds): neither accuses.
    static let near = Double.degrees(4), even = Double.degrees(2), evenTime: Seconds = 0.3
    /// A face that goes faster than this across the picture (rad/s) does not say that the picture stands.
    static let walking = Double.degrees(30)
    /// A tracker lets through what it expected, and it believes in the rig: where the face is seen in fewer of the pictures, they say
    /// nothing.
    static let leastCoverage = 0.45
    /// So much clears a rig, and no less turning than this, radians. Pictures as rough as that have to say more to be trusted.
    static let enough = 5.0, trusting = 1.2, agreed = 0.6, good = 0.5, leastTurn = Double.degrees(3)
    /// So many times that is beyond doubt, and more than that is not kept.
    static let sure = 2.0, mostKept = 5.0
    /// So much convicts a rig that was not cleared, and no less turning than this, radians.
    static let convicting = 11.0, leastConvicting = Double.degrees(5)
    /// What the slow half accuses by chance has an alibi from moment to moment; what is wrong has at least so much against it.
    static let leastForFault = 1.0
    /// A mount is wrong for both axes: more than this seen against it by one axis refutes what the other says; more than that seen for it
    /// denies the other axis its proof.
    static let refuting = 3.0, doubting = 2.0
    /// Looks that tremble by this much (rad) have to say twice as much to clear a rig, and that share more to convict one; so do looks
    /// between which somebody who dances at `dance` (rad/s²) gets as far.
    static let rough = Double.degrees(1.2), roughAccuser = 0.3, dance = Double.degrees(40)
    /// The stories in which an axis does not move its own direction of the picture: so it looks where somebody is followed perfectly.
    private static let still = SIMDMask<SIMD8<Int64>>([false, false, true, true, true, false, false, false])
    /// A moment (time constant, seconds; and the way that a head turns in it, radians), what counts as seen in it, and the most that
    /// is kept of it.
    static let fresh = (time: Seconds(1), way: Double.degrees(40), least: 1.0, most: 10.0)
    /// With another face, what was seen of the rig fades to this share.
    static let anew = 0.9

    /// The wrong stories were out of the question once. It stays so: who is followed perfectly stands still in the picture.
    private(set) var isProven = false
    /// ... by so far that it may turn as fast as it can.
    private(set) var isTrusted = false
    /// They are so by far: nobody need ask.
    var isSure: Bool { isProven && share > Self.sure }
    /// ... and it was so a moment ago. A head that turns on and on tells nothing any more: a camera may have come loose.
    var isFresh: Bool { isProven && lately > Self.fresh.least }
    /// The slow half has seen it, too: of good pictures, less is enough then.
    mutating func agrees() {
        guard let turned, turned.own.upperBound - turned.own.lowerBound > Self.leastTurn else { return }
        guard tremble.isKnown, roughness < Self.good else { return }
        isProven = isProven || share > Self.agreed * (1 + roughness)
    }
    /// Too much speaks against it elsewhere: it has to be proven anew.
    mutating func doubt() {
        (isProven, isTrusted) = (false, false)
        against.replace(with: Self.enough / 2, where: against .> Self.enough / 2)
    }
    /// A head that stood still has seen a face that went on standing in the picture: whether the camera is on the head is open again.
    mutating func doubtMount() { against[SignStory.fixed.rawValue] = min(against(.fixed), 0) }
    /// What it has seen speaks for the fault, and not against it.
    func allows(_ fault: DockFault) -> Bool {
        against(fault == .signSuspect ? .reversed : .fixed) <= -Self.leastForFault
    }

    private func against(_ story: SignStory) -> Double { against[story.rawValue] }
    /// What the likeliest of the wrong stories has against it, of what is enough.
    var share: Double {
        var least = Double.infinity
        for story in SignStory.allCases where story != .right { least = min(least, against(story)) }
        return least / Self.enough
    }
    /// What was seen for a camera that is not on the head, or lies on its side: that would be so along both axes.
    var mountDoubt: Double { min(against(.fixed), against(.crossed), against(.counterCrossed)) }
    /// What the other axis is accused of would show here, and was not seen.
    func refutes(_ story: SignStory) -> Bool {
        switch story {
        case .right, .reversed: false
        case .fixed: against(.fixed) > Self.refuting
        case .crossed, .counterCrossed: min(against(.crossed), against(.counterCrossed)) > Self.refuting
        }
    }

    /// How much more has to be seen before pictures are believed that tremble, that are far apart (meanwhile people dance), or of which a
    /// tracker has chosen those that suit it.
    private var roughness: Double {
        let deviation = max(tremble.deviation, thinned.deviation) / max(coverage, Self.leastCoverage)
        let dance = Self.dance * period * period
        return (deviation * deviation + dance * dance) / (Self.rough * Self.rough)
    }

    /// The story that is true beyond doubt of a rig that was never cleared; nil: none, or the right one.
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

    /// Another face, or a gap: it may be anywhere. What was seen of the rig stays, but for a little.
    mutating func beginSubject() {
        tremble.breakOff()
        if last != nil { against *= Self.anew }
        breakOff()
        lately = 0
    }

    /// Another point of a face: no path leads to it.
    mutating func breakOff() {
        last = nil
        thinned.breakOff()
    }

    /// The face was seen, later than the last time; `deviation`: what a bearing trembles by at least, radians;
    /// `coverage`: in what share of the pictures it was seen lately; `error`: how far the dock has to turn (rad) that tracking turns, nil: something else does.
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
        // Who is followed perfectly stands still in the picture, and would wear this off; only a hold can tell (`doubt`).
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
        // Somebody may happen to walk just as a motion goes that was asked for. It goes only where it was sent, so the verdict can wait for
        // what tracking shows.
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

    /// Which stories differ from the right one by what the dock has done of late.
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
    /// The range that holds a value as well.
    fileprivate func with(_ value: Double) -> ClosedRange {
        Swift.min(lowerBound, value)...Swift.max(upperBound, value)
    }
}
