public import Geometry

/// One subject in the last frame. The attributes of its face are also members: `subject.yaw`.
@dynamicMemberLookup
public struct TrackedSubject: Sendable, Equatable {
    /// The subject's number, which is never reused.
    public var id: Int
    /// Person or object.
    public var kind: SubjectKind
    /// The filtered rectangle, or the predicted one while coasting.
    public var rect: Rect
    /// The detector's rectangle in this frame, or nil while coasting. A servo with its own filter uses it.
    public var measured: Rect?
    /// The velocity relative to the stationary world, in frame widths and heights per second.
    public var velocity: Point
    /// The time since it was first seen, in seconds.
    public var age: Seconds
    /// Exposure of the last frame with this subject, CLOCK_MONOTONIC.
    public var lastSeen: Seconds
    /// Whether no detection of the last frame matched this subject.
    public var coasting: Bool
    /// The score of its last detection, 0...1.
    public var score: Double
    /// The other attributes of the face, from its last detection.
    public var attributes: FaceAttributes
    /// The distance that a depth camera measures, in metres, or nil if none does.
    public var depth: Double?
    /// The salience, 0...1, from size or distance, position, persistence and the detector's attributes.
    public var salience: Double
    /// The rank by salience, where 1 is the most salient, or nil if not ranked.
    public var salienceRank: Int?

    /// Creates a subject that is in sight. Everything except the ID and the rectangle has a default.
    public init(
        id: Int, kind: SubjectKind = .person, rect: Rect, measured: Rect? = nil, velocity: Point = Point(x: 0, y: 0),
        age: Seconds = 0, lastSeen: Seconds = 0, coasting: Bool = false, score: Double = 1,
        attributes: FaceAttributes = FaceAttributes(), depth: Double? = nil, salience: Double = 0,
        salienceRank: Int? = nil
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
        self.attributes = attributes
        self.depth = depth
        self.salience = salience
        self.salienceRank = salienceRank
    }

    /// The earlier name of `salienceRank`.
    @available(*, deprecated, renamed: "salienceRank")
    public var saliency: Int? {
        get { salienceRank }
        set { salienceRank = newValue }
    }

    /// The distance by which the automatic choice compares it with others, in metres: as a depth camera measures it,
    /// otherwise as the detector states it.
    public var knownDistance: Double? { depth ?? attributes.distance }

    /// An attribute of the face.
    public subscript(dynamicMember path: KeyPath<FaceAttributes, Double?>) -> Double? { attributes[keyPath: path] }
}
