public import Geometry

/// A hand of a frame, as a detector reported it.
public struct SeenHand: Sendable, Equatable {
    /// Its 21 joints, normalised.
    public var points: [Point]
    /// The detector's confidence that this is a hand.
    public var score: Double

    /// Creates a hand.
    public init(points: [Point], score: Double = 1) { (self.points, self.score) = (points, score) }
}

/// One frame, as far as gestures need it.
public struct HandFrame: Sendable, Equatable {
    /// When it was taken, in seconds.
    public var time: Seconds
    /// The hands in it.
    public var hands: [SeenHand]
    /// The face of the followed person, normalised, or nil if no person is followed.
    public var face: Rect?
    /// How its camera sees the room.
    public var sight: HandSight
    /// The pose of the dock when it was taken, or nil if it is unknown.
    public var pose: PanTilt?

    /// Creates a frame.
    public init(time: Seconds, hands: [SeenHand], face: Rect?, sight: HandSight, pose: PanTilt?) {
        (self.time, self.hands, self.face, self.sight, self.pose) = (time, hands, face, sight, pose)
    }
}
