/// What a detection says of a face besides its rectangle, its score and its number; nil: not computed.
///
/// Detection, track, subject, observation and trace carry it whole, and each coding of it runs over `FaceAttribute.all`. A new
/// attribute therefore needs a property here, a case below, and no other code in Swift (CONTRIBUTING.md, "Add a face attribute").
public struct FaceAttributes: Sendable, Equatable {
    /// The direction of the face, radians, + = to the frame's right.
    public var yaw: Double?
    /// Confidence that the person speaks, 0...1.
    public var speaking: Double?
    /// Confidence that the person looks into the camera, 0...1.
    public var looking: Double?
    /// The distance of the face from the camera, metres, above 0, at most 100.
    public var distance: Double?

    /// Creates attributes; those that are not given are not computed.
    public init(yaw: Double? = nil, speaking: Double? = nil, looking: Double? = nil, distance: Double? = nil) {
        self.yaw = yaw
        self.speaking = speaking
        self.looking = looking
        self.distance = distance
    }

    /// The value of an attribute, in its unit.
    public subscript(attribute: FaceAttribute) -> Double? {
        get {
            switch attribute {
            case .yaw: yaw
            case .speaking: speaking
            case .looking: looking
            case .distance: distance
            }
        }
        set {
            switch attribute {
            case .yaw: yaw = newValue
            case .speaking: speaking = newValue
            case .looking: looking = newValue
            case .distance: distance = newValue
            }
        }
    }
}

/// One attribute of a face. A trace stores the attributes in this order, so a new one is the last; there is room for six.
public enum FaceAttribute: Int, Sendable, CaseIterable {
    case yaw, speaking, looking, distance

    /// All attributes, in the order of a trace; stored, because `allCases` builds a list at each call.
    public static let all = allCases

    /// The row of the coding table.
    public var coding: FaceCoding {
        switch self {
        // Topic `tracking` has no yaw: its set-point shows what follows from it.
        case .yaw: FaceCoding(name: "yaw", unit: .radians, range: .angle, decimals: 4, isInTopic: false)
        case .speaking: FaceCoding(name: "speaking", unit: .share, range: .share)
        case .looking: FaceCoding(name: "looking", unit: .share, range: .share)
        case .distance: FaceCoding(name: "distance", unit: .metres, range: .positive(upTo: 100))
        }
    }
}

/// How one attribute of a face is named and written: a row of the one table for streams, traces and the API.
public struct FaceCoding: Sendable {
    /// The unit of the numbers.
    public enum Unit: String, Sendable {
        /// Angles.
        case radians
        /// Lengths.
        case metres
        /// Confidences, which have no unit.
        case share = "0...1"
    }

    /// Which numbers are valid.
    public enum Range: Sendable, Equatable {
        /// 0...1; a detector's number outside is clamped.
        case share
        /// Half a turn to each side. A larger number is in another unit, and counts as not computed.
        case angle
        /// Above 0, at most this. Any other number counts as not computed.
        case positive(upTo: Double)
    }

    /// The name in the detection stream, in traces, in parameters of the API and in topic `tracking`.
    public let name: StaticString
    /// The unit of the numbers.
    public let unit: Unit
    /// The valid numbers.
    public let range: Range
    /// The decimals in the lines of `dockface track`.
    public let decimals: Int
    /// Topic `tracking` reports it.
    public let isInTopic: Bool

    init(name: StaticString, unit: Unit, range: Range, decimals: Int = 3, isInTopic: Bool = true) {
        self.name = name
        self.unit = unit
        self.range = range
        self.decimals = decimals
        self.isInTopic = isInTopic
    }

    /// Returns a detector's number as a valid value; nil: not computed.
    public func value(of number: Double?) -> Double? {
        guard let number, number.isFinite else { return nil }
        switch range {
        case .share: return number.clamped(to: 0...1)
        case .angle: return abs(number) <= .pi ? number : nil
        case .positive(let most): return number > 0 && number <= most ? number : nil
        }
    }
}
