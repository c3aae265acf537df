internal import Geometry

/// What a hand shows in one frame. Ratios of distances decide, so that size, place and direction do not matter.
public enum HandShape: String, Sendable, CaseIterable {
    /// All four fingers are straight.
    case palm
    /// All fingers are curled.
    case fist
    /// Only the index finger is straight.
    case point
    /// Thumb and index finger touch, and the middle finger is not curled.
    case pinch
    /// Only the thumb is straight, and points up.
    case thumbUp
    /// Only the thumb is straight, and points down.
    case thumbDown
    /// Only index and middle finger are straight.
    case victory
    /// Something else, or no hand.
    case none

    /// How much farther from the wrist than its middle joint the tip of a straight finger is, in palms.
    static let straight = 0.15
    /// The greatest distance of the tips of thumb and index finger in a pinch, in palms.
    static let pinched = 0.3
    /// How far from the middle of the palm the tip of a straight thumb is, in palms; how far above or below the knuckles;
    /// and how steep the thumb must be, as a sine.
    static let spread = 0.75, raised = 0.35, steep = 0.7

    /// Whether this is a hand that holds something: the clutch.
    public var isClosed: Bool { self == .fist || self == .pinch }

    /// Reads the shape of a hand.
    public init(_ hand: HandJoints) {
        let index = hand.reach(of: .indexTip, beyond: .indexMiddle) > Self.straight
        let middleReach = hand.reach(of: .middleTip, beyond: .middleMiddle)
        let middle = middleReach > Self.straight
        let ring = hand.reach(of: .ringTip, beyond: .ringMiddle) > Self.straight
        let little = hand.reach(of: .littleTip, beyond: .littleMiddle) > Self.straight
        if hand.distance(.thumbTip, .indexTip) < Self.pinched, middleReach > 0 {
            self = .pinch
            return
        }
        self =
            switch (index, middle, ring, little) {
            case (true, true, true, true): .palm
            case (true, true, false, false): .victory
            case (true, false, false, false): .point
            case (false, false, false, false): Self.withoutFingers(hand)
            default: .none
            }
    }

    /// The shape of a hand whose four fingers are curled.
    private static func withoutFingers(_ hand: HandJoints) -> HandShape {
        let tip = hand[.thumbTip], base = hand[.thumbBase]
        let length = HandJoints.distance(tip, base) / hand.palm
        // Up is up in the picture: a robot's camera is upright.
        let rise = (base.y - tip.y) / hand.palm
        guard HandJoints.distance(tip, hand.middle) / hand.palm > spread else { return .fist }
        guard abs(rise) > steep * length else { return .none }
        let knuckles = [HandJoints.Joint.indexBase, .middleBase, .littleBase].map { hand[$0].y }
        if rise > 0, (knuckles.min() ?? 0) - tip.y > raised * hand.palm { return .thumbUp }
        if rise < 0, tip.y - (knuckles.max() ?? 0) > raised * hand.palm { return .thumbDown }
        return .none
    }
}
