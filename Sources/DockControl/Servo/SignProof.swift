internal import Geometry
internal import Glibc

/// The quick half of the sign guard, for one axis: has the picture been seen to move against the dock?
///
/// Every `SignStory` has a filter of its own: where the face would be in the room if the story were true, and how it would move there:
/// stand, go on, or turn and stop as people do. When the dock turns, the wrong stories make the face jump just then. What each look
/// says is added up as likelihoods, so noise alone clears or accuses no rig: where looks tremble, each says less.
struct SignProof: Sendable, Equatable {
    private var stories: [MotionModels] = []
    private var last: SignLook?
    /// Of every look, and of those that were judged.
    var tremble = Tremble()
    private var thinned = Tremble()
    /// From where to where the dock has turned, this axis and the other one, radians.
    private var turned: (own: ClosedRange<Double>, other: ClosedRange<Double>)?
    /// What has been seen against each story and for the right one: logarithms of likelihoods; of the right one nothing.
    private var against = SIMD8<Double>.zero
    /// The same of a camera that does not turn with the head, in the last moment.
    private var lately = 0.0

    /// A pose may belong to another moment by so much, seconds; and rectangles may tremble so many times more than they do.
    static let timing: Seconds = 0.02, tremble = 1.2
    /// What a pose is wrong by, radians: play, and noise of the encoder.
    static let pose = Double.degrees(0.4)
    static let refuting = 3.0
    static let rough = Double.degrees(2)
    static let shortest: Seconds = 0.02, calm = Double.degrees(0.5), leastError = Double.degrees(4), clear = 2.0
    /// No look says more than this: a false face is one look.
    static let most = 3.0
    /// So much clears a rig, and no less turning than this, radians.
    static let enough = 8.0, leastTurn = Double.degrees(3)
    /// So many times that is beyond doubt, and more than this is not kept.
    static let sure = 1.5, mostKept = 4.0
    /// So much convicts a rig that was not cleared, and no less turning than this, radians.
    static let convicting = 10.0, leastConvicting = Double.degrees(5)
    /// A moment (time constant, seconds; and the way that a head turns in it, radians), what counts as seen in it, and the most that
    /// is kept of it.
    static let fresh = (time: Seconds(1), way: Double.degrees(40), least: 0.5, most: 10.0)
    /// A face that is nobody's continuation: what was seen of the rig fades to this share.
    static let anew = 0.9

    /// The wrong stories were out of the question once. It stays so: who is followed perfectly stands still in the picture.
    private(set) var isProven = false
    /// ... by so far that chance cannot have brought it about.
    var isTrusted: Bool { isProven }
    /// They are so by far: nobody need ask.
    var isSure: Bool { isProven && share > Self.sure }
    /// ... and it was so a moment ago. A head that turns on and on tells nothing any more: a camera may have come loose.
    var isFresh: Bool { isSure && lately > Self.fresh.least }
    /// Too much speaks against it elsewhere: it has to be proven anew.
    mutating func doubt() {
        isProven = false
        against.replace(with: Self.enough / 2, where: against .> Self.enough / 2)
    }
    /// What it has seen does not speak against the fault.
    func allows(_ fault: DockFault) -> Bool {
        let story = fault == .signSuspect ? SignStory.reversed : .fixed
        return against[story.rawValue] <= 0
    }
    /// What the likeliest of the wrong stories has against it, of what is enough.
    var share: Double {
        var least = Double.infinity
        for story in SignStory.allCases where story != .right { least = min(least, against[story.rawValue]) }
        return least / Self.enough
    }
    /// What was seen for a camera that is not on the head, or lies on its side: that would be so along both axes.
    var mountDoubt: Double { min(against[2], against[3], against[4]) }
    /// What the other axis is accused of would show here, and was not seen.
    func refutes(_ story: SignStory) -> Bool {
        switch story {
        case .right, .reversed: false
        case .fixed: against[2] > Self.refuting
        case .crossed, .counterCrossed: min(against[3], against[4]) > Self.refuting
        }
    }

    /// How much more has to be seen before pictures that tremble are believed.
    private var roughness: Double { max(tremble.variance, thinned.variance).squareRoot() / Self.rough }
    /// The story that is true beyond doubt of a rig that was never cleared; nil: none, or the right one.
    var convicted: SignStory? {
        guard !isProven, let turned else { return nil }
        var worst: SignStory?
        for story in SignStory.allCases where story != .right {
            let least = -Self.convicting * (1 + roughness / 2)
            if against[story.rawValue] < (worst.map { against[$0.rawValue] } ?? least) { worst = story }
        }
        guard let worst else { return nil }
        let way = worst.isCrossed ? turned.other : turned.own
        return way.upperBound - way.lowerBound > Self.leastConvicting ? worst : nil
    }

    /// Another face, or a gap: it may be anywhere. What was seen of the rig stays, but for a little.
    mutating func beginSubject() {
        guard last != nil else { return }
        last = nil
        tremble.breakOff()
        thinned.breakOff()
        lately = 0
        against *= Self.anew
    }

    /// The face was seen, later than the last time; `deviation`: what a bearing trembles by at least, radians.
    mutating func look(_ look: SignLook, noise deviation: Double, counts: Bool, error: Double?) {
        thinned.look(look)
        let own = look.own...look.own, other = look.other...look.other
        turned = turned.map { ($0.own.with(look.own), $0.other.with(look.other)) } ?? (own, other)
        let deviation = deviation * Self.tremble, places = look.places
        let seen = max(tremble.variance, thinned.variance)
        let noise = max(deviation * deviation, seen) + Self.pose * Self.pose
        guard let last else {
            self.last = look
            if stories.isEmpty {
                stories = SignStory.allCases.map { _ in MotionModels(at: 0, deviation: deviation) }
            }
            for story in SignStory.allCases { stories[story.rawValue].restart(at: places[story.rawValue], noise: noise) }
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
                Self.leastFit, stories[story.rawValue].measure(places[story.rawValue], after: elapsed, noise: noise + blur))
        }
        let weight = min(1, elapsed / (Self.shortest * (1 + tremble.variance.squareRoot() / Self.calm)))
        var gains = weight * (SIMD8(repeating: fits[0]) - fits).clamped(
            lowerBound: SIMD8(repeating: -Self.most), upperBound: SIMD8(repeating: Self.most))
        if !counts { gains = .zero }
        if let error {
            if abs(error) < Self.leastError { gains[2] = max(gains[2], 0) }
            if abs(error) < Self.clear * tremble.variance.squareRoot() { gains = .zero }
        }
        against = (against + gains).clamped(
            lowerBound: SIMD8(repeating: -4 * Self.convicting),
            upperBound: SIMD8(repeating: Self.mostKept * Self.enough))
        if isSure {
            let fixed = SignStory.fixed.rawValue
            against[fixed] = max(against[fixed], min(kept[fixed], (Self.sure + 0.1) * Self.enough))
        }
        let moments = elapsed / Self.fresh.time + abs(rate) * elapsed / Self.fresh.way
        lately = min(lately * exp(-moments) + gains[SignStory.fixed.rawValue], Self.fresh.most)
        guard let turned, turned.own.upperBound - turned.own.lowerBound > Self.leastTurn else { return }
        isProven = isProven || share > 1 + roughness
    }

    /// A look fits no worse than this (logarithm of a likelihood per radian): it may be a false face, anywhere in the picture.
    static let leastFit = log(0.05 / Double.degrees(60))

    var summary: String { SignStory.allCases.dropFirst().map { String((against[$0.rawValue] * 10).rounded() / 10) }.joined(separator: " ") }
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
