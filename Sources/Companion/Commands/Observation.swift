public import FaceTracker
public import Geometry

/// One subject in one frame, as a program observes it (DockKit's `Observation`). The attributes of its face are also
/// members: `observation.looking`.
@dynamicMemberLookup
public struct Observation: Sendable, Equatable {
    /// The program's number for the subject, which is the same in all frames.
    public var identifier: Int
    /// Person or object.
    public var kind: SubjectKind
    /// The subject's rectangle: normalised, origin top-left, upright, unmirrored.
    public var rect: Rect
    /// Confidence of the detection, 0...1.
    public var score: Double
    /// Other known attributes of the face.
    public var attributes: FaceAttributes

    /// Creates a subject with its kind and rectangle, and what is known of its face.
    public init(
        identifier: Int, kind: SubjectKind = .person, rect: Rect, score: Double = 1, attributes: FaceAttributes
    ) {
        self.identifier = identifier
        self.kind = kind
        self.rect = rect
        self.score = score
        self.attributes = attributes
    }

    /// Creates a subject with its kind and rectangle, in DockKit's terms. Optional values that are not given were not
    /// computed.
    public init(
        identifier: Int, kind: SubjectKind = .person, rect: Rect, faceYawAngle: Double? = nil, score: Double = 1,
        speaking: Double? = nil, looking: Double? = nil
    ) {
        self.init(
            identifier: identifier, kind: kind, rect: rect, score: score,
            attributes: FaceAttributes(yaw: faceYawAngle, speaking: speaking, looking: looking))
    }

    /// The direction of the face, in radians, positive to the right of the frame, or nil if not computed.
    public var faceYawAngle: Double? {
        get { attributes.yaw }
        set { attributes.yaw = newValue }
    }

    /// An attribute of the face.
    public subscript(dynamicMember path: WritableKeyPath<FaceAttributes, Double?>) -> Double? {
        get { attributes[keyPath: path] }
        set { attributes[keyPath: path] = newValue }
    }
}

/// The camera of observations (DockKit's `CameraInformation`). For nil members, the profile's values apply.
public struct CameraInformation: Sendable, Equatable {
    /// The horizontal field of view, in radians.
    public var horizontalFieldOfView: Double?
    /// The size of the frame, in pixels.
    public var referenceDimensions: PictureSize?
    /// The intrinsics of the pinhole camera, in pixels of that frame. They take precedence over the field of view.
    public var intrinsics: CameraIntrinsics?
    /// Degrees (0, 90, 180, 270) by which the frame must be rotated clockwise to be upright.
    public var rotate: Int
    /// Whether the frame is mirrored.
    public var mirrored: Bool

    /// Creates a camera with these values. The others come from the profile.
    public init(
        horizontalFieldOfView: Double? = nil, referenceDimensions: PictureSize? = nil,
        intrinsics: CameraIntrinsics? = nil, rotate: Int = 0, mirrored: Bool = false
    ) {
        self.horizontalFieldOfView = horizontalFieldOfView
        self.referenceDimensions = referenceDimensions
        self.intrinsics = intrinsics
        self.rotate = rotate
        self.mirrored = mirrored
    }
}

/// A program's observations in one frame.
public struct ObservationFrame: Sendable, Equatable {
    /// The maximum number of observations.
    public static let capacity = 100

    /// The subjects. An empty list also shows that the program is active.
    public var observations: [Observation]
    /// The camera, or nil for the profile's.
    public var camera: CameraInformation?
    /// When the frame was taken, CLOCK_MONOTONIC. If nil, it is the frame's arrival minus the profile's camera latency.
    public var exposure: Seconds?

    /// Creates the observations of one frame.
    public init(_ observations: [Observation], camera: CameraInformation? = nil, exposure: Seconds? = nil) {
        self.observations = observations
        self.camera = camera
        self.exposure = exposure
    }

    /// The reason why it is invalid, or nil if it is valid.
    var problem: String? {
        if observations.count > Self.capacity { return "more than \(Self.capacity) observations" }
        if Set(observations.map(\.identifier)).count < observations.count {
            return "two observations have the same id"
        }
        for seen in observations {
            let rect = seen.rect, sides = [rect.x, rect.y, rect.width, rect.height]
            guard sides.allSatisfy({ $0.isFinite && abs($0) <= 2 }), rect.width > 0, rect.height > 0 else {
                return "observation \(seen.identifier) has no valid rectangle in or near the frame"
            }
        }
        return nil
    }
}
