public import Geometry

/// The kind of subject in a rectangle, according to the detector.
public enum SubjectKind: String, Sendable, Equatable {
    /// A person, recognised by the face. This is the default.
    case person
    /// Anything else that a detector can find.
    case object
}

/// One rectangle that a detector found in one frame.
///
/// It is always in this library's convention (normalised, top-left, upright, unmirrored), whatever the detector sent.
/// The attributes of the face are also members: `detection.yaw`.
@dynamicMemberLookup
public struct Detection: Sendable, Equatable {
    /// The rectangle, in frame widths and heights. It may extend slightly beyond the frame.
    public var rect: Rect
    /// The detector's confidence, 0...1.
    public var score: Double
    /// Person or object.
    public var kind: SubjectKind
    /// The other attributes of the face that the detector reports.
    public var attributes: FaceAttributes
    /// Points of the face, in the order in which the stream's hello names them; empty if the detector gives none.
    public var landmarks: Landmarks

    /// Creates a detection. Everything but the rectangle has the stream's defaults.
    public init(
        rect: Rect, score: Double = 1, kind: SubjectKind = .person, attributes: FaceAttributes = FaceAttributes(),
        landmarks: Landmarks = Landmarks()
    ) {
        self.rect = rect
        self.score = score
        self.kind = kind
        self.attributes = attributes
        self.landmarks = landmarks
    }

    /// An attribute of the face.
    public subscript(dynamicMember path: KeyPath<FaceAttributes, Double?>) -> Double? { attributes[keyPath: path] }

    /// Whether the rectangle is valid: finite, near the frame, and larger than a thousandth of a pixel.
    var isUsable: Bool {
        abs(rect.x) <= 4 && abs(rect.y) <= 4 && rect.width > 1e-6 && rect.height > 1e-6 && rect.width <= 4
            && rect.height <= 4
    }
}

/// Up to eight points of a face, stored inline so that a frame needs no further allocation.
public struct Landmarks: Sendable, Equatable {
    /// The number of points that are kept. Further points of a stream are ignored.
    public static let capacity = 8

    /// The number of points, 0...8.
    public private(set) var count = 0
    private var values = SIMD16<Float>(repeating: 0)

    /// Creates landmarks without points.
    public init() {}

    /// The point at `index`, normalised, or nil outside 0..<count.
    public subscript(index: Int) -> Point? {
        guard index >= 0, index < count else { return nil }
        return Point(x: Double(values[2 * index]), y: Double(values[2 * index + 1]))
    }

    /// Adds a point. It is ignored if there are already eight.
    public mutating func append(_ point: Point) {
        guard count < Self.capacity else { return }
        values[2 * count] = Float(point.x)
        values[2 * count + 1] = Float(point.y)
        count += 1
    }

    /// Returns the same points, each converted by `convert`.
    func map(_ convert: (Point) -> Point) -> Landmarks {
        var result = Landmarks()
        for index in 0..<count {
            if let point = self[index] { result.append(convert(point)) }
        }
        return result
    }
}
