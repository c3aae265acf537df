public import Geometry

/// One subject as the tracker sees it in the last frame.
public struct TrackedSubject: Sendable, Equatable {
    /// The subject's number; never used for another one.
    public var id: Int
    /// Person or object.
    public var kind: SubjectKind
    /// Where it is: the filtered rectangle, or the predicted one while coasting.
    public var rect: Rect
    /// The rectangle as the detector gave it in this frame, nil while coasting. A servo that filters by itself uses it.
    public var measured: Rect?
    /// How it moves against the still world, picture widths and heights per second.
    public var velocity: Point
    /// Since it was first seen, seconds.
    public var age: Seconds
    /// Exposure of the last frame that showed it, CLOCK_MONOTONIC.
    public var lastSeen: Seconds
    /// Whether no detection of the last frame was this subject.
    public var coasting: Bool
    /// The score of its last detection, 0...1.
    public var score: Double
    /// Where the face turns, radians, + = to the picture's right; nil = not computed.
    public var yaw: Double?
    /// How sure it is that the person speaks, 0...1; nil = not computed.
    public var speaking: Double?
    /// How sure it is that the person looks into the camera, 0...1; nil = not computed.
    public var looking: Double?
    /// How much it stands out, 0...1, by size, place, persistence and what the detector says of it.
    public var salience: Double
    /// Rank by salience, 1 = most salient; nil = not ranked.
    public var saliency: Int?

    /// A subject seen right now; everything but id and rectangle has a default.
    public init(
        id: Int, kind: SubjectKind = .person, rect: Rect, measured: Rect? = nil, velocity: Point = Point(x: 0, y: 0),
        age: Seconds = 0, lastSeen: Seconds = 0, coasting: Bool = false, score: Double = 1, yaw: Double? = nil,
        speaking: Double? = nil, looking: Double? = nil, salience: Double = 0, saliency: Int? = nil
    ) {
        self.id = id
        self.kind = kind
        self.rect = rect
        self.measured = measured
        self.velocity = velocity
        self.age = age
        self.lastSeen = lastSeen
        self.coasting = coasting
        self.score = score
        self.yaw = yaw
        self.speaking = speaking
        self.looking = looking
        self.salience = salience
        self.saliency = saliency
    }
}
