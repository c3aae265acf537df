internal import ControlProtocol
internal import Geometry
internal import Gestures

/// What the program knows of the daemon, and the reader of gestures. News goes in, intents come out.
struct GestureView: Sendable {
    private(set) var reader = GestureReader()
    private var trail = PoseTrail(), face = FollowedFace()
    private var lens: LensReading?
    /// Whether a hand was ever reported.
    private(set) var hasSeenHands = false

    /// The shape of a picture of which the detector reports no size.
    private static let usualAspect = 4.0 / 3

    /// Lets gestures have an effect.
    mutating func arm(now: Seconds) { reader.arm(now: now) }

    mutating func update(_ motion: MotionReading) { trail.update(motion.position, at: motion.time) }

    mutating func update(_ tracking: TrackingReading) {
        lens = tracking.lens ?? lens
        face.update(
            followed: tracking.followed,
            tracking.subjects.filter { $0.kind == "person" }.map {
                FollowedFace.Subject(id: $0.id, rect: $0.rect, rank: $0.salienceRank)
            })
    }

    /// Reads an answer of a detector. Only the detector that steers counts.
    mutating func update(_ answer: DetectionsReading, now: Seconds) -> [GestureIntent] {
        guard answer.isActive, answer.dropped == nil else { return [] }
        hasSeenHands = hasSeenHands || !answer.hands.isEmpty
        let time = answer.time ?? answer.arrival, pose = trail.pose(at: time)
        let aspect = answer.size.flatMap { $0.height > 0 ? $0.width / $0.height : nil } ?? Self.usualAspect
        let sight = HandSight(
            aspect: aspect, focal: lens?.focal ?? Point(x: 0, y: 0),
            principal: lens?.principal ?? Point(x: 0.5, y: 0.5),
            heading: lens?.mount == "fixed" ? lens?.direction : pose)
        let hands = answer.hands.map { hand in
            SeenHand(points: hand.points.map { Point(x: $0.x, y: $0.y) }, score: hand.score)
        }
        return reader.update(HandFrame(time: time, hands: hands, face: face.rect, sight: sight, pose: pose), now: now)
    }

    mutating func tick(now: Seconds) -> [GestureIntent] { reader.tick(now: now) }

    mutating func interrupted(_ why: String) -> [GestureIntent] { reader.interrupted(why) }

    mutating func disarm() -> [GestureIntent] { reader.disarm() }
}
