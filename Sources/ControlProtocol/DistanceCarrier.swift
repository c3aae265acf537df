public import Geometry

/// A reading of a face with its distance: three members that belong together. A daemon from before they existed sends only
/// `distance`, or none.
public protocol DistanceCarrier: Record {
    /// What is known of the face.
    var attributes: FaceAttributes { get set }
    /// The standard deviation of the distance, in metres, or nil if it is unknown.
    var distanceError: Double? { get set }
    /// What the distance was found with: a word of `SubjectDistance.Source`, or nil if there is none.
    var distanceSource: String? { get set }
}

extension DistanceCarrier {
    /// How far the face is, or nil if that is unknown, or if a newer daemon found it with something else.
    public var distance: SubjectDistance? {
        get {
            guard let metres = attributes.distance else { return nil }
            let source = distanceSource.map { SubjectDistance.Source(rawValue: $0) } ?? .detector
            return source.flatMap { SubjectDistance(metres: metres, error: distanceError, source: $0) }
        }
        set {
            (attributes.distance, distanceError) = (newValue?.metres, newValue?.error)
            distanceSource = newValue?.source.rawValue
        }
    }

    /// The members that say how the distance was found.
    static var distanceRows: [RecordRow<Self>] {
        [
            RecordRow("distanceError", .orNull(.amount), get: { .number(orNull: $0.distanceError) }) {
                $0.distanceError = $1.number
            },
            RecordRow(
                "distanceSource", .orNull(.word(SubjectDistance.Source.allCases.map(\.rawValue))),
                get: { .string(orNull: $0.distanceSource) }
            ) { $0.distanceSource = $1.string },
        ]
    }
}
