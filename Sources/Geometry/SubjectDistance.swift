/// How far a subject is from the camera, along the axis of the lens, as depth cameras measure it.
public struct SubjectDistance: Sendable, Equatable {
    /// What the distance was found with.
    public enum Source: String, Sendable, CaseIterable {
        /// A depth picture.
        case depth
        /// The detector's own statement, or that of the program that observes in mode `custom`.
        case detector
        /// The size of the face in the picture, and the lens.
        case size
    }

    /// The distance in metres, above 0, at most `farthest`.
    public var metres: Double
    /// The standard deviation in metres, or nil if the source does not state it.
    public var error: Double?
    /// What it was found with.
    public var source: Source

    /// The largest distance, in metres. A larger one counts as not computed.
    public static let farthest = 100.0

    /// Creates a distance. The result is nil if a number is impossible.
    public init?(metres: Double, error: Double?, source: Source) {
        guard metres > 0, metres <= Self.farthest, error.map({ $0 >= 0 && $0.isFinite }) ?? true else { return nil }
        (self.metres, self.error, self.source) = (metres, error, source)
    }
}
