internal import Geometry
internal import Glibc

/// The quick half of the sign guard, for one axis: has the picture been seen to move against the dock?
///
/// The same three stories as in `SignEvidence`, each told by a filter of its own: where the face would be in the room if it were
/// true, and how fast it would go there. When the dock begins to turn, the wrong stories make the face jump off just then, and
/// what each frame says against them is added up. A person may begin to walk at that very moment, so this clears a rig sooner
/// and never accuses one.
struct SignProof: Sendable, Equatable {
    private var right: AgilePath?
    private var reversed = AgilePath(0, noise: 1)
    private var fixed = AgilePath(0, noise: 1)
    private var last = (time: 0.0, pose: 0.0)
    /// From where to where the dock has turned since the subject came, radians.
    private var poses: ClosedRange<Double>?
    /// What has been seen against the wrong stories: logarithms of likelihoods.
    private(set) var against = (reversed: 0.0, fixed: 0.0)

    /// A pose may belong to another moment by so much, seconds; and rectangles may tremble so many times more than they do.
    static let timing: Seconds = 0.02, tremble = 1.2
    /// The same of a camera that does not turn with the head, in the last moment.
    private var lately = 0.0

    /// No look says more than this: a false face is one look.
    static let most = 3.0
    /// So much clears a rig, and no less turning than this, radians.
    static let enough = (reversed: 5.0, fixed: 5.0), leastTurn = Double.degrees(3)
    /// So many times that is beyond doubt, and more than this is not kept.
    static let sure = 1.5, mostKept = 4.0
    /// A moment (time constant, seconds; and the way that a head turns in it, radians), what counts as seen in it, and the most that
    /// is kept of it.
    static let fresh = (time: Seconds(1), way: Double.degrees(40), least: 0.5, most: 10.0)
    /// More of it than this is enough against an accusation: what is wrong is seen to be so all the time.
    static let alibi = 0.0

    /// The wrong stories were out of the question once. It stays so: who is followed perfectly stands still in the picture.
    private(set) var isProven = false
    /// They are so by far: nobody need ask.
    var isSure: Bool { isProven && share > Self.sure }
    /// ... and it was so a moment ago. A head that turns on and on tells nothing any more: a camera may have come loose.
    var isFresh: Bool { isSure && lately > Self.fresh.least }
    /// Too much speaks against it elsewhere: it has to be proven anew.
    mutating func doubt() {
        isProven = false
        against = (min(against.reversed, Self.enough.reversed / 2), min(against.fixed, Self.enough.fixed / 2))
    }
    /// What it has seen does not speak against the fault.
    func allows(_ fault: DockFault) -> Bool {
        (fault == .signSuspect ? against.reversed / Self.enough.reversed : against.fixed / Self.enough.fixed)
            <= Self.alibi
    }
    /// What the likelier of the wrong stories has against it, of what is enough.
    var share: Double { min(against.reversed / Self.enough.reversed, against.fixed / Self.enough.fixed) }

    /// Another subject, or a gap: the face may be anywhere. What was seen of the rig fades to half.
    mutating func beginSubject() {
        right = nil
        poses = nil
        lately = 0
        against = (against.reversed / 2, against.fixed / 2)
    }

    /// The face was seen at a bearing from a pose, at a time later than the last one; `noise` is the bearing's standard deviation.
    /// Radians.
    mutating func look(_ bearing: Double, from pose: Double, at time: Seconds, noise deviation: Double) {
        let deviation = deviation * Self.tremble
        poses = min(poses?.lowerBound ?? pose, pose)...max(poses?.upperBound ?? pose, pose)
        let elapsed = time - last.time, rate = (pose - last.pose) / max(elapsed, 0.001)
        last = (time, pose)
        guard var story = right else {
            let noise = deviation * deviation
            right = AgilePath(bearing + pose, noise: noise)
            reversed = AgilePath(bearing - pose, noise: noise)
            fixed = AgilePath(bearing, noise: noise)
            return
        }
        let noise = deviation * deviation + Self.timing * Self.timing * rate * rate
        // Who is followed perfectly stands still in the picture, and would wear this off; only a hold can tell (`doubt`).
        let leastFixed = isSure ? min(against.fixed, (Self.sure + 0.1) * Self.enough.fixed) : -Self.most
        let fits = min(Self.most, story.look(bearing + pose, after: elapsed, noise: noise))
        right = story
        against.reversed += min(Self.most, reversed.look(bearing - pose, after: elapsed, noise: noise)) - fits
        let gain = min(Self.most, fixed.look(bearing, after: elapsed, noise: noise)) - fits
        against.fixed += gain
        let moments = elapsed / Self.fresh.time + abs(rate) * elapsed / Self.fresh.way
        lately = min(lately * exp(-moments) + gain, Self.fresh.most)
        against.reversed = against.reversed.clamped(to: -Self.most...Self.mostKept * Self.enough.reversed)
        against.fixed = against.fixed.clamped(to: leastFixed...Self.mostKept * Self.enough.fixed)
        guard let poses, poses.upperBound - poses.lowerBound > Self.leastTurn else { return }
        isProven = isProven || share > 1
    }

    static func == (a: SignProof, b: SignProof) -> Bool {
        a.right == b.right && a.against == b.against && a.isProven == b.isProven && a.lately == b.lately
    }
}
